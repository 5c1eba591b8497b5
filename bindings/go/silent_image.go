//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

func silentLabel(scan *[32]byte, label uint32, tweak *[32]byte) Verdict {
	return single(image.SilentLabel, 0, inputs{ffi.Of(scan), ffi.Of(&label)}, outputs{ffi.To(tweak)})
}

func silentTweak(point []byte, scan *[32]byte, k uint32, tweak *[32]byte) Verdict {
	return single(image.SilentTweak, 0, inputs{inputBytes(point), ffi.Of(scan), ffi.Of(&k)}, outputs{ffi.To(tweak)})
}

// listOf is the bytes of a slice.
func listOf[T any](values []T) image.Input {
	data, size := unsafe.Pointer(unsafe.SliceData(values)), unsafe.Sizeof(*new(T))
	bytes := uintptr(len(values)) * size
	ffi.TouchRead(data, bytes)
	return image.Input{Data: data, Stride: size, Width: bytes}
}

// find says which of some rows have the first output of the scanner. A scan secret that is none makes them malformed.
func (r *SilentRows) find(scanner *Scanner, first int, pays []bool, verdicts []Verdict, memory *workspace) {
	rows := len(verdicts)
	call := image.Call{Operation: image.Lines, Machine: chosen().bulk, Flags: image.RowsSilent, Rows: uintptr(rows)}
	call.Inputs[4] = listOf(scanner.keys)
	lines := asked(&call)
	call.Operation, call.Flags = image.RowsSilent, 0
	call.Workspace, call.Lines = memory.Room(int(lines)), uintptr(lines)
	call.Inputs[0] = r.Points.input(first, rows)
	if call.Inputs[1] = listOf(r.Prefixes); len(r.Prefixes) == 0 {
		call.Inputs[1] = listOf(r.Keys)
	}
	call.Inputs[2] = listOf(r.Offsets[first : first+rows+1])
	call.Inputs[3] = ffi.Of(scanner.scan.bytes())
	call.Outputs[0] = image.Output{Data: unsafe.Pointer(unsafe.SliceData(pays)), Stride: 1, Width: 1}
	call.Verdicts = unsafe.Pointer(unsafe.SliceData(verdicts))
	clear(pays)
	ffi.TouchWrite(call.Outputs[0].Data, uintptr(rows))
	ffi.TouchWrite(call.Verdicts, uintptr(rows))
	if image.Rows(&call) != 0 {
		clear(verdicts)
		panic(errUnreachable)
	}
	for i, verdict := range verdicts {
		verdicts[i] = verdictOf(uint32(verdict))
	}
}
