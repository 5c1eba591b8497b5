//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"context"
	"slices"
	"sync/atomic"
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// fixedBase is tables in memory.
type fixedBase struct {
	machine uint32
	// plan is the number of points and the bits of a window, as the image takes them.
	plan  image.Input
	flags uint32
	// memory has the lines of the tables, from the first one on that is aligned.
	memory [][8]uint64
	lines  int
}

// call is one on these tables.
func (f *fixedBase) call(operation uint32) image.Call {
	call := image.Call{Operation: operation, Machine: f.machine}
	call.Inputs[4] = f.plan
	return call
}

// asked is the answer to a call that cannot be refused.
func asked(call *image.Call) uint32 {
	answer := image.Rows(call)
	if answer >= image.Misused {
		panic(errUnreachable)
	}
	return answer
}

// room lends a call the workspace that its operation takes; shape says for how much.
func (f *fixedBase) room(call *image.Call, shape image.Input, memory *workspace) {
	lines := f.call(image.Lines)
	lines.Flags, lines.Rows, lines.Inputs[1] = call.Operation, call.Rows, shape
	count := asked(&lines)
	call.Workspace, call.Lines = memory.Room(int(count)), uintptr(count)
}

// pointsPerPiece are read between two chances for the collector.
const pointsPerPiece = 64

func (f *fixedBase) build(ctx context.Context, points Column, count, bits int) error {
	f.machine, f.plan = chosen().bulk, image.Input{Stride: uintptr(count), Width: uintptr(bits)}
	basis := make([][8]uint64, count+1)
	verdicts := make([]Verdict, (count+pointsPerPiece-1)/pointsPerPiece)
	err := new(Bulk).pieces(ctx, len(verdicts), func(piece int, _ *workspace) {
		first := piece * pointsPerPiece
		rows := min(pointsPerPiece, count-first)
		call := f.call(image.FixedBasis)
		call.Rows, call.Inputs[0] = uintptr(rows), points.input(first, rows)
		call.Outputs[0] = image.Output{Data: unsafe.Add(ffi.Aligned(basis), first*64), Width: uintptr(rows) * 64}
		ffi.TouchWrite(call.Outputs[0].Data, call.Outputs[0].Width)
		verdicts[piece] = verdictOf(asked(&call))
	})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(verdicts, func(verdict Verdict) bool { return verdict != Valid }) {
		return ErrPublicKey
	}
	call := f.call(image.FixedLines)
	f.lines = int(asked(&call))
	f.memory = make([][8]uint64, f.lines+1)
	call = f.call(image.FixedParts)
	var infinity atomic.Uint32
	err = new(Bulk).pieces(ctx, int(asked(&call)), func(part int, memory *workspace) {
		call := f.call(image.FixedPartLine)
		call.Rows = uintptr(part)
		first := int(asked(&call))
		call.Rows++
		end := int(asked(&call))
		call = f.call(image.FixedBuild)
		call.Rows = uintptr(part)
		call.Inputs[0] = image.Input{Data: ffi.Aligned(basis), Width: uintptr(count) * 64}
		ffi.TouchRead(call.Inputs[0].Data, call.Inputs[0].Width)
		call.Outputs[0] = image.Output{Data: unsafe.Add(ffi.Aligned(f.memory), first*64), Width: uintptr(end-first) * 64}
		ffi.TouchWrite(call.Outputs[0].Data, call.Outputs[0].Width)
		f.room(&call, image.Input{}, memory)
		if asked(&call) == 1 {
			infinity.Store(image.FlagInfinity)
		}
	})
	f.flags = infinity.Load()
	return err
}

// sums writes the sum of each vector. A verdict that is not Valid is that of a scalar.
func (f *fixedBase) sums(list *termList, sums [][33]byte, memory *workspace) Verdict {
	longest, start := uint64(0), uint64(0)
	for _, end := range list.ends {
		longest, start = max(longest, end-start), end
	}
	terms, ends := wholeOf(list.terms), wholeOf(list.ends)
	call := f.call(image.FixedSums)
	call.Rows = uintptr(len(list.ends))
	f.room(&call, image.Input{Stride: uintptr(longest), Width: terms.Width}, memory)
	call.Flags = f.flags
	// The race detector is not told of the tables: nobody writes them after they are built.
	call.Inputs[0] = image.Input{Data: ffi.Aligned(f.memory), Width: uintptr(f.lines) * 64}
	call.Inputs[1], call.Inputs[2] = terms, ends
	data := unsafe.Pointer(unsafe.SliceData(sums))
	ffi.TouchWrite(data, 33*uintptr(len(sums)))
	call.Outputs[0] = image.Output{Data: data, Stride: 33, Width: 33}
	return verdictOf(asked(&call))
}

// wholeOf is the bytes of a slice.
func wholeOf[T Term | uint64](values []T) image.Input {
	data, bytes := unsafe.Pointer(unsafe.SliceData(values)), uintptr(len(values))*unsafe.Sizeof(*new(T))
	ffi.TouchRead(data, bytes)
	return image.Input{Data: data, Stride: unsafe.Sizeof(*new(T)), Width: bytes}
}
