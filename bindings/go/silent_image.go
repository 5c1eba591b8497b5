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

// listOf is the bytes of a slice, of which those of some elements are read.
func listOf[T any](values []T, first, end int) image.Input {
	size := unsafe.Sizeof(*new(T))
	ffi.TouchRead(unsafe.Pointer(unsafe.SliceData(values[first:end])), uintptr(end-first)*size)
	return image.Input{Data: unsafe.Pointer(unsafe.SliceData(values)), Stride: size, Width: uintptr(len(values)) * size}
}

// find says which of some rows have the first output of the scanner. A scan secret that is none makes them malformed.
func (r *SilentRows) find(scanner *Scanner, first int, pays []bool, verdicts []Verdict, memory *workspace) {
	rows := len(verdicts)
	call := image.Call{Operation: image.Lines, Machine: chosen().bulk, Flags: image.RowsSilent, Rows: uintptr(rows)}
	call.Inputs[4] = listOf(scanner.keys, 0, len(scanner.keys))
	lines := asked(&call)
	call.Operation, call.Flags = image.RowsSilent, 0
	call.Workspace, call.Lines = memory.Room(int(lines)), uintptr(lines)
	call.Inputs[0] = r.Points.input(first, rows)
	if start, end := int(r.Offsets[first]), int(r.Offsets[first+rows]); len(r.Prefixes) > 0 {
		call.Inputs[1] = listOf(r.Prefixes, start, end)
	} else {
		call.Inputs[1] = listOf(r.Keys, start, end)
	}
	call.Inputs[2] = listOf(r.Offsets[first:first+rows+1], 0, rows+1)
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
