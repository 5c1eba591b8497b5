package pure

import "github.com/decred/dcrd/dcrec/secp256k1/v4"

// Sum is a sum of products. The zero value is that of none.
type Sum struct{ point secp256k1.JacobianPoint }

// Add adds a product of a scalar and a point, which is all zero for infinity.
func (s *Sum) Add(scalar *[32]byte, point []byte) Verdict {
	var number secp256k1.ModNScalar
	if number.SetBytes(scalar) != 0 {
		return OutOfRange
	}
	infinity := true
	for _, b := range point {
		infinity = infinity && b == 0
	}
	if infinity {
		return Valid
	}
	parsed, ok := key(point)
	if !ok {
		return BadPublicKey
	}
	var base, product, sum secp256k1.JacobianPoint
	parsed.AsJacobian(&base)
	secp256k1.ScalarMultNonConst(&number, &base, &product)
	secp256k1.AddNonConst(&s.point, &product, &sum)
	s.point = sum
	return Valid
}

// Bytes is the compressed sum, all zero for infinity.
func (s *Sum) Bytes() (out [33]byte) {
	point := s.point
	var full [65]byte
	if affine(&point, &full) {
		copy(out[1:], full[1:33])
		out[0] = 2 | full[64]&1
	}
	return out
}
