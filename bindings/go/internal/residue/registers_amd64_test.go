//go:build linux && !purego && !race

package residue

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"golang.org/x/sys/cpu"

	"phalanx.example/phalanx/internal/image"
	"phalanx.example/phalanx/internal/painted"
)

// TestNoSecretStaysInRegisters: Go writes them to memory where it preempts a goroutine, and the system where a signal comes.
func TestNoSecretStaysInRegisters(t *testing.T) {
	if !cpu.X86.HasOSXSAVE {
		skip(t, "secrets in registers", "this CPU has no instruction that writes all of them down")
	}
	row, needles, area := newRow(), new(needles), new([painted.Area]byte)
	row.secrets(needles)
	// found is the needles that the registers hold, by name.
	found := func() (names []string) {
		painted.Registers(area)
		for number, word := range needles.words {
			if bytes.Contains(area[:], binary.NativeEndian.AppendUint64(nil, word)) {
				names = append(names, needles.names[number])
			}
		}
		return names
	}
	painted.Keep(&row.key)
	if len(found()) < 4 {
		t.Fatal("a key in registers is not found")
	}
	for _, machine := range image.Machines() {
		values := painted.NewValues(machine, row.digest, row.key)
		values.Tweak, values.Aux = row.tweak, row.aux
		copy(values.Point[:], secp256k1.PrivKeyFromBytes(row.other[:]).PubKey().SerializeUncompressed())
		check := func(entry func(*image.Call) uint32, calls []image.Call) {
			for _, call := range calls {
				status := entry(&call)
				if names := found(); names != nil {
					t.Errorf("operation %d on machine %d leaves in registers: %q", call.Operation, machine, names)
				}
				if status != 0 {
					t.Errorf("operation %d on machine %d: %d", call.Operation, machine, status)
				}
			}
		}
		check(image.Single, values.Calls())
		check(image.Rows, values.RowCalls(9))
	}
}
