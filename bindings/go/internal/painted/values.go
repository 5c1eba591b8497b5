//go:build amd64 && !purego

package painted

import (
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// Values are what operations on signatures take and write: a row of each.
type Values struct {
	machine                            uint32
	Digest, Secret, Aux, Tweak, Shared [32]byte
	signature, schnorr                 [64]byte
	key, other                         [65]byte
	encoding, k                        [64]byte
	nonce                              [66]byte
	index                              [4]byte
	// Point is the key of another side.
	Point [65]byte
	id    [1]byte
}

// NewValues are values of a digest and a secret key, with what this machine makes of them.
func NewValues(machine uint32, digest, secret [32]byte) *Values {
	v := &Values{machine: machine, Digest: digest, Secret: secret, Tweak: digest}
	for _, call := range []image.Call{
		v.call(image.PublicKey, read{in(&v.Secret)}, out(&v.key)),
		v.call(image.SignEcdsa, read{in(&v.Digest), in(&v.Secret)}, out(&v.signature), out(&v.id)),
		v.call(image.SignSchnorr, read{in(&v.Digest), in(&v.Secret), in(&v.Aux)}, out(&v.schnorr)),
	} {
		if image.Single(&call) != 0 {
			panic(call.Operation)
		}
	}
	v.Point = v.key
	return v
}

type read = [5]image.Input

func in[T any](value *T) image.Input {
	return image.Input{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

func out[T any](value *T) image.Output {
	return image.Output{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

func (v *Values) call(operation uint32, inputs read, outputs ...image.Output) image.Call {
	call := image.Call{Operation: operation, Machine: v.machine, Inputs: inputs}
	copy(call.Outputs[:], outputs)
	return call
}

// Calls are one of each operation on one item.
func (v *Values) Calls() []image.Call {
	compressed := [33]byte(v.key[:33])
	compressed[0] = 2 | v.key[64]&1
	return []image.Call{
		v.call(image.PublicKey, read{in(&v.Secret)}, out(&v.other)),
		v.call(image.ReadPublicKey, read{in(&compressed)}, out(&v.other)),
		v.call(image.ReadXOnly, read{v.x()}, out(&v.other)),
		v.call(image.ReadCompact, read{in(&v.signature)}),
		v.call(image.SignEcdsa, read{in(&v.Digest), in(&v.Secret)}, out(&v.signature), out(&v.id)),
		v.call(image.VerifyEcdsa, read{in(&v.Digest), in(&v.signature), in(&v.key)}),
		v.call(image.Recover, read{in(&v.Digest), in(&v.signature), in(&v.id)}, out(&v.other)),
		v.call(image.SignSchnorr, read{in(&v.Digest), in(&v.Secret), in(&v.Aux)}, out(&v.schnorr)),
		v.call(image.VerifySchnorr, read{in(&v.Digest), in(&v.schnorr), in(&v.key)}),
		v.call(image.SharedSecret, read{in(&v.Point), in(&v.Secret)}, out(&v.Shared)),
		v.call(image.TweakPublic, read{in(&v.Point), in(&v.Tweak)}, out(&v.other)),
		v.call(image.TweakSecret, read{in(&v.Secret), in(&v.Tweak)}, out(&v.Shared)),
		v.call(image.NegateSecret, read{in(&v.Secret)}, out(&v.Shared)),
		v.call(image.EllswiftEncode, read{in(&v.Point), in(&v.Aux)}, out(&v.encoding)),
		v.call(image.EllswiftCreate, read{in(&v.Secret), in(&v.Aux)}, out(&v.encoding)),
		v.call(image.EllswiftDecode, read{in(&v.encoding)}, out(&v.other)),
		v.call(image.EllswiftSecret, read{in(&v.encoding), in(&v.encoding), in(&v.Secret)}, out(&v.Shared)),
		v.call(image.MusigNonce, read{in(&v.Tweak), in(&v.Secret), in(&v.Digest)}, out(&v.k), out(&v.nonce)),
		v.call(image.MusigSign, read{in(&v.k), in(&v.Secret), in(&v.Secret), in(&v.Secret)}, out(&v.Shared)),
		v.call(image.SilentLabel, read{in(&v.Secret), in(&v.index)}, out(&v.Shared)),
		v.call(image.SilentTweak, read{in(&v.Point), in(&v.Secret), in(&v.index)}, out(&v.Shared)),
	}
}

func (v *Values) x() image.Input { return in((*[32]byte)(v.key[1:33])) }

// RowCalls are one of each operation on rows, each of which has the same values.
func (v *Values) RowCalls(count int) []image.Call {
	children := v.call(image.RowsDeriveChildren, read{in(&v.key), in(&v.Digest), in(&v.index)}, rowsOut(129, count))
	// The kind of a taproot key.
	children.Flags = 3
	calls := []image.Call{
		v.call(image.RowsVerifyEcdsa, read{in(&v.Digest), in(&v.signature), in(&v.key)}),
		v.call(image.RowsVerifySchnorr, read{in(&v.Digest), in(&v.schnorr), v.x()}),
		v.call(image.RowsRecover, read{in(&v.Digest), in(&v.signature), in(&v.id)}, rowsOut(65, count)),
		v.call(image.RowsPublicKeys, read{in(&v.Secret)}, rowsOut(65, count)),
		v.call(image.RowsSignEcdsa, read{in(&v.Digest), in(&v.Secret)}, rowsOut(64, count)),
		v.call(image.RowsSignSchnorr, read{in(&v.Digest), in(&v.Secret), in(&v.Aux)}, rowsOut(64, count)),
		v.call(image.RowsSharedSecrets, read{in(&v.Point), in(&v.Secret)}, rowsOut(32, count)),
		v.call(image.RowsTweakAddPublic, read{in(&v.Point), in(&v.Tweak)}, rowsOut(65, count)),
		v.call(image.RowsDecompress, read{in(&v.key)}, rowsOut(65, count)),
		// By sums: the same rows, with their ids and randomness.
		v.call(image.RowsBatchEcdsa, read{in(&v.Digest), in(&v.signature), in(&v.key), in(&v.id), in(&v.Aux)}),
		v.call(image.RowsBatchSchnorr, read{in(&v.Digest), in(&v.schnorr), v.x(), {}, in(&v.Aux)}),
		v.call(image.RowsSenders, read{in(&v.Digest), in(&v.signature), in(&v.id)}, rowsOut(20, count)),
		children,
		v.call(image.RowsSilent, read{in(&v.Point), {Stride: 32}, offsets(count), in(&v.Secret), in(&v.key)},
			rowsOut(1, count)),
		// Points of 65 bytes.
		v.call(image.SumOfProducts, read{in(&v.Digest), in(&v.key)}, rowsOut(33, 1)),
	}
	for i := range calls {
		call := &calls[i]
		call.Rows, call.Verdicts = uintptr(count), rowsOut(1, count).Data
		lines := *call
		lines.Operation, lines.Flags = image.Lines, call.Operation
		lend(call, image.Rows(&lines))
	}
	return calls
}

// offsets are those of so many rows without outputs.
func offsets(count int) image.Input {
	words := make([]uint64, count+1)
	return image.Input{Data: unsafe.Pointer(unsafe.SliceData(words)), Stride: 8, Width: uintptr(8 * len(words))}
}

// rowsOut is room for so many values of so many bytes.
func rowsOut(width, count int) image.Output {
	data := unsafe.Pointer(unsafe.SliceData(make([]byte, width*count)))
	return image.Output{Data: data, Stride: uintptr(width), Width: uintptr(width)}
}

// lend gives a call so many lines to compute in, which it keeps.
func lend(call *ffi.Call, lines uint32) {
	call.Workspace, call.Lines = ffi.Aligned(make([][8]uint64, lines+1)), uintptr(lines)
}
