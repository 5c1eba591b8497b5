// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.

//go:build (amd64 || arm64) && !purego

package ffi

// Numbers of bindings/go-image/src/call.rs, which says what each stands for.
const (
	MachinePortable = 0
	MachineFma      = 1
	MachineIfma     = 2
	Misused         = 1 << 31
)
