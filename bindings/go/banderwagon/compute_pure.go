//go:build !(amd64 || arm64) || purego

package banderwagon

import (
	"context"

	"phalanx.example/phalanx/internal/bandersnatch"
)

// The functions of this file are those of compute_image.go, in plain Go.

// workspace is what plain Go needs no memory for.
type workspace struct{}

// Backend is the name of the backend that commitments are computed by.
func Backend() string { return "pure" }

func decode(bytes *[32]byte, element *bandersnatch.Point) (fault bandersnatch.Fault) {
	*element, fault = bandersnatch.Decode(bytes[:])
	return fault
}

func decodeUncompressed(bytes *[64]byte, element *bandersnatch.Point) (fault bandersnatch.Fault) {
	*element, fault = bandersnatch.DecodeUncompressed(bytes[:])
	return fault
}

func encodeUncompressed(element *bandersnatch.Point, bytes *[64]byte) {
	*bytes = element.EncodeUncompressed()
}

func add(a, b, sum *bandersnatch.Point) { *sum = a.Add(*b) }

func subtract(a, b, difference *bandersnatch.Point) { *difference = a.Add(b.Neg()) }

func equal(a, b *bandersnatch.Point) bool { return a.Equal(*b) }

func multiply(element *bandersnatch.Point, scalar [32]byte, _ bool, product *bandersnatch.Point) {
	*product = element.Mul(littleEndian(scalar))
}

func encode(elements []Element, out [][32]byte) {
	for i, element := range elements {
		out[i] = element.words.Encode()
	}
}

func mapToScalars(elements []Element, out []Scalar) {
	for i, element := range elements {
		out[i] = Scalar{element.words.Map()}
	}
}

// computing is the first multiples of a basis, whatever tables were asked for.
type computing struct{ multiples bandersnatch.Multiples }

func newComputing() computing { return computing{} }

func (c *computing) build(ctx context.Context, basis *Basis, _, _ int) error {
	points := make([]bandersnatch.Point, basis.Len())
	for i, element := range basis.elements {
		points[i] = element.words
	}
	c.multiples = bandersnatch.NewMultiples(points)
	return ctx.Err()
}

func (c *computing) commit(room *room, w work) {
	start := uint64(0)
	for i, end := range room.list.ends {
		var positions []int
		var scalars [][4]uint64
		for _, term := range room.list.terms[start:end] {
			positions, scalars = append(positions, term.Position), append(scalars, term.Scalar.limbs)
		}
		sum := Element{c.multiples.Sum(positions, scalars)}
		if len(w.offsets) > 0 {
			sum = sum.Add(w.offsets[i%len(w.offsets)])
		}
		if w.elements != nil {
			w.elements[i] = sum
		}
		if w.scalars != nil {
			w.scalars[i] = sum.MapToScalar()
		}
		start = end
	}
}
