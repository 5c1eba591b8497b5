package pure

import "github.com/decred/dcrd/dcrec/secp256k1/v4"

// MusigNonce computes the two numbers of a nonce of MuSig2 and its public half, from randomness, a secret key or nil, and what
// else is hashed.
func MusigNonce(randomness, secret *[32]byte, rest []byte, k *[64]byte, public *[66]byte) Verdict {
	mask := *randomness
	if secret != nil {
		if _, ok := secretScalar(secret); !ok {
			return MalformedRow
		}
		mask = Tagged("MuSig/aux", randomness[:])
		for i := range mask {
			mask[i] ^= secret[i]
		}
	}
	for i := range 2 {
		number := reduced(Tagged("MuSig/nonce", mask[:], rest, []byte{byte(i)}))
		bytes := number.Bytes()
		copy(k[32*i:], bytes[:])
		x, odd := multiple(&number)
		public[33*i] = 2
		if odd {
			public[33*i] = 3
		}
		copy(public[33*i+1:], x[:])
	}
	return Valid
}

// MusigSign computes a partial signature of MuSig2 from the two numbers of a nonce, the secret key, the coefficient of the
// nonce and the factor of the key.
func MusigSign(k *[64]byte, secret, coefficient, factor *[32]byte, negate bool, partial *[32]byte) Verdict {
	scalar, ok := secretScalar(secret)
	if !ok {
		return MalformedRow
	}
	var first, second, b, f secp256k1.ModNScalar
	first.SetByteSlice(k[:32])
	second.SetByteSlice(k[32:])
	if b.SetBytes(coefficient) != 0 || f.SetBytes(factor) != 0 {
		return OutOfRange
	}
	nonce := second.Mul(&b).Add(&first)
	if negate {
		nonce.Negate()
	}
	scalar.Mul(&f).Add(nonce).PutBytes(partial)
	nonce.Zero()
	first.Zero()
	return Valid
}
