//go:build (amd64 || arm64) && !purego

// Package image calls the library: code of Rust that was linked into one symbol of this package. Nothing here is for
// programs; the package above checks every length before it calls.
package image

import "phalanx.example/phalanx/internal/ffi"

// Input, Output and Call are what crosses the ffi.
type (
	Input  = ffi.Input
	Output = ffi.Output
	Call   = ffi.Call
)

// Machines, and the answer to a call that cannot be.
const (
	MachinePortable = ffi.MachinePortable
	MachineFma      = ffi.MachineFma
	MachineIfma     = ffi.MachineIfma
	Misused         = ffi.Misused
)

// Machines are the machines that this CPU and this system have, the best one last.
func Machines() []uint32 { return ffi.Machines() }

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
