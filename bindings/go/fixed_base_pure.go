//go:build !(amd64 || arm64) || purego

package phalanx

import (
	"context"
	"slices"

	"phalanx.example/phalanx/internal/pure"
)

// fixedBase is the points: plain Go makes no tables, whatever was asked for.
type fixedBase struct {
	points Column
}

func (f *fixedBase) build(ctx context.Context, points Column, count, _ int) error {
	f.points = Column{slices.Clone(points.used(count)), points.Stride, points.Width}
	for i := range count {
		var sum pure.Sum
		if sum.Add(&[32]byte{}, f.points.row(i)) != pure.Valid {
			return ErrPublicKey
		}
	}
	return ctx.Err()
}

// sums writes the sum of each vector. A verdict that is not Valid is that of a scalar.
func (f *fixedBase) sums(list *termList, sums [][33]byte, _ *workspace) Verdict {
	start := uint64(0)
	for i, end := range list.ends {
		var sum pure.Sum
		for _, term := range list.terms[start:end] {
			if verdict := sum.Add(&term.Scalar, f.points.row(term.Position)); verdict != pure.Valid {
				return verdictOf(verdict)
			}
		}
		sums[i], start = sum.Bytes(), end
	}
	return Valid
}
