//go:build amd64 && !purego

package painted

import (
	"fmt"
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/bandersnatch"
	image "phalanx.example/phalanx/internal/commitments"
	"phalanx.example/phalanx/internal/ffi"
)

// wagon makes calls of the image of commitments.
type wagon struct{ one, rows caller }

func (w *wagon) many(call ffi.Call) uint32 { return w.rows.make(call) }

func rowsOf[T any](values []T) ffi.Input {
	size := unsafe.Sizeof(*new(T))
	return ffi.Input{Data: unsafe.Pointer(unsafe.SliceData(values)), Stride: size, Width: size}
}

func roomFor[T any](values []T) ffi.Output {
	input := rowsOf(values)
	return ffi.Output{Data: input.Data, Stride: input.Stride, Width: input.Width}
}

func TestStackOfCommitmentsStaysBelowItsBound(t *testing.T) {
	one, many := bounds(t, "commitments")
	for _, machine := range ffi.Machines() {
		w := wagon{caller{t, Element, machine, one, 0}, caller{t, Commitments, machine, many, 0}}
		w.elements()
		for _, bits := range []uint32{0, 5} {
			w.tables(bits)
		}
		t.Logf("machine %d: %d bytes for one element, %d for many", machine, w.one.most, w.rows.most)
	}
}

func (w *wagon) elements() {
	a, b, made := bandersnatch.Generator, bandersnatch.Generator.Mul([4]uint64{5, 6, 7, 8}), bandersnatch.Point{}
	scalar, encoded, whole := [32]byte{1, 2, 3}, b.Encode(), b.EncodeUncompressed()
	for operation, call := range map[uint32]ffi.Call{
		image.Decode:             {Inputs: [5]ffi.Input{ffi.Of(&encoded)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
		image.DecodeUncompressed: {Inputs: [5]ffi.Input{ffi.Of(&whole)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
		image.EncodeUncompressed: {Inputs: [5]ffi.Input{ffi.Of(&a)}, Outputs: [2]ffi.Output{ffi.To(&whole)}},
		image.Add:                {Inputs: [5]ffi.Input{ffi.Of(&a), ffi.Of(&b)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
		image.Subtract:           {Inputs: [5]ffi.Input{ffi.Of(&a), ffi.Of(&b)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
		image.Equal:              {Inputs: [5]ffi.Input{ffi.Of(&a), ffi.Of(&b)}},
		image.Multiply:           {Inputs: [5]ffi.Input{ffi.Of(&a), ffi.Of(&scalar)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
		image.MultiplyVartime:    {Inputs: [5]ffi.Input{ffi.Of(&a), ffi.Of(&scalar)}, Outputs: [2]ffi.Output{ffi.To(&made)}},
	} {
		call.Operation = operation
		if answer := w.one.make(call); answer != 0 {
			w.one.t.Errorf("operation %d: %d", operation, answer)
		}
	}
}

// tables builds tables over 256 elements, and commits by them; the first element is there twice, and so infinity is met.
func (w *wagon) tables(bits uint32) {
	const elements = 256
	points := make([]bandersnatch.Point, elements)
	points[0] = bandersnatch.Generator
	for i := 1; i < elements; i++ {
		points[i] = points[i-1].Add(points[0])
	}
	points[elements-1] = points[0]
	over := func(operation uint32) ffi.Call {
		call := ffi.Call{Operation: operation, Flags: bits}
		call.Inputs[0].Stride = elements
		return call
	}
	basis := make([][8]uint64, elements+1)
	call := ffi.Call{Operation: image.Basis, Rows: elements}
	call.Inputs[0] = rowsOf(points)
	call.Outputs[0] = ffi.Output{Data: ffi.Aligned(basis), Width: elements * 64}
	w.many(call)
	lines := w.many(over(image.TableLines))
	tables := make([][8]uint64, lines+1)
	infinity := uint32(0)
	for part := range w.many(over(image.Parts)) {
		call := over(image.PartLine)
		call.Rows = uintptr(part)
		first := w.many(call)
		call.Rows++
		end := w.many(call)
		call = over(image.Lines)
		call.Rows = image.Build
		room := w.many(call)
		call = over(image.Build)
		call.Rows = uintptr(part)
		call.Inputs[0].Data, call.Inputs[0].Width = ffi.Aligned(basis), elements*64
		call.Outputs[0] = ffi.Output{Data: unsafe.Add(ffi.Aligned(tables), first*64), Width: uintptr(end-first) * 64}
		lend(&call, room)
		if w.many(call) == 1 {
			infinity = image.FlagInfinity
		}
	}
	for _, count := range []int{1, 2, 9, 256} {
		for _, length := range []int{0, 1, 5, 60, 256} {
			w.commit(fmt.Sprint(count, " vectors of ", length), over, ffi.Aligned(tables), lines, infinity, count, length)
		}
	}
	scalars, encodings := make([][32]byte, elements), make([][32]byte, elements)
	call = ffi.Call{Operation: image.Map, Rows: elements}
	call.Inputs[0], call.Outputs[0] = rowsOf(points), roomFor(scalars)
	w.many(call)
	call.Operation, call.Outputs[0] = image.Encode, roomFor(encodings)
	w.many(call)
}

func (w *wagon) commit(name string, over func(uint32) ffi.Call, tables unsafe.Pointer, lines, infinity uint32, count, length int) {
	type term struct {
		position uint64
		scalar   [4]uint64
	}
	var terms []term
	var ends []uint64
	for i := range count {
		for j := range length {
			// Positions fall.
			terms = append(terms, term{uint64(length - 1 - j), [4]uint64{uint64(i), uint64(j) * 0x9e37_79b9_7f4a_7c15, 3, 1 << 60}})
		}
		ends = append(ends, uint64(len(terms)))
	}
	call := over(image.Lines)
	call.Rows, call.Flags = image.Commit, call.Flags|uint32(count)<<10
	call.Inputs[1] = ffi.Input{Stride: uintptr(length), Width: 40 * uintptr(len(terms))}
	room := w.many(call)
	call = over(image.Commit)
	call.Rows, call.Flags = uintptr(count), call.Flags|infinity
	call.Inputs[0].Data, call.Inputs[0].Width = tables, uintptr(lines)*64
	call.Inputs[1], call.Inputs[2] = rowsOf(terms), rowsOf(ends)
	call.Inputs[1].Width, call.Inputs[2].Width = 40*uintptr(len(terms)), 8*uintptr(count)
	sums, scalars := make([]bandersnatch.Point, count), make([][32]byte, count)
	call.Outputs[0], call.Outputs[1] = roomFor(sums), roomFor(scalars)
	lend(&call, room)
	if answer := w.many(call); answer != 0 {
		w.rows.t.Errorf("%s: %d", name, answer)
	}
}
