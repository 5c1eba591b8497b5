// Package pure computes by pure Go packages what the image computes: for architectures without an image, and for the
// build tag purego. Verdicts and outputs are the same, which tests hold; time that depends on no secret is not promised.
package pure

import (
	"crypto/sha256"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
)

// Verdict has the numbers of the library in Rust.
type Verdict uint8

// The verdicts, in the order of checks.
const (
	Valid Verdict = iota
	MalformedRow
	BadPublicKey
	BadSignatureEncoding
	OutOfRange
	HighS
	InvalidSignature
)

// key reads a key of SEC 1, but no hybrid one.
func key(bytes []byte) (*secp256k1.PublicKey, bool) {
	if len(bytes) == 0 || bytes[0] > 4 {
		return nil, false
	}
	parsed, err := secp256k1.ParsePubKey(bytes)
	return parsed, err == nil
}

// secretScalar reads a secret key.
func secretScalar(bytes *[32]byte) (secp256k1.ModNScalar, bool) {
	var scalar secp256k1.ModNScalar
	overflow := scalar.SetBytes(bytes)
	return scalar, overflow == 0 && !scalar.IsZero()
}

// affine writes a point, unless it is infinity.
func affine(point *secp256k1.JacobianPoint, out *[65]byte) bool {
	if (point.X.IsZero() && point.Y.IsZero()) || point.Z.IsZero() {
		return false
	}
	point.ToAffine()
	copy(out[:], secp256k1.NewPublicKey(&point.X, &point.Y).SerializeUncompressed())
	return true
}

// PublicKey computes the public key of a secret key.
func PublicKey(secret *[32]byte, out *[65]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&scalar, &point)
	affine(&point, out)
	return Valid
}

// ReadPublicKey reads a key of SEC 1.
func ReadPublicKey(bytes []byte, out *[65]byte) Verdict {
	key, ok := key(bytes)
	if !ok {
		return BadPublicKey
	}
	copy(out[:], key.SerializeUncompressed())
	return Valid
}

// ReadXOnly reads a key of BIP-340.
func ReadXOnly(bytes []byte, out *[65]byte) Verdict {
	if len(bytes) != 32 {
		return BadPublicKey
	}
	return ReadPublicKey(append([]byte{2}, bytes...), out)
}

// ReadDER reads a signature of DER.
func ReadDER(bytes []byte, lax bool, out *[64]byte) Verdict {
	read := readStrict
	if lax {
		read = readLax
	}
	numbers, verdict := read(bytes)
	if verdict != Valid {
		return verdict
	}
	compact := [64]byte(append(numbers[0][:], numbers[1][:]...))
	if verdict := ReadCompact(&compact); verdict != Valid {
		return verdict
	}
	*out = compact
	return Valid
}

// ReadCompact checks the ranges of r and s.
func ReadCompact(signature *[64]byte) Verdict {
	_, _, verdict := numbers(signature)
	return verdict
}

func numbers(signature *[64]byte) (r, s secp256k1.ModNScalar, verdict Verdict) {
	if r.SetByteSlice(signature[:32]) || s.SetByteSlice(signature[32:]) || r.IsZero() || s.IsZero() {
		return r, s, OutOfRange
	}
	return r, s, Valid
}

// SignECDSA signs by the nonce of RFC 6979, with low s.
func SignECDSA(digest, secret *[32]byte, out *[64]byte, id *[1]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	// RFC 6979 makes nonces of the digest modulo the order, decred's of what it is given.
	var z secp256k1.ModNScalar
	z.SetBytes(digest)
	reduced := z.Bytes()
	signature := ecdsa.SignCompact(secp256k1.NewPrivateKey(&scalar), reduced[:], false)
	id[0] = signature[0] - 27
	copy(out[:], signature[1:])
	return Valid
}

// VerifyECDSA verifies a signature.
func VerifyECDSA(digest *[32]byte, signature *[64]byte, encoded []byte, allowHighS bool) Verdict {
	key, ok := key(encoded)
	if !ok {
		return BadPublicKey
	}
	r, s, verdict := numbers(signature)
	switch {
	case verdict != Valid:
		return verdict
	case !allowHighS && s.IsOverHalfOrder():
		return HighS
	case !ecdsa.NewSignature(&r, &s).Verify(digest[:], key):
		return InvalidSignature
	}
	return Valid
}

// Recover finds the public key of a signature.
func Recover(digest *[32]byte, signature *[64]byte, id byte, out *[65]byte) Verdict {
	if verdict := ReadCompact(signature); verdict != Valid {
		return verdict
	}
	if id > 3 {
		return OutOfRange
	}
	key, _, err := ecdsa.RecoverCompact(append([]byte{27 + id}, signature[:]...), digest[:])
	if err != nil {
		return InvalidSignature
	}
	copy(out[:], key.SerializeUncompressed())
	return Valid
}

// SharedSecret is the SHA-256 of the compressed shared point.
func SharedSecret(encoded []byte, secret, out *[32]byte) Verdict {
	key, ok := key(encoded)
	if !ok {
		return BadPublicKey
	}
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	var point, shared secp256k1.JacobianPoint
	key.AsJacobian(&point)
	secp256k1.ScalarMultNonConst(&scalar, &point, &shared)
	shared.ToAffine()
	*out = sha256.Sum256(secp256k1.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed())
	return Valid
}

// TweakPublic adds a multiple of the generator.
func TweakPublic(encoded []byte, tweak *[32]byte, out *[65]byte) Verdict {
	key, ok := key(encoded)
	if !ok {
		return BadPublicKey
	}
	var scalar secp256k1.ModNScalar
	if scalar.SetBytes(tweak) != 0 {
		return MalformedRow
	}
	var point, multiple, sum secp256k1.JacobianPoint
	key.AsJacobian(&point)
	secp256k1.ScalarBaseMultNonConst(&scalar, &multiple)
	secp256k1.AddNonConst(&point, &multiple, &sum)
	if !affine(&sum, out) {
		return MalformedRow
	}
	return Valid
}

// TweakSecret adds two numbers modulo the order.
func TweakSecret(secret, tweak, out *[32]byte) Verdict {
	scalar, ok := secretScalar(secret)
	var other secp256k1.ModNScalar
	if !ok || other.SetBytes(tweak) != 0 || scalar.Add(&other).IsZero() {
		return MalformedRow
	}
	scalar.PutBytes(out)
	return Valid
}

// NegateSecret is n - d.
func NegateSecret(secret, out *[32]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	scalar.Negate().PutBytes(out)
	return Valid
}
