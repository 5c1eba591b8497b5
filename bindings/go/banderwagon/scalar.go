package banderwagon

import (
	"encoding/binary"
	"encoding/hex"
	"errors"

	"phalanx.example/phalanx/internal/bandersnatch"
)

// ErrScalar is the error for 32 bytes that are not below the order of the group.
var ErrScalar = errors.New("banderwagon: a scalar is not below the group order")

// Scalar is a number modulo the order of the group, a prime of 253 bits. The zero value is zero. Scalars can be compared by
// ==.
type Scalar struct{ limbs [4]uint64 }

// NewScalar is a small number.
func NewScalar(n uint64) Scalar { return Scalar{[4]uint64{n}} }

// ParseScalar reads 32 little-endian bytes, as the specification of Verkle trees has them. It returns [ErrScalar] where they
// are not below the order.
func ParseScalar(bytes [32]byte) (Scalar, error) {
	limbs := littleEndian(bytes)
	if !bandersnatch.Less(limbs, bandersnatch.R) {
		return Scalar{}, ErrScalar
	}
	return Scalar{limbs}, nil
}

// ReduceScalar is the number of 32 little-endian bytes modulo the order.
func ReduceScalar(bytes [32]byte) Scalar {
	return Scalar{bandersnatch.ReduceScalar(littleEndian(bytes))}
}

// Bytes are 32 little-endian bytes.
func (s Scalar) Bytes() (bytes [32]byte) {
	for i, limb := range s.limbs {
		binary.LittleEndian.PutUint64(bytes[8*i:], limb)
	}
	return bytes
}

// String is the bytes in hex.
func (s Scalar) String() string {
	bytes := s.Bytes()
	return hex.EncodeToString(bytes[:])
}

// Add is the sum.
func (s Scalar) Add(other Scalar) Scalar {
	// Both are below 2^253.
	return Scalar{bandersnatch.ReduceScalar(bandersnatch.Plus(s.limbs, other.limbs))}
}

// Sub is the difference.
func (s Scalar) Sub(other Scalar) Scalar { return s.Add(other.Neg()) }

// Neg is the negative.
func (s Scalar) Neg() Scalar {
	if s == (Scalar{}) {
		return s
	}
	return Scalar{bandersnatch.Minus(bandersnatch.R, s.limbs)}
}

func littleEndian(bytes [32]byte) (words [4]uint64) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	return words
}

// half is the number of 16 little-endian bytes.
func half(bytes []byte) Scalar {
	return Scalar{[4]uint64{binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:])}}
}
