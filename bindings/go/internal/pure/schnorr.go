package pure

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"phalanx.example/phalanx/internal/tagged"
)

// Tagged is the tagged hash of BIP-340.
func Tagged(tag string, parts ...[]byte) [32]byte { return tagged.Hash(tag, parts...) }

// reduced is a hash modulo the order.
func reduced(hash [32]byte) secp256k1.ModNScalar {
	var scalar secp256k1.ModNScalar
	scalar.SetBytes(&hash)
	return scalar
}

// multiple is a multiple of the generator: its x, and whether its y is odd.
func multiple(scalar *secp256k1.ModNScalar) ([32]byte, bool) {
	var point secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(scalar, &point)
	point.ToAffine()
	return *point.X.Bytes(), point.Y.IsOdd()
}

// SignSchnorr signs a message of any length by BIP-340.
func SignSchnorr(message []byte, secret, randomness *[32]byte, out *[64]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	x, odd := multiple(&scalar)
	if odd {
		scalar.Negate()
	}
	seed := scalar.Bytes()
	for i, mask := range Tagged("BIP0340/aux", randomness[:]) {
		seed[i] ^= mask
	}
	nonce := reduced(Tagged("BIP0340/nonce", seed[:], x[:], message))
	r, odd := multiple(&nonce)
	if odd {
		nonce.Negate()
	}
	challenge := reduced(Tagged("BIP0340/challenge", r[:], x[:], message))
	s := challenge.Mul(&scalar).Add(&nonce).Bytes()
	copy(out[:32], r[:])
	copy(out[32:], s[:])
	scalar.Zero()
	nonce.Zero()
	clear(seed[:])
	return Valid
}

// VerifySchnorr verifies a signature of BIP-340 by a key whose x counts.
func VerifySchnorr(message []byte, signature *[64]byte, encoded []byte) Verdict {
	key, ok := key(encoded)
	if !ok {
		return BadPublicKey
	}
	var r secp256k1.FieldVal
	var s secp256k1.ModNScalar
	if r.SetByteSlice(signature[:32]) || s.SetByteSlice(signature[32:]) {
		return OutOfRange
	}
	x := key.SerializeCompressed()[1:]
	even, ok := evenPoint(x)
	if !ok {
		return BadPublicKey
	}
	challenge := reduced(Tagged("BIP0340/challenge", signature[:32], x, message))
	challenge.Negate()
	var sG, eP, nonce secp256k1.JacobianPoint
	secp256k1.ScalarBaseMultNonConst(&s, &sG)
	secp256k1.ScalarMultNonConst(&challenge, even, &eP)
	secp256k1.AddNonConst(&sG, &eP, &nonce)
	if (nonce.X.IsZero() && nonce.Y.IsZero()) || nonce.Z.IsZero() {
		return InvalidSignature
	}
	nonce.ToAffine()
	if nonce.Y.IsOdd() || !nonce.X.Equals(&r) {
		return InvalidSignature
	}
	return Valid
}

// evenPoint is the point with this x and even y.
func evenPoint(x []byte) (*secp256k1.JacobianPoint, bool) {
	key, ok := key(append([]byte{2}, x...))
	if !ok {
		return nil, false
	}
	var point secp256k1.JacobianPoint
	key.AsJacobian(&point)
	return &point, true
}
