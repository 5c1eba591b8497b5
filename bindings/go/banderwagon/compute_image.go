//go:build (amd64 || arm64) && !purego

package banderwagon

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"phalanx.example/phalanx/internal/bandersnatch"
	"phalanx.example/phalanx/internal/commitments"
	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/pieces"
)

type workspace = ffi.Workspace

const unreachable = "banderwagon: the image refused a call that had been checked"

// machine is what commitments of this process are computed on. It is chosen when it is first asked for.
var machine = sync.OnceValue(func() uint32 {
	name := os.Getenv("PHALANX_BACKEND")
	machine, found := ffi.Named(name, rightMachines())
	if !found {
		panic("banderwagon: PHALANX_BACKEND=" + name + ": this build or this CPU does not have the backend")
	}
	return machine
})

// rightMachines are those of this CPU that prove themselves: they commit as the portable one does.
func rightMachines() (right []uint32) {
	expected := answerOf(ffi.MachinePortable)
	for _, machine := range ffi.Machines() {
		if machine == ffi.MachinePortable || answerOf(machine) == expected {
			right = append(right, machine)
		}
	}
	return right
}

// answerOf is the encodings of two commitments over two elements, by tables that this machine has built.
func answerOf(machine uint32) (answer [2][32]byte) {
	by := computing{machine: machine}
	basis := NewBasis([]Element{Generator(), Generator().Double()})
	if by.build(context.Background(), basis, 4, 1) != nil {
		panic(unreachable)
	}
	var room room
	long := Scalar{[4]uint64{1, 2, 3, 4}}
	room.list.push([]Term{{0, long}, {1, NewScalar(5)}})
	room.list.push([]Term{{1, long.Neg()}})
	var sums [2]Element
	by.commit(&room, work{elements: sums[:]})
	Encode(sums[:], answer[:])
	return answer
}

// Backend is the name of the backend that commitments are computed by.
func Backend() string { return ffi.MachineNames[machine()] }

// What a call on one element reads and writes.
type (
	inputs  = [5]ffi.Input
	outputs = [2]ffi.Output
)

// checked is the answer to a call that has been checked.
func checked(answer uint32) uint32 {
	if answer >= ffi.Misused {
		panic(unreachable)
	}
	return answer
}

func one(operation uint32, read inputs, written outputs) uint32 {
	return checked(commitments.Element(&ffi.Call{Operation: operation, Inputs: read, Outputs: written}))
}

func many(call *ffi.Call) uint32 { return checked(commitments.Many(call)) }

func decode(bytes *[32]byte, element *bandersnatch.Point) uint32 {
	return one(commitments.Decode, inputs{ffi.Of(bytes)}, outputs{ffi.To(element)})
}

func decodeUncompressed(bytes *[64]byte, element *bandersnatch.Point) uint32 {
	return one(commitments.DecodeUncompressed, inputs{ffi.Of(bytes)}, outputs{ffi.To(element)})
}

func encodeUncompressed(element *bandersnatch.Point, bytes *[64]byte) {
	one(commitments.EncodeUncompressed, inputs{ffi.Of(element)}, outputs{ffi.To(bytes)})
}

func add(a, b, sum *bandersnatch.Point) {
	one(commitments.Add, inputs{ffi.Of(a), ffi.Of(b)}, outputs{ffi.To(sum)})
}

func subtract(a, b, difference *bandersnatch.Point) {
	one(commitments.Subtract, inputs{ffi.Of(a), ffi.Of(b)}, outputs{ffi.To(difference)})
}

func equal(a, b *bandersnatch.Point) bool {
	return one(commitments.Equal, inputs{ffi.Of(a), ffi.Of(b)}, outputs{}) == 1
}

func multiply(element *bandersnatch.Point, scalar [32]byte, public bool, product *bandersnatch.Point) {
	operation := uint32(commitments.Multiply)
	if public {
		operation = commitments.MultiplyVartime
	}
	one(operation, inputs{ffi.Of(element), ffi.Of(&scalar)}, outputs{ffi.To(product)})
}

// inputOf is a slice as an input of rows, and outputTo as an output.
func inputOf[T any](values []T) ffi.Input {
	size, data := unsafe.Sizeof(*new(T)), unsafe.Pointer(unsafe.SliceData(values))
	ffi.TouchRead(data, size*uintptr(len(values)))
	return ffi.Input{Data: data, Stride: size, Width: size}
}

func outputTo[T any](values []T) ffi.Output {
	size, data := unsafe.Sizeof(*new(T)), unsafe.Pointer(unsafe.SliceData(values))
	ffi.TouchWrite(data, size*uintptr(len(values)))
	return ffi.Output{Data: data, Stride: size, Width: size}
}

