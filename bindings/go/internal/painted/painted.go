//go:build amd64 && !purego

// Package painted calls the images on a stack that has been painted before and is looked at afterwards: for tests, which
// find out how much of it a call used, and what it left there.
package painted

import (
	"phalanx.example/phalanx/internal/ffi"

	// The images, whose symbols the functions here call.
	_ "phalanx.example/phalanx/internal/commitments"
	"phalanx.example/phalanx/internal/image"
)

// Size is the bytes of each stack.
const Size = 131072

// Paint is what an untouched byte holds.
const Paint = 0xa5

//go:noescape
func single(call *image.Call, stack *[Size]byte) uint32

//go:noescape
func rows(call *image.Call, stack *[Size]byte) uint32

//go:noescape
func element(call *ffi.Call, stack *[Size]byte) uint32

//go:noescape
func commitments(call *ffi.Call, stack *[Size]byte) uint32

// Element is commitments.Element, which leaves its stack in stack.
func Element(call *ffi.Call, stack *[Size]byte) uint32 { return element(call, stack) }

// Commitments is commitments.Many, which leaves its stack in stack.
func Commitments(call *ffi.Call, stack *[Size]byte) uint32 { return commitments(call, stack) }

// Single is image.Single, which leaves its stack in stack.
func Single(call *image.Call, stack *[Size]byte) uint32 { return single(call, stack) }

// Rows is image.Rows, which leaves its stack in stack.
func Rows(call *image.Call, stack *[Size]byte) uint32 { return rows(call, stack) }

// Used is how many bytes of a stack are no longer painted, from its top down.
func Used(stack *[Size]byte) int {
	for i, value := range stack {
		if value != Paint {
			return Size - i
		}
	}
	return 0
}
