//go:build (amd64 || arm64) && !purego

// Package ffi is what Go's side of every image has in common: the structure of a call, the machines of this CPU, memory
// to compute in, and what the race detector is told.
package ffi

import "unsafe"

// Input is values of one kind, one a row: that of row i is the Width bytes from Data + i*Stride on.
type Input struct {
	Data          unsafe.Pointer
	Stride, Width uintptr
}

// Output is room for values of one kind, one a row.
type Output struct {
	Data          unsafe.Pointer
	Stride, Width uintptr
}

// Call is what an image is asked. bindings/go-image/src/call.rs has the same structure.
type Call struct {
	Operation uint32
	Machine   uint32
	Flags     uint32
	_         uint32
	Rows      uintptr
	Inputs    [5]Input
	Outputs   [2]Output
	Verdicts  unsafe.Pointer
	Workspace unsafe.Pointer
	Lines     uintptr
}

// MachineNames are what programs call the machines.
var MachineNames = [...]string{MachinePortable: "portable", MachineFma: "fma", MachineIfma: "ifma"}

// Named is the machine of a name among these; for no name it is the last one, which is the best.
func Named(name string, machines []uint32) (machine uint32, found bool) {
	if name == "" {
		return machines[len(machines)-1], true
	}
	for _, machine := range machines {
		if MachineNames[machine] == name {
			return machine, true
		}
	}
	return 0, false
}

// Of is a value as an input of one row.
func Of[T any](value *T) Input {
	TouchRead(unsafe.Pointer(value), unsafe.Sizeof(*value))
	return Input{unsafe.Pointer(value), unsafe.Sizeof(*value), unsafe.Sizeof(*value)}
}

// To is the place of a value as an output of one row.
func To[T any](value *T) Output {
	TouchWrite(unsafe.Pointer(value), unsafe.Sizeof(*value))
	return Output{unsafe.Pointer(value), unsafe.Sizeof(*value), unsafe.Sizeof(*value)}
}

// Workspace is memory that one goroutine computes in.
type Workspace struct{ lines [][8]uint64 }

// Room is at least so many lines, aligned to their size.
func (w *Workspace) Room(lines int) unsafe.Pointer {
	if len(w.lines) < lines+1 {
		w.lines = make([][8]uint64, lines+1)
	}
	return Aligned(w.lines)
}

// Aligned is the first line that begins at a multiple of its size; one line less than the slice has is there.
func Aligned(lines [][8]uint64) unsafe.Pointer {
	start := unsafe.Pointer(unsafe.SliceData(lines))
	return unsafe.Add(start, -uintptr(start)&63)
}