// whole is a slice as an input of so many bytes.
func whole[T any](values []T) ffi.Input {
	input := inputOf(values)
	input.Width *= uintptr(len(values))
	return input
}

// elementsOfPiece are converted between two chances for the collector.
const elementsOfPiece = 1024

// overRows makes the call on pieces of elements.
func overRows[T any](operation uint32, elements []Element, out []T) {
	for len(elements) > 0 {
		n := min(len(elements), elementsOfPiece)
		call := ffi.Call{Operation: operation, Rows: uintptr(n)}
		call.Inputs[0], call.Outputs[0] = inputOf(elements[:n]), outputTo(out[:n])
		many(&call)
		elements, out = elements[n:], out[n:]
	}
}

func encode(elements []Element, out [][32]byte) { overRows(commitments.Encode, elements, out) }

func mapToScalars(elements []Element, out []Scalar) { overRows(commitments.Map, elements, out) }

// computing is tables in memory.
type computing struct {
	machine  uint32
	elements int
	flags    uint32
	// memory has the table's lines, from the first one on that is aligned.
	memory [][8]uint64
	lines  int
}

func newComputing() computing { return computing{machine: machine()} }

// call is one of an operation on these tables.
func (c *computing) call(operation uint32) ffi.Call {
	call := ffi.Call{Operation: operation, Machine: c.machine, Flags: c.flags}
	call.Inputs[0].Stride = uintptr(c.elements)
	return call
}

// table is the lines from this one on.
func (c *computing) table(first int) unsafe.Pointer {
	return unsafe.Add(ffi.Aligned(c.memory), first*64)
}

func (c *computing) build(ctx context.Context, basis *Basis, bits, goroutines int) error {
	c.elements, c.flags = basis.Len(), uint32(bits)
	call := c.call(commitments.TableLines)
	c.lines = int(many(&call))
	c.memory = make([][8]uint64, c.lines+1)
	rows := make([][8]uint64, c.elements+1)
	call = ffi.Call{Operation: commitments.Basis, Rows: uintptr(c.elements)}
	call.Inputs[0] = inputOf(basis.elements)
	call.Outputs[0] = ffi.Output{Data: ffi.Aligned(rows), Stride: 64, Width: uintptr(c.elements) * 64}
	many(&call)
	call = c.call(commitments.Parts)
	var infinity atomic.Uint32
	err := pieces.Deal(ctx, goroutines, int(many(&call)), &rooms, func(part int, room *room) {
		call := c.call(commitments.PartLine)
		call.Rows = uintptr(part)
		first := int(many(&call))
		call.Rows++
		end := int(many(&call))
		call = c.call(commitments.Lines)
		call.Rows = commitments.Build
		lines := many(&call)
		call = c.call(commitments.Build)
		call.Rows = uintptr(part)
		call.Inputs[0].Data, call.Inputs[0].Width = ffi.Aligned(rows), uintptr(c.elements)*64
		call.Outputs[0] = ffi.Output{Data: c.table(first), Width: uintptr(end-first) * 64}
		ffi.TouchWrite(call.Outputs[0].Data, call.Outputs[0].Width)
		call.Workspace, call.Lines = room.workspace.Room(int(lines)), uintptr(lines)
		if many(&call) == 1 {
			infinity.Store(commitments.FlagInfinity)
		}
	})
	c.flags |= infinity.Load()
	return err
}

func (c *computing) commit(room *room, w work) {
	list, longest, start := &room.list, uint64(0), uint64(0)
	for _, end := range list.ends {
		longest, start = max(longest, end-start), end
	}
	call := c.call(commitments.Lines)
	call.Rows = commitments.Commit
	call.Flags |= uint32(len(list.ends)) << 10
	call.Inputs[1].Width, call.Inputs[1].Stride = uintptr(len(list.terms))*unsafe.Sizeof(Term{}), uintptr(longest)
	lines := many(&call)
	call = c.call(commitments.Commit)
	call.Rows = uintptr(len(list.ends))
	// The race detector is not told of the tables: nobody writes them after they are built.
	call.Inputs[0].Data, call.Inputs[0].Width = c.table(0), uintptr(c.lines)*64
	call.Inputs[1], call.Inputs[2] = whole(list.terms), whole(list.ends)
	if len(w.offsets) > 0 {
		call.Inputs[3] = inputOf(w.offsets)
	}
	if len(w.offsets) == 1 {
		call.Inputs[3].Stride = 0
	}
	if w.elements != nil {
		call.Outputs[0] = outputTo(w.elements)
	}
	if w.scalars != nil {
		call.Outputs[1] = outputTo(w.scalars)
	}
	call.Workspace, call.Lines = room.workspace.Room(int(lines)), uintptr(lines)
	many(&call)
}
