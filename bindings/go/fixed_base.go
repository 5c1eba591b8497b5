package phalanx

import (
	"context"
	"slices"
	"sync"

	"phalanx.example/phalanx/internal/pieces"
)

// Term is a public scalar (32 bytes, big-endian, below the group order), and the position of the point that it multiplies.
type Term struct {
	Position int
	Scalar   [32]byte
}

// FixedBase computes sums of public scalars times points that never change, by tables of multiples of the points: vector
// commitments. Goroutines may share one. [NewFixedBase] makes it; the zero value has no points.
//
// Variable time: who sees how long a sum took may learn of its scalars. So a commitment that is to hide them is not for this.
type FixedBase struct {
	by     fixedBase
	points int
	// Goroutines is how many SumMany uses at most; GOMAXPROCS where it is 0. It is to be set before the tables are shared.
	Goroutines int
}

// NewFixedBase computes tables over so many points (33 or 65 bytes, all zero for infinity), on as many goroutines as may
// run. Any points are allowed. A window has 1 to 16 bits; 8 is a good start. More bits take more memory and less time:
// 2^(bits-1) entries of 64 bytes for each of the 256/bits windows (rounded up) of each point.
//
// It returns [ErrTables] for tables that cannot be, [ErrPublicKey] for what is no point, [ErrColumn] and [ErrRows].
func NewFixedBase(ctx context.Context, points Column, count, bits int) (*FixedBase, error) {
	if count < 1 || count > 1<<16 || bits < 1 || bits > 16 ||
		int64(count)*int64((256+bits-1)/bits)<<(bits-1) >= 1<<26 {
		return nil, ErrTables
	}
	if err := points.check(count, []int{33, 65}); err != nil {
		return nil, err
	}
	base := &FixedBase{points: count}
	if err := base.by.build(ctx, points, count, bits); err != nil {
		return nil, err
	}
	return base, nil
}

// Points is the number of points.
func (f *FixedBase) Points() int { return f.points }

// Sum is the sum of each scalar times the point of its position, as a compressed point, all zero for infinity. The points
// behind the last scalar count nothing. It returns [ErrPosition] for more scalars than points, and [ErrScalar].
func (f *FixedBase) Sum(scalars [][32]byte) ([33]byte, error) {
	if len(scalars) > f.points {
		return [33]byte{}, ErrPosition
	}
	list := termLists.Get().(*termList)
	defer termLists.Put(list)
	list.clear()
	for position, scalar := range scalars {
		if scalar != ([32]byte{}) {
			list.terms = append(list.terms, Term{position, scalar})
		}
	}
	list.end()
	return f.one(list)
}

// SumSparse is the sum of each term's scalar times the point at its position, as [FixedBase.Sum] has it. Positions may come
// in any order, and repeat.
func (f *FixedBase) SumSparse(terms []Term) ([33]byte, error) {
	if err := f.check(terms); err != nil {
		return [33]byte{}, err
	}
	list := termLists.Get().(*termList)
	defer termLists.Put(list)
	list.clear()
	list.terms = append(list.terms, terms...)
	list.end()
	return f.one(list)
}

// SumMany writes the sum of each vector, as [FixedBase.SumSparse] has it. Many at once are faster than one after the other.
// The context is asked between pieces, of 256 vectors or 1,024 terms; each vector is computed in one piece. Where the call
// fails, all sums are zero.
func (f *FixedBase) SumMany(ctx context.Context, vectors [][]Term, sums [][33]byte) error {
	clear(sums)
	if len(vectors) != len(sums) {
		return ErrRows
	}
	for _, vector := range vectors {
		if err := f.check(vector); err != nil {
			return err
		}
	}
	spans := pieces.Cut(vectors, termsPerPiece)
	verdicts := make([]Verdict, len(spans))
	bulk := Bulk{Goroutines: f.Goroutines}
	err := bulk.pieces(ctx, len(spans), func(piece int, memory *workspace) {
		span := spans[piece]
		list := termLists.Get().(*termList)
		defer termLists.Put(list)
		list.clear()
		for _, vector := range vectors[span.First:span.End] {
			list.terms = append(list.terms, vector...)
			list.end()
		}
		verdicts[piece] = f.sums(list, sums[span.First:span.End], memory)
	})
	if i := slices.IndexFunc(verdicts, func(verdict Verdict) bool { return verdict != Valid }); err == nil && i >= 0 {
		err = errorOfSum(verdicts[i])
	}
	if err != nil {
		clear(sums)
	}
	return err
}

const termsPerPiece = 1024

func (f *FixedBase) one(list *termList) ([33]byte, error) {
	memory := workspaces.Get().(*workspace)
	defer workspaces.Put(memory)
	var sum [1][33]byte
	if verdict := f.sums(list, sum[:], memory); verdict != Valid {
		return [33]byte{}, errorOfSum(verdict)
	}
	return sum[0], nil
}

// sums writes the sums of vectors, which are zero before. Those of no terms need no tables.
func (f *FixedBase) sums(list *termList, sums [][33]byte, memory *workspace) Verdict {
	if len(list.terms) == 0 {
		return Valid
	}
	return f.by.sums(list, sums, memory)
}

func (f *FixedBase) check(terms []Term) error {
	for i := range terms {
		if position := terms[i].Position; position < 0 || position >= f.points {
			return ErrPosition
		}
	}
	return nil
}

// errorOfSum is the error for what is wrong with a scalar or a point of a sum.
func errorOfSum(verdict Verdict) error {
	if verdict == OutOfRange {
		return ErrScalar
	}
	return verdict.Err()
}

// termList is vectors, one behind the other, and the number of terms up to the end of each.
type termList struct {
	terms []Term
	ends  []uint64
}

func (l *termList) clear() { l.terms, l.ends = l.terms[:0], l.ends[:0] }

func (l *termList) end() { l.ends = append(l.ends, uint64(len(l.terms))) }

var termLists = sync.Pool{New: func() any { return new(termList) }}
