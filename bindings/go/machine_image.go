//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"crypto/sha256"
	"os"
	"sync"
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// machines are those that calls for one item and bulk calls are computed on, and why bulk calls are refused.
type machines struct {
	single, bulk uint32
	refused      error
}

// chosen are the machines of this process. They are chosen when they are first asked for, and never change.
var chosen = sync.OnceValue(func() machines { return choose(os.Getenv("PHALANX_BACKEND"), rightMachines()) })

// choose takes the machine of a name, or the best. Where no machine has that name, bulk calls are refused.
func choose(name string, right []uint32) machines {
	if machine, found := ffi.Named(name, right); found {
		return machinesOf(machine)
	}
	machine, _ := ffi.Named("", right)
	best := machinesOf(machine)
	best.refused = unavailable(name)
	return best
}

// refused is why bulk calls are.
func refused() error { return chosen().refused }

// machinesOf is what one item and many are computed on. Without AVX-512 one item is faster on one lane than on eight.
func machinesOf(machine uint32) machines {
	if machine == image.MachineFma {
		return machines{single: image.MachinePortable, bulk: machine}
	}
	return machines{single: machine, bulk: machine}
}

// rightMachines are those of this CPU that prove themselves: they answer a few questions as the portable one does. A
// fault of a CPU or of a hypervisor then costs speed, and no verdict.
func rightMachines() []uint32 {
	var right []uint32
	expected := answersOf(image.MachinePortable)
	for _, machine := range image.Machines() {
		if machine == image.MachinePortable || answersOf(machine) == expected {
			right = append(right, machine)
		}
	}
	return right
}

// answers are signatures by one item and by rows, and the verdicts of both, the first row's being of another digest; and
// a sum of products.
type answers struct {
	signature [64]byte
	verdict   uint32
	rows      [9][64]byte
	verdicts  [9]Verdict
	sum       [33]byte

	sumVerdict Verdict
}

func answersOf(machine uint32) answers {
	var a answers
	var digests, secrets [9][32]byte
	var keys [9]PublicKey
	for i := range digests {
		secrets[i] = sha256.Sum256([]byte{byte(i)})
		digests[i] = sha256.Sum256(secrets[i][:])
		image.Single(&image.Call{Operation: image.PublicKey, Machine: machine,
			Inputs: inputs{ffi.Of(&secrets[i])}, Outputs: outputs{ffi.To(&keys[i].encoded)}})
	}
	var id [1]byte
	image.Single(&image.Call{Operation: image.SignEcdsa, Machine: machine,
		Inputs:  inputs{ffi.Of(&digests[0]), ffi.Of(&secrets[0])},
		Outputs: outputs{ffi.To(&a.signature), ffi.To(&id)}})
	a.verdict = image.Single(&image.Call{Operation: image.VerifyEcdsa, Machine: machine,
		Inputs: inputs{ffi.Of(&digests[0]), ffi.Of(&a.signature), ffi.Of(&keys[0].encoded)}})
	var memory workspace
	sign := rowsWork{operation: rowsSignECDSA, verdicts: a.verdicts[:], output: ColumnOf(a.rows[:])}
	sign.inputs = [4]Column{ColumnOf(digests[:]), ColumnOf(secrets[:])}
	sign.pieceOn(machine, 0, len(digests), &memory)
	digests[0] = [32]byte{}
	verify := rowsWork{operation: rowsVerifyECDSA, verdicts: a.verdicts[:]}
	verify.inputs = [4]Column{ColumnOf(digests[:]), ColumnOf(a.rows[:]), ColumnOf(keys[:])}
	verify.pieceOn(machine, 0, len(digests), &memory)
	a.sumVerdict = sumPieceOn(machine, ColumnOf(digests[:]), ColumnOf(keys[:]), 0, len(digests), &memory, &a.sum)
	wipe(unsafe.Slice(&secrets[0][0], len(secrets)*32))
	return a
}

// Backends are the names of the backends that this CPU can run, the best one last. One that computes wrongly is none.
func Backends() []string {
	var names []string
	for _, machine := range rightMachines() {
		names = append(names, ffi.MachineNames[machine])
	}
	return names
}

// Backend is the name of the backend that bulk calls are computed by.
func Backend() string { return ffi.MachineNames[chosen().bulk] }
