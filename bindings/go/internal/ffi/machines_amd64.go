//go:build !purego

package ffi

import "golang.org/x/sys/cpu"

// Machines are the machines that this CPU and this system have, the best one last.
func Machines() []uint32 {
	machines := []uint32{MachinePortable}
	x86 := &cpu.X86
	if x86.HasAVX2 && x86.HasFMA && x86.HasBMI2 {
		machines = append(machines, MachineFma)
	}
	if x86.HasAVX512F && x86.HasAVX512DQ && x86.HasAVX512BW && x86.HasAVX512VL && x86.HasAVX512IFMA && x86.HasBMI2 && x86.HasADX {
		machines = append(machines, MachineIfma)
	}
	return machines
}
