//go:build linux && !purego && !race

package residue

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"golang.org/x/sys/cpu"

	"phalanx.example/phalanx/internal/ffi"
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
	calls := row.calls()
	for _, machine := range image.Machines() {
		for operation, call := range calls {
			call.Operation, call.Machine = operation, machine
			of, status := image.Single, uint32(0)
			if call.Rows > 0 {
				call.Operation, call.Flags = image.Lines, operation
				call.Lines = uintptr(image.Rows(&call))
				call.Operation, call.Flags = operation, 0
				call.Workspace = new(ffi.Workspace).Room(int(call.Lines))
				of = image.Rows
			}
			if status = of(&call); status != 0 {
				t.Errorf("operation %d on machine %d: %d", operation, machine, status)
			}
			if names := found(); names != nil {
				t.Errorf("operation %d on machine %d leaves in registers: %q", operation, machine, names)
			}
		}
	}
}

// calls are the image's operations on secrets; those on rows have the same row nine times.
func (r *row) calls() map[uint32]image.Call {
	var other [65]byte
	copy(other[:], secp256k1.PrivKeyFromBytes(r.other[:]).PubKey().SerializeUncompressed())
	key, tweak, digest, aux, point := ffi.Of(&r.key), ffi.Of(&r.tweak), ffi.Of(&r.digest), ffi.Of(&r.aux), ffi.Of(&other)
	call := func(width uintptr, inputs ...image.Input) image.Call {
		var call image.Call
		copy(call.Inputs[:], inputs)
		call.Outputs[0] = image.Output{Data: unsafe.Pointer(new([65]byte)), Stride: width, Width: width}
		call.Outputs[1] = ffi.To(new([1]byte))
		return call
	}
	calls := map[uint32]image.Call{
		image.PublicKey:    call(65, key),
		image.SignEcdsa:    call(64, digest, key),
		image.SignSchnorr:  call(64, digest, key, aux),
		image.SharedSecret: call(32, point, key),
		image.TweakSecret:  call(32, key, tweak),
		image.TweakPublic:  call(65, point, tweak),
		image.NegateSecret: call(32, key),
	}
	const rows = 9
	for operation, single := range map[uint32]uint32{
		image.RowsPublicKeys: image.PublicKey, image.RowsSignEcdsa: image.SignEcdsa, image.RowsSignSchnorr: image.SignSchnorr,
		image.RowsSharedSecrets: image.SharedSecret, image.RowsTweakAddPublic: image.TweakPublic,
	} {
		call := calls[single]
		for i := range call.Inputs {
			call.Inputs[i].Stride = 0
		}
		call.Outputs[0].Data, call.Outputs[1] = unsafe.Pointer(new([rows * 65]byte)), image.Output{}
		call.Rows, call.Verdicts = rows, unsafe.Pointer(new([rows]byte))
		calls[operation] = call
	}
	return calls
}
