//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"sync"
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// number is that of the operation in the image.
func (o rowsOperation) number() uint32 {
	switch o {
	case rowsBatchECDSA:
		return image.RowsBatchEcdsa
	case rowsBatchSchnorr:
		return image.RowsBatchSchnorr
	case rowsSenders:
		return image.RowsSenders
	case rowsDeriveChildren:
		return image.RowsDeriveChildren
	}
	return image.RowsFirst + uint32(o)
}

// rowsPerPiece is how many rows take about half a millisecond. Multiples of 128 rows share an inversion best. Batches gain
// by length: theirs take a few milliseconds.
func rowsPerPiece(operation rowsOperation) int {
	machine := chosen().bulk
	if operation == rowsBatchECDSA || operation == rowsBatchSchnorr {
		return map[uint32]int{image.MachineIfma: 1024, image.MachineFma: 512, image.MachinePortable: 256}[machine]
	}
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
type workspace = ffi.Workspace

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// prepared is a call on rows with a workspace.
func prepared(machine, operation uint32, rows int, memory *workspace) image.Call {
	call := image.Call{Operation: image.Lines, Machine: machine, Flags: operation, Rows: uintptr(rows)}
	lines := asked(&call)
	call.Operation, call.Flags = operation, 0
	call.Workspace, call.Lines = memory.Room(int(lines)), uintptr(lines)
	return call
}

// input is some of the rows, as the image takes them. The column has been checked.
func (c Column) input(first, rows int) image.Input {
	// Values without bytes may begin behind the data's last one.
	if c.Width <= 0 || rows == 0 {
		return image.Input{Width: uintptr(max(0, c.Width))}
	}
	data := unsafe.Pointer(&c.Data[first*c.Stride])
	ffi.TouchRead(data, uintptr(c.extent(rows)))
	return image.Input{Data: data, Stride: uintptr(c.Stride), Width: uintptr(c.Width)}
}

// piece computes some of the rows.
func (w *rowsWork) piece(first, rows int, memory *workspace) {
	w.pieceOn(chosen().bulk, first, rows, memory)
}

// pieceOn computes them on a machine that this CPU has.
func (w *rowsWork) pieceOn(machine uint32, first, rows int, memory *workspace) {
	call := prepared(machine, w.operation.number(), rows, memory)
	call.Flags = uint32(w.payload)
	if w.allowHighS {
		call.Flags = image.FlagAllowHighS
	}
	for i, column := range w.inputs {
		call.Inputs[i] = column.input(first, rows)
	}
	if w.secret != nil {
		call.Inputs[4] = ffi.Of(w.secret)
	}
	if width := w.output.Width; width > 0 {
		data := unsafe.Pointer(&w.output.Data[first*width])
		ffi.TouchWrite(data, uintptr(rows*width))
		call.Outputs[0] = image.Output{Data: data, Stride: uintptr(width), Width: uintptr(width)}
	}
	verdicts := w.verdicts[first : first+rows]
	call.Verdicts = unsafe.Pointer(unsafe.SliceData(verdicts))
	ffi.TouchWrite(call.Verdicts, uintptr(rows))
	if image.Rows(&call) != 0 {
		clear(verdicts)
		panic(errUnreachable)
	}
	for i, verdict := range verdicts {
		verdicts[i] = verdictOf(uint32(verdict))
	}
}

// sumPiece computes the sum of some of the products. A verdict that is not Valid is that of a row.
func sumPiece(scalars, points Column, first, rows int, memory *workspace, sum *[33]byte) Verdict {
	return sumPieceOn(chosen().bulk, scalars, points, first, rows, memory, sum)
}

// sumPieceOn computes it on a machine that this CPU has.
func sumPieceOn(machine uint32, scalars, points Column, first, rows int, memory *workspace, sum *[33]byte) Verdict {
	call := prepared(machine, image.SumOfProducts, rows, memory)
	call.Inputs[0], call.Inputs[1] = scalars.input(first, rows), points.input(first, rows)
	call.Outputs[0] = ffi.To(sum)
	return verdictOf(image.Rows(&call))
}
