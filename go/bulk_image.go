//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"sync"
	"unsafe"

	"phalanx.example/phalanx/internal/image"
)

var operations = [...]uint32{
	rowsVerifyECDSA:   image.RowsVerifyEcdsa,
	rowsVerifySchnorr: image.RowsVerifySchnorr,
	rowsRecover:       image.RowsRecover,
	rowsPublicKeys:    image.RowsPublicKeys,
	rowsSignECDSA:     image.RowsSignEcdsa,
	rowsSignSchnorr:   image.RowsSignSchnorr,
	rowsSharedSecrets: image.RowsSharedSecrets,
}

// rowsPerPiece is how many rows take about half a millisecond. Multiples of 128 rows share an inversion best.
func rowsPerPiece(operation rowsOperation) int {
	machine := chosen().bulk
	secret := operation == rowsPublicKeys || operation == rowsSignECDSA || operation == rowsSignSchnorr
	switch {
	case machine == image.MachineIfma && secret:
		return 256
	case machine == image.MachineIfma:
		return 128
	case secret:
		return 64
	case machine == image.MachineFma:
		return 64
	default:
		return 24
	}
}

// workspace is memory that one goroutine computes in.
type workspace struct{ lines [][8]uint64 }

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// room is at least so many lines, aligned to their size.
func (w *workspace) room(lines int) unsafe.Pointer {
	if len(w.lines) < lines+1 {
		w.lines = make([][8]uint64, lines+1)
	}
	start := unsafe.Pointer(unsafe.SliceData(w.lines))
	return unsafe.Add(start, -uintptr(start)&63)
}

// piece computes some of the rows.
func (w *rowsWork) piece(first, rows int, memory *workspace) {
	w.pieceOn(chosen().bulk, first, rows, memory)
}

// pieceOn computes them on a machine that this CPU has.
func (w *rowsWork) pieceOn(machine uint32, first, rows int, memory *workspace) {
	call := image.Call{Operation: image.Lines, Machine: machine, Flags: operations[w.operation], Rows: uintptr(rows)}
	lines := image.Rows(&call)
	if lines >= image.Misused {
		panic(errUnreachable)
	}
	call.Operation, call.Flags = operations[w.operation], 0
	if w.allowHighS {
		call.Flags = image.FlagAllowHighS
	}
	for i, column := range w.inputs {
		if len(column.Data) > 0 {
			data := unsafe.Pointer(&column.Data[first*column.Stride])
			touchRead(data, uintptr(column.extent(rows)))
			call.Inputs[i] = image.Input{Data: data, Stride: uintptr(column.Stride), Width: uintptr(column.Width)}
		}
	}
	if width := w.output.Width; width > 0 {
		data := unsafe.Pointer(&w.output.Data[first*width])
		touchWrite(data, uintptr(rows*width))
		call.Outputs[0] = image.Output{Data: data, Stride: uintptr(width), Width: uintptr(width)}
	}
	verdicts := w.verdicts[first : first+rows]
	call.Verdicts = unsafe.Pointer(unsafe.SliceData(verdicts))
	touchWrite(call.Verdicts, uintptr(rows))
	call.Workspace, call.Lines = memory.room(int(lines)), uintptr(lines)
	if image.Rows(&call) != 0 {
		clear(verdicts)
		panic(errUnreachable)
	}
	for i, verdict := range verdicts {
		verdicts[i] = verdictOf(uint32(verdict))
	}
}
