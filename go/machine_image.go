//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"os"

	"phalanx.example/phalanx/internal/image"
)

// The machines of this process: of calls for one item, and of bulk calls. They are chosen when the program starts, and
// never change.
var (
	bulkMachine   = chosenMachine(os.Getenv("PHALANX_BACKEND"))
	singleMachine = ofOneItem(bulkMachine)
)

var machineNames = [...]string{image.MachinePortable: "portable", image.MachineFma: "fma", image.MachineIfma: "ifma"}

// chosenMachine is the machine of a name, or the best.
func chosenMachine(name string) uint32 {
	machines := image.Machines()
	if name == "" {
		return machines[len(machines)-1]
	}
	for _, machine := range machines {
		if machineNames[machine] == name {
			return machine
		}
	}
	panic("phalanx: PHALANX_BACKEND=" + name + ": " + ErrBackend.Error())
}

// ofOneItem is what one item is computed on: without AVX-512 one lane is faster than eight.
func ofOneItem(machine uint32) uint32 {
	if machine == image.MachineFma {
		return image.MachinePortable
	}
	return machine
}

// Backends are the names of the backends that this CPU can run, the best one last.
func Backends() []string {
	var names []string
	for _, machine := range image.Machines() {
		names = append(names, machineNames[machine])
	}
	return names
}

// Backend is the name of the backend that bulk calls are computed by.
func Backend() string { return machineNames[bulkMachine] }
