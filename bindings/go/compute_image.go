//go:build (amd64 || arm64) && !purego

package phalanx

import (
	"unsafe"

	"phalanx.example/phalanx/internal/ffi"
	"phalanx.example/phalanx/internal/image"
)

// The functions of this file are those of compute_pure.go, by the image. Their callers have checked what lengths are not
// in the types, and a call that the image refuses all the same is an error of this package.

// input is bytes that the image reads.
func input[T [1]byte | [32]byte | [64]byte | [65]byte](value *T) image.Input {
	ffi.TouchRead(unsafe.Pointer(value), unsafe.Sizeof(*value))
	return image.Input{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

// output is room that the image writes to.
func output[T [1]byte | [32]byte | [64]byte | [65]byte](value *T) image.Output {
	ffi.TouchWrite(unsafe.Pointer(value), unsafe.Sizeof(*value))
	return image.Output{Data: unsafe.Pointer(value), Width: unsafe.Sizeof(*value)}
}

// inputBytes is bytes of any length.
func inputBytes(value []byte) image.Input {
	data := unsafe.Pointer(unsafe.SliceData(value))
	ffi.TouchRead(data, uintptr(len(value)))
	return image.Input{Data: data, Width: uintptr(len(value))}
}

// single makes a call on one item.
func single(call *image.Call) Verdict {
	call.Machine = chosen().single
	return verdictOf(image.Single(call))
}

// verdictOf is our number of a verdict of the image's.
func verdictOf(number uint32) Verdict {
	if number > uint32(InvalidSignature-Valid) {
		panic(errUnreachable)
	}
	return Verdict(number) + Valid
}

func publicKey(secret *[32]byte, key *[65]byte) Verdict {
	call := image.Call{Operation: image.PublicKey}
	call.Inputs[0], call.Outputs[0] = input(secret), output(key)
	return single(&call)
}

func readPublicKey(bytes []byte, key *[65]byte) Verdict {
	call := image.Call{Operation: image.ReadPublicKey}
	call.Inputs[0], call.Outputs[0] = inputBytes(bytes), output(key)
	return single(&call)
}

func readXOnly(bytes []byte, key *[65]byte) Verdict {
	call := image.Call{Operation: image.ReadXOnly}
	call.Inputs[0], call.Outputs[0] = inputBytes(bytes), output(key)
	return single(&call)
}

func readDER(bytes []byte, lax bool, signature *[64]byte) Verdict {
	call := image.Call{Operation: image.ReadDer}
	if lax {
		call.Flags = image.FlagLax
	}
	call.Inputs[0], call.Outputs[0] = inputBytes(bytes), output(signature)
	return single(&call)
}

func readCompact(signature *[64]byte) Verdict {
	call := image.Call{Operation: image.ReadCompact}
	call.Inputs[0] = input(signature)
	return single(&call)
}

func signECDSA(digest, secret *[32]byte, signature *[64]byte, id *[1]byte) Verdict {
	call := image.Call{Operation: image.SignEcdsa}
	call.Inputs[0], call.Inputs[1] = input(digest), input(secret)
	call.Outputs[0], call.Outputs[1] = output(signature), output(id)
	return single(&call)
}

func verifyECDSA(digest *[32]byte, signature *[64]byte, key *[65]byte, allowHighS bool) Verdict {
	call := image.Call{Operation: image.VerifyEcdsa}
	if allowHighS {
		call.Flags = image.FlagAllowHighS
	}
	call.Inputs[0], call.Inputs[1], call.Inputs[2] = input(digest), input(signature), input(key)
	return single(&call)
}

func recoverKey(digest *[32]byte, signature *[64]byte, id byte, key *[65]byte) Verdict {
	call := image.Call{Operation: image.Recover}
	ids := [1]byte{id}
	call.Inputs[0], call.Inputs[1], call.Inputs[2] = input(digest), input(signature), input(&ids)
	call.Outputs[0] = output(key)
	return single(&call)
}

func signSchnorr(message []byte, secret, randomness *[32]byte, signature *[64]byte) Verdict {
	call := image.Call{Operation: image.SignSchnorr}
	call.Inputs[0], call.Inputs[1], call.Inputs[2] = inputBytes(message), input(secret), input(randomness)
	call.Outputs[0] = output(signature)
	return single(&call)
}

func verifySchnorr(message []byte, signature *[64]byte, key *[65]byte) Verdict {
	call := image.Call{Operation: image.VerifySchnorr}
	call.Inputs[0], call.Inputs[1], call.Inputs[2] = inputBytes(message), input(signature), input(key)
	return single(&call)
}

func sharedSecret(key *[65]byte, secret, shared *[32]byte) Verdict {
	call := image.Call{Operation: image.SharedSecret}
	call.Inputs[0], call.Inputs[1], call.Outputs[0] = input(key), input(secret), output(shared)
	return single(&call)
}

func tweakPublic(key *[65]byte, tweak *[32]byte, sum *[65]byte) Verdict {
	call := image.Call{Operation: image.TweakPublic}
	call.Inputs[0], call.Inputs[1], call.Outputs[0] = input(key), input(tweak), output(sum)
	return single(&call)
}

func tweakSecret(secret, tweak, sum *[32]byte) Verdict {
	call := image.Call{Operation: image.TweakSecret}
	call.Inputs[0], call.Inputs[1], call.Outputs[0] = input(secret), input(tweak), output(sum)
	return single(&call)
}

func negateSecret(secret, negative *[32]byte) Verdict {
	call := image.Call{Operation: image.NegateSecret}
	call.Inputs[0], call.Outputs[0] = input(secret), output(negative)
	return single(&call)
}
