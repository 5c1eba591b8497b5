//go:build (amd64 || arm64) && !purego

// Package commitments calls the library's Banderwagon: code of Rust that was linked into one symbol of this package. Nothing
// here is for programs; the package banderwagon checks every length before it calls.
package commitments

import "phalanx.example/phalanx/internal/ffi"

// Operations. verkle/go-image/src/operation.rs has the same, and says what each takes.
const (
	Nothing            = 0
	Decode             = 1
	DecodeUncompressed = 2
	EncodeUncompressed = 3
	Add                = 4
	Subtract           = 5
	Equal              = 6
	Multiply           = 7
	MultiplyVartime    = 8

	Lines      = 31
	Encode     = 32
	Map        = 33
	Basis      = 34
	TableLines = 35
	Parts      = 36
	Build      = 37
	Commit     = 38
	PartLine   = 39
)

// Flags, answers and limits.
const (
	FlagInfinity  = 1 << 8
	NotCanonical  = 1
	NotOnCurve    = 2
	NotInGroup    = 3
	NotAScalar    = 4
	VectorsAtOnce = 256
	MaxElements   = 1 << 16
)

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
