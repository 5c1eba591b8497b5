package banderwagon

import (
	"encoding/hex"
	"errors"

	"phalanx.example/phalanx/internal/bandersnatch"
)

// Why bytes are not an element.
var (
	ErrNotCanonical = errors.New("banderwagon: a coordinate is not below the modulus of the field")
	ErrNotOnCurve   = errors.New("banderwagon: the coordinates are of no point of the curve")
	ErrNotInGroup   = errors.New("banderwagon: the point is on the curve but not in the group")
	ErrLength       = errors.New("banderwagon: an element is encoded in 32 bytes, or in 64 uncompressed")
)

var faults = [...]error{nil, ErrNotCanonical, ErrNotOnCurve, ErrNotInGroup}

// Element is an element of the group. The zero value is the neutral element. Elements that are the same may differ in
// memory: compare them by [Element.Equal], not by ==.
type Element struct{ words bandersnatch.Point }

// Generator is the generator of the group.
func Generator() Element { return Element{bandersnatch.Generator} }

// ParseElement reads 32 bytes, and checks that they are an element: of the group, in its one encoding.
func ParseElement(bytes []byte) (Element, error) {
	if len(bytes) != 32 {
		return Element{}, ErrLength
	}
	var element Element
	fault := decode((*[32]byte)(bytes), &element.words)
	return element, faults[fault]
}

// ParseUncompressed reads x and y of either of an element's two points, 32 big-endian bytes each, and checks them likewise.
func ParseUncompressed(bytes []byte) (Element, error) {
	if len(bytes) != 64 {
		return Element{}, ErrLength
	}
	var element Element
	fault := decodeUncompressed((*[64]byte)(bytes), &element.words)
	return element, faults[fault]
}

// Bytes is the encoding: x, big-endian, of the point whose y is above (p - 1) / 2.
func (e Element) Bytes() [32]byte {
	var bytes [1][32]byte
	Encode([]Element{e}, bytes[:])
	return bytes[0]
}

// Uncompressed is x and y of the point of odd order, 32 big-endian bytes each.
func (e Element) Uncompressed() (bytes [64]byte) {
	encodeUncompressed(&e.words, &bytes)
	return bytes
}

// String is the encoding in hex.
func (e Element) String() string {
	bytes := e.Bytes()
	return hex.EncodeToString(bytes[:])
}

// Add is the sum.
func (e Element) Add(other Element) (sum Element) {
	add(&e.words, &other.words, &sum.words)
	return sum
}

// Sub is the difference.
func (e Element) Sub(other Element) (difference Element) {
	subtract(&e.words, &other.words, &difference.words)
	return difference
}

// Neg is the negative.
func (e Element) Neg() Element { return Element{}.Sub(e) }

// Double is twice the element.
func (e Element) Double() Element { return e.Add(e) }

// Equal says whether the two are the same element.
func (e Element) Equal(other Element) bool { return equal(&e.words, &other.words) }

// IsIdentity says whether this is the neutral element.
func (e Element) IsIdentity() bool { return e.Equal(Element{}) }

// Mul is the element times a scalar, in the same time for all of them where the image computes.
func (e Element) Mul(scalar Scalar) (product Element) {
	multiply(&e.words, scalar.Bytes(), false, &product.words)
	return product
}

// MulPublic is the same, faster, in a time that depends on the scalar.
func (e Element) MulPublic(scalar Scalar) (product Element) {
	multiply(&e.words, scalar.Bytes(), true, &product.words)
	return product
}

// MapToScalar is x / y modulo the order: how the commitment of a node becomes a scalar of the node above it.
func (e Element) MapToScalar() Scalar {
	var scalar [1]Scalar
	MapToScalars([]Element{e}, scalar[:])
	return scalar[0]
}

// Encode writes the encoding of each element, with one inversion for many. It panics where the slices differ in length, as
// [MapToScalars].
func Encode(elements []Element, out [][32]byte) {
	if len(elements) != len(out) {
		panic(ErrCount)
	}
	encode(elements, out)
}

// MapToScalars writes what [Element.MapToScalar] gives of each element, with one inversion for many.
func MapToScalars(elements []Element, out []Scalar) {
	if len(elements) != len(out) {
		panic(ErrCount)
	}
	mapToScalars(elements, out)
}
