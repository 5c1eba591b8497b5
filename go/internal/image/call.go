//go:build (amd64 || arm64) && !purego

// Package image calls the library: code of Rust that was linked into one symbol of this package. Nothing here is for
// programs; the package above checks every length before it calls.
package image

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

// Call is what the image is asked. crates/go-image/src/call.rs has the same structure.
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

// Machines.
const (
	MachinePortable = 0
	MachineFma      = 1
	MachineIfma     = 2
)

// Operations.
const (
	Nothing       = 0
	PublicKey     = 1
	ReadPublicKey = 2
	ReadXOnly     = 3
	ReadDer       = 4
	ReadCompact   = 5
	SignEcdsa     = 6
	VerifyEcdsa   = 7
	Recover       = 8
	SignSchnorr   = 9
	VerifySchnorr = 10
	SharedSecret  = 11
	TweakPublic   = 12
	TweakSecret   = 13
	NegateSecret  = 14

	Lines             = 31
	RowsVerifyEcdsa   = 32
	RowsVerifySchnorr = 33
	RowsRecover       = 34
	RowsPublicKeys    = 35
	RowsSignEcdsa     = 36
	RowsSignSchnorr   = 37
	RowsSharedSecrets = 38
	RowsBatchEcdsa    = 39
	RowsBatchSchnorr  = 40
	SumOfProducts     = 41
)

// Flags, and the answer to a call that cannot be.
const (
	FlagAllowHighS = 1
	FlagLax        = 2
	Misused        = 1 << 31
)

// image is the symbol of the image. Only the functions below call it, on a stack that is large enough.
func image()

//go:noescape
func single(call *Call) uint32

//go:noescape
func rows(call *Call) uint32

// Single makes a call on one item. It answers a verdict by the library's number, or Misused.
func Single(call *Call) uint32 { return single(call) }

// Rows makes a call on many rows. It answers 0, what was asked for, or Misused.
func Rows(call *Call) uint32 { return rows(call) }
