//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"errors"
	"os"
	"slices"
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/image"
)

func TestMachinesProveThemselves(t *testing.T) {
	expected := answersOf(image.MachinePortable)
	if expected.verdict != 0 || expected.verdicts[0] != InvalidSignature || expected.verdicts[8] != Valid {
		t.Errorf("%d, %v", expected.verdict, expected.verdicts)
	}
	if !slices.Equal(rightMachines(), image.Machines()) {
		t.Errorf("a machine of this CPU answers wrongly: %v", rightMachines())
	}
	if !slices.Contains(Backends(), Backend()) || Backends()[0] != "portable" {
		t.Error(Backends())
	}
}

func TestTheNamedBackendComputes(t *testing.T) {
	if name := os.Getenv("PHALANX_BACKEND"); name != "" && (Backend() != name || refused() != nil) {
		t.Errorf("%s computes: %v", Backend(), refused())
	}
}

func TestMachinesAreChosenByName(t *testing.T) {
	all := []uint32{image.MachinePortable, image.MachineFma, image.MachineIfma}
	for name, expected := range map[string]machines{
		"":         {single: image.MachineIfma, bulk: image.MachineIfma},
		"ifma":     {single: image.MachineIfma, bulk: image.MachineIfma},
		"fma":      {single: image.MachinePortable, bulk: image.MachineFma},
		"portable": {single: image.MachinePortable, bulk: image.MachinePortable},
	} {
		if found := choose(name, all); found != expected {
			t.Errorf("%q: %v", name, found)
		}
	}
	found := choose("ifma", all[:2])
	if !errors.Is(found.refused, ErrBackend) || found.single != image.MachinePortable {
		t.Errorf("a machine that is not there: %v", found)
	}
}

func TestTheBorderIsTheImages(t *testing.T) {
	call := image.Call{Operation: image.Nothing}
	if size := image.Single(&call); uintptr(size) != unsafe.Sizeof(call) {
		t.Errorf("the image's structure has %d bytes, ours %d", size, unsafe.Sizeof(call))
	}
	for _, operation := range []uint32{15, 30, 31, 32, 39, 1 << 20} {
		if call := (image.Call{Operation: operation}); image.Single(&call) != image.Misused {
			t.Errorf("operation %d on one item", operation)
		}
	}
	call = image.Call{Operation: image.PublicKey, Machine: 77}
	if image.Single(&call) != image.Misused || image.Rows(&call) != image.Misused {
		t.Error("a machine that is none")
	}
}

// BenchmarkCall is what a call costs that does nothing.
func BenchmarkCall(b *testing.B) {
	call := image.Call{Operation: image.Nothing}
	for b.Loop() {
		image.Single(&call)
	}
}
