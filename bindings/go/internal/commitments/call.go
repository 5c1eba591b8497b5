//go:build (amd64 || arm64) && !purego

// Package commitments calls the library's Banderwagon: code of Rust that was linked into one symbol of this package. Nothing
// here is for programs; the package banderwagon checks every length before it calls.
package commitments

import "phalanx.example/phalanx/internal/ffi"

// image is the symbol of the image. Only the functions below call it, on a stack that is large enough.
func image()

//go:noescape
func element(call *ffi.Call) uint32

//go:noescape
func commitments(call *ffi.Call) uint32

// Element makes a call on one element.
func Element(call *ffi.Call) uint32 { return element(call) }

// Many makes a call on many elements, on tables, or for commitments.
func Many(call *ffi.Call) uint32 { return commitments(call) }
