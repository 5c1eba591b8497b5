//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// The functions of this file are those of compute_pure.go, by the image. Their callers have checked what lengths are not
// in the types, and a call that the image refuses all the same is an error of this package.

// inputBytes is bytes of any length.
func inputBytes(value []byte) image.Input {
	data := unsafe.Pointer(unsafe.SliceData(value))
	ffi.TouchRead(data, uintptr(len(value)))
	return image.Input{Data: data, Width: uintptr(len(value))}
}

// What a call on one item reads and writes.
type (
	inputs  = [5]image.Input
	outputs = [2]image.Output
)

// single makes a call on one item.
func single(operation, flags uint32, read inputs, written outputs) Verdict {
	call := image.Call{Operation: operation, Machine: chosen().single, Flags: flags, Inputs: read, Outputs: written}
	return verdictOf(image.Single(&call))
}

// verdictOf is our number of a verdict of the image's.
func verdictOf(number uint32) Verdict {
	if number > uint32(InvalidSignature-Valid) {
		panic(errUnreachable)
	}
	return Verdict(number) + Valid
}

func publicKey(secret *[32]byte, key *[65]byte) Verdict {
	return single(image.PublicKey, 0, inputs{ffi.Of(secret)}, outputs{ffi.To(key)})
}

func readPublicKey(bytes []byte, key *[65]byte) Verdict {
	return single(image.ReadPublicKey, 0, inputs{inputBytes(bytes)}, outputs{ffi.To(key)})
}

func readXOnly(bytes []byte, key *[65]byte) Verdict {
	return single(image.ReadXOnly, 0, inputs{inputBytes(bytes)}, outputs{ffi.To(key)})
}

func readDER(bytes []byte, lax bool, signature *[64]byte) Verdict {
	flags := uint32(0)
	if lax {
		flags = image.FlagLax
	}
	return single(image.ReadDer, flags, inputs{inputBytes(bytes)}, outputs{ffi.To(signature)})
}

func readCompact(signature *[64]byte) Verdict {
	return single(image.ReadCompact, 0, inputs{ffi.Of(signature)}, outputs{})
}

func signECDSA(digest, secret *[32]byte, signature *[64]byte, id *[1]byte) Verdict {
	return single(image.SignEcdsa, 0, inputs{ffi.Of(digest), ffi.Of(secret)}, outputs{ffi.To(signature), ffi.To(id)})
}

func verifyECDSA(digest *[32]byte, signature *[64]byte, key *[65]byte, allowHighS bool) Verdict {
	flags := uint32(0)
	if allowHighS {
		flags = image.FlagAllowHighS
	}
	return single(image.VerifyEcdsa, flags, inputs{ffi.Of(digest), ffi.Of(signature), ffi.Of(key)}, outputs{})
}

func recoverKey(digest *[32]byte, signature *[64]byte, id byte, key *[65]byte) Verdict {
	return single(image.Recover, 0, inputs{ffi.Of(digest), ffi.Of(signature), ffi.Of(&id)}, outputs{ffi.To(key)})
}

func signSchnorr(message []byte, secret, randomness *[32]byte, signature *[64]byte) Verdict {
	read := inputs{inputBytes(message), ffi.Of(secret), ffi.Of(randomness)}
	return single(image.SignSchnorr, 0, read, outputs{ffi.To(signature)})
}

func verifySchnorr(message []byte, signature *[64]byte, key *[65]byte) Verdict {
	return single(image.VerifySchnorr, 0, inputs{inputBytes(message), ffi.Of(signature), ffi.Of(key)}, outputs{})
}

func sharedSecret(key *[65]byte, secret, shared *[32]byte) Verdict {
	return single(image.SharedSecret, 0, inputs{ffi.Of(key), ffi.Of(secret)}, outputs{ffi.To(shared)})
}

func tweakPublic(key *[65]byte, tweak *[32]byte, sum *[65]byte) Verdict {
	return single(image.TweakPublic, 0, inputs{ffi.Of(key), ffi.Of(tweak)}, outputs{ffi.To(sum)})
}

func tweakSecret(secret, tweak, sum *[32]byte) Verdict {
	return single(image.TweakSecret, 0, inputs{ffi.Of(secret), ffi.Of(tweak)}, outputs{ffi.To(sum)})
}

func negateSecret(secret, negative *[32]byte) Verdict {
	return single(image.NegateSecret, 0, inputs{ffi.Of(secret)}, outputs{ffi.To(negative)})
}

func ellswiftCreate(secret, auxiliary *[32]byte, encoding *[64]byte) Verdict {
	return single(image.EllswiftCreate, 0, inputs{ffi.Of(secret), ffi.Of(auxiliary)}, outputs{ffi.To(encoding)})
}

func ellswiftEncode(key *[65]byte, randomness *[32]byte, encoding *[64]byte) Verdict {
	return single(image.EllswiftEncode, 0, inputs{ffi.Of(key), ffi.Of(randomness)}, outputs{ffi.To(encoding)})
}

func ellswiftDecode(encoding *[64]byte, key *[65]byte) Verdict {
	return single(image.EllswiftDecode, 0, inputs{ffi.Of(encoding)}, outputs{ffi.To(key)})
}

func ellswiftSecret(initiator, responder *[64]byte, secret *[32]byte, responds bool, shared *[32]byte) Verdict {
	flags := uint32(0)
	if responds {
		flags = image.FlagResponder
	}
	return single(image.EllswiftSecret, flags, inputs{ffi.Of(initiator), ffi.Of(responder), ffi.Of(secret)}, outputs{ffi.To(shared)})
}

// musigNonce is hashed from a secret key too, unless it is nil.
func musigNonce(randomness, secret *[32]byte, rest []byte, k *[64]byte, public *[66]byte) Verdict {
	read := inputs{ffi.Of(randomness), {}, inputBytes(rest)}
	if secret != nil {
		read[1] = ffi.Of(secret)
	}
	return single(image.MusigNonce, 0, read, outputs{ffi.To(k), ffi.To(public)})
}

func musigSign(k *[64]byte, secret, coefficient, factor *[32]byte, negate bool, partial *[32]byte) Verdict {
	flags := uint32(0)
	if negate {
		flags = image.FlagNegate
	}
	read := inputs{ffi.Of(k), ffi.Of(secret), ffi.Of(coefficient), ffi.Of(factor)}
	return single(image.MusigSign, flags, read, outputs{ffi.To(partial)})
}
