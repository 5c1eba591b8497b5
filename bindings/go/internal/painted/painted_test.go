//go:build amd64 && !purego

package painted

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/image"
)

// bounds are the bytes of stack that the header of an image states for calls on one item and on rows.
func bounds(t *testing.T, image string) (single, rows int) {
	file, err := os.Open("../" + image + "/image_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "// stack %d %d", &single, &rows); err == nil {
			return single, rows
		}
	}
	t.Fatal("the image states no bound")
	return 0, 0
}

// values are what operations take: a row of each.
type values struct {
	digest, secret, aux, shared [32]byte
	signature, schnorr          [64]byte
	key, other                  [65]byte
	id                          [1]byte
}

func in[T any](value *T) image.Input {
	return image.Input{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

func out[T any](value *T) image.Output {
	return image.Output{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

func newValues(t *testing.T, machine uint32) *values {
	v := &values{digest: sha256.Sum256([]byte("digest")), secret: sha256.Sum256([]byte("secret"))}
	for _, call := range []image.Call{
		{Operation: image.PublicKey, Inputs: [5]image.Input{in(&v.secret)}, Outputs: [2]image.Output{out(&v.key)}},
		{Operation: image.SignEcdsa, Inputs: [5]image.Input{in(&v.digest), in(&v.secret)}, Outputs: [2]image.Output{out(&v.signature), out(&v.id)}},
		{Operation: image.SignSchnorr, Inputs: [5]image.Input{in(&v.digest), in(&v.secret), in(&v.aux)}, Outputs: [2]image.Output{out(&v.schnorr)}},
	} {
		call.Machine = machine
		if verdict := image.Single(&call); verdict != 0 {
			t.Fatal(call.Operation, verdict)
		}
	}
	return v
}

// calls are one of each operation on one item.
func (v *values) calls() map[uint32]image.Call {
	call := func(inputs [5]image.Input, outputs ...image.Output) image.Call {
		c := image.Call{Inputs: inputs}
		copy(c.Outputs[:], outputs)
		return c
	}
	compressed := in(&v.key)
	compressed.Width = 33
	x := in(&v.key)
	x.Data, x.Width = unsafe.Pointer(&v.key[1]), 32
	head := [33]byte(v.key[:33])
	head[0] = 2 | v.key[64]&1
	compressed.Data = unsafe.Pointer(&head)
	return map[uint32]image.Call{
		image.PublicKey:     call([5]image.Input{in(&v.secret)}, out(&v.other)),
		image.ReadPublicKey: call([5]image.Input{compressed}, out(&v.other)),
		image.ReadXOnly:     call([5]image.Input{x}, out(&v.other)),
		image.ReadCompact:   call([5]image.Input{in(&v.signature)}),
		image.SignEcdsa:     call([5]image.Input{in(&v.digest), in(&v.secret)}, out(&v.signature), out(&v.id)),
		image.VerifyEcdsa:   call([5]image.Input{in(&v.digest), in(&v.signature), in(&v.key)}),
		image.Recover:       call([5]image.Input{in(&v.digest), in(&v.signature), in(&v.id)}, out(&v.other)),
		image.SignSchnorr:   call([5]image.Input{in(&v.digest), in(&v.secret), in(&v.aux)}, out(&v.schnorr)),
		image.VerifySchnorr: call([5]image.Input{in(&v.digest), in(&v.schnorr), in(&v.key)}),
		image.SharedSecret:  call([5]image.Input{in(&v.key), in(&v.secret)}, out(&v.shared)),
		image.TweakPublic:   call([5]image.Input{in(&v.key), in(&v.digest)}, out(&v.other)),
		image.TweakSecret:   call([5]image.Input{in(&v.secret), in(&v.digest)}, out(&v.shared)),
		image.NegateSecret:  call([5]image.Input{in(&v.secret)}, out(&v.shared)),
	}
}

// rowCalls are one of each operation on rows, each of which has the same values.
func (v *values) rowCalls(count int) map[uint32]image.Call {
	calls := map[uint32]image.Call{}
	ofOne := map[uint32]uint32{
		image.RowsVerifyEcdsa: image.VerifyEcdsa, image.RowsRecover: image.Recover, image.RowsPublicKeys: image.PublicKey,
		image.RowsSignEcdsa: image.SignEcdsa, image.RowsSignSchnorr: image.SignSchnorr,
		image.RowsSharedSecrets: image.SharedSecret, image.RowsVerifySchnorr: image.VerifySchnorr,
		image.RowsTweakAddPublic: image.TweakPublic, image.RowsDecompress: image.ReadPublicKey,
	}
	one := v.calls()
	for operation, single := range ofOne {
		call := one[single]
		if operation == image.RowsVerifySchnorr {
			call.Inputs[2] = image.Input{Data: unsafe.Pointer(&v.key[1]), Width: 32}
		}
		call.Outputs[1] = image.Output{}
		if width := call.Outputs[0].Width; width > 0 {
			call.Outputs[0].Data = unsafe.Pointer(unsafe.SliceData(make([]byte, int(width)*count)))
			call.Outputs[0].Stride = width
		}
		call.Rows = uintptr(count)
		call.Verdicts = unsafe.Pointer(unsafe.SliceData(make([]byte, count)))
		calls[operation] = call
	}
	// By sums: the same rows, with their ids and randomness.
	ecdsa, schnorr := calls[image.RowsVerifyEcdsa], calls[image.RowsVerifySchnorr]
	ecdsa.Inputs[3], ecdsa.Inputs[4], schnorr.Inputs[4] = in(&v.id), in(&v.aux), in(&v.aux)
	calls[image.RowsBatchEcdsa], calls[image.RowsBatchSchnorr] = ecdsa, schnorr
	sum := image.Call{Rows: uintptr(count)}
	// Points of 65 bytes.
	sum.Inputs[0], sum.Inputs[1] = in(&v.digest), in(&v.key)
	sum.Outputs[0] = image.Output{Data: unsafe.Pointer(unsafe.SliceData(make([]byte, 33))), Stride: 33, Width: 33}
	calls[image.SumOfProducts] = sum
	return calls
}

// prepared gives a call of rows its workspace.
func prepared(call image.Call, operation, machine uint32) (image.Call, []uint64) {
	call.Operation, call.Flags, call.Machine = image.Lines, operation, machine
	call.Lines = uintptr(image.Rows(&call))
	memory := make([]uint64, 8*call.Lines+8)
	start := unsafe.Pointer(unsafe.SliceData(memory))
	call.Workspace = unsafe.Add(start, -uintptr(start)&63)
	call.Operation, call.Flags = operation, 0
	return call, memory
}

// TestStackStaysBelowItsBound: what calls use is below what the disassembly says, which is below half the frame.
func TestStackStaysBelowItsBound(t *testing.T) {
	single, rows := bounds(t, "image")
	if single*2 > 49152 || rows*2 > Size {
		t.Errorf("bounds of %d and %d", single, rows)
	}
	stack := new([Size]byte)
	used := func(bound int, name string) int {
		if Used(stack) > bound {
			t.Errorf("%s used %d bytes, above the bound of %d", name, Used(stack), bound)
		}
		return Used(stack)
	}
	for _, machine := range image.Machines() {
		v := newValues(t, machine)
		most, mostOfRows := 0, 0
		for operation, call := range v.calls() {
			call.Operation, call.Machine = operation, machine
			if verdict := Single(&call, stack); verdict != 0 {
				t.Errorf("operation %d on machine %d: %d", operation, machine, verdict)
			}
			// What aligns the stack, and the call itself.
			most = max(most, used(single+64+8, fmt.Sprint("operation ", operation)))
		}
		for _, count := range []int{1, 9, 64, 128, 256, 300} {
			for operation, call := range v.rowCalls(count) {
				call, memory := prepared(call, operation, machine)
				if status := Rows(&call, stack); status != 0 {
					t.Errorf("operation %d on machine %d: %d", operation, machine, status)
				}
				_ = memory
				mostOfRows = max(mostOfRows, used(rows+64+8, fmt.Sprint("operation ", operation)))
			}
		}
		t.Logf("machine %d: %d bytes for one item, %d for rows", machine, most, mostOfRows)
	}
}

// TestNoSecretStays: no half of a secret key, in the order of bytes of either side, is left in the stack or in the
// workspace of an operation that it went into.
func TestNoSecretStays(t *testing.T) {
	stack := new([Size]byte)
	for _, machine := range image.Machines() {
		v := newValues(t, machine)
		search := func(name string, memory []byte) {
			for _, word := range words(v.secret) {
				if at := bytes.Index(memory, word); at >= 0 {
					t.Errorf("%s on machine %d leaves a word of the secret key at %d", name, machine, at)
				}
			}
		}
		for operation, call := range v.calls() {
			call.Operation, call.Machine = operation, machine
			Single(&call, stack)
			search(fmt.Sprint("operation ", operation), stack[:])
		}
		for operation, call := range v.rowCalls(65) {
			call, memory := prepared(call, operation, machine)
			Rows(&call, stack)
			search(fmt.Sprint("operation ", operation), stack[:])
			lines := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(memory))), 8*len(memory))
			search(fmt.Sprint("the workspace of operation ", operation), lines)
		}
	}
	// The search itself: it must find a planted word.
	v := newValues(t, 0)
	planted := []byte(strings.Repeat("x", 100) + string(words(v.secret)[3]))
	if !bytes.Contains(planted, words(v.secret)[3]) {
		t.Error("a planted word is not found")
	}
}

// words are the 64-bit words of a key as they stand in memory, in both orders of bytes.
func words(key [32]byte) [][]byte {
	var words [][]byte
	for i := 0; i < 32; i += 8 {
		word := bytes.Clone(key[i : i+8])
		words = append(words, bytes.Clone(word))
		for a, b := 0, 7; a < b; a, b = a+1, b-1 {
			word[a], word[b] = word[b], word[a]
		}
		words = append(words, word)
	}
	return words
}
