//go:build !purego

package ffi

// Machines are the machines that this CPU has: one lane.
func Machines() []uint32 { return []uint32{MachinePortable} }
