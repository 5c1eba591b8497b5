//go:build amd64 && !purego

package painted

import (
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// TestStackOfFixedBasesStaysBelowItsBound: tables over points that never change, all of them the same here so that
// infinity is met, and sums by them.
func TestStackOfFixedBasesStaysBelowItsBound(t *testing.T) {
	const points = 40
	_, bound := bounds(t, "image")
	for _, machine := range image.Machines() {
		v, by := NewValues(machine, [32]byte{1}, [32]byte{2}), caller{t, Rows, machine, bound, 0}
		made := by.make
		over := func(operation, rows uint32) image.Call {
			call := image.Call{Operation: operation, Rows: uintptr(rows)}
			call.Inputs[4] = image.Input{Stride: points, Width: 5}
			return call
		}
		prepare := func(call *image.Call, shape image.Input) {
			lines := over(image.Lines, uint32(call.Rows))
			lines.Flags, lines.Inputs[1] = call.Operation, shape
			lend(call, made(lines))
		}
		basis := make([][8]uint64, points+1)
		call := over(image.FixedBasis, points)
		call.Inputs[0] = in(&v.key)
		call.Outputs[0] = image.Output{Data: ffi.Aligned(basis), Width: points * 64}
		made(call)
		lines := made(over(image.FixedLines, 0))
		tables, infinity := make([][8]uint64, lines+1), uint32(0)
		for part := range made(over(image.FixedParts, 0)) {
			first, end := made(over(image.FixedPartLine, part)), made(over(image.FixedPartLine, part+1))
			call := over(image.FixedBuild, part)
			call.Inputs[0] = image.Input{Data: ffi.Aligned(basis), Width: points * 64}
			call.Outputs[0] = image.Output{Data: unsafe.Add(ffi.Aligned(tables), first*64), Width: uintptr(end-first) * 64}
			prepare(&call, image.Input{})
			infinity |= made(call)
		}
		for _, count := range []uint32{1, 2, 9, 256} {
			for _, length := range []uint32{0, 1, 5, 60} {
				var terms [][5]uint64
				var ends []uint64
				for i := range count {
					for j := range length {
						// Positions fall, and come again.
						terms = append(terms, [5]uint64{uint64(length-1-j) % points, uint64(i), uint64(j) * 0x9e37_79b9_7f4a_7c15, 3, 1 << 60})
					}
					ends = append(ends, uint64(len(terms)))
				}
				call := over(image.FixedSums, count)
				call.Inputs[0] = image.Input{Data: ffi.Aligned(tables), Width: uintptr(lines) * 64}
				call.Inputs[1], call.Inputs[2] = rowsOf(terms), rowsOf(ends)
				call.Inputs[1].Width, call.Inputs[2].Width = 40*uintptr(len(terms)), 8*uintptr(count)
				sums := make([][33]byte, count)
				call.Outputs[0] = roomFor(sums)
				prepare(&call, image.Input{Stride: uintptr(length), Width: call.Inputs[1].Width})
				call.Flags = infinity * image.FlagInfinity
				if verdict := made(call); verdict != 0 {
					t.Errorf("%d vectors of %d: %d", count, length, verdict)
				}
			}
		}
		t.Logf("machine %d: %d bytes for sums over a fixed basis", machine, by.most)
	}
}
