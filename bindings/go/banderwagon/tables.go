package banderwagon

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"phalanx.example/phalanx/internal/pieces"
)

// What can be wrong with a call.
var (
	ErrBasis    = errors.New("banderwagon: a basis has 1 to 65,536 elements")
	ErrWindow   = errors.New("banderwagon: a window has 1 to 16 bits")
	ErrSize     = errors.New("banderwagon: tables have fewer than 2^26 entries")
	ErrPosition = errors.New("banderwagon: a position is not in the basis")
	ErrCount    = errors.New("banderwagon: slices that must pair up differ in length")
)

// Term is a scalar and its position in the basis.
type Term struct {
	Position int
	Scalar   Scalar
}

// Change is a position whose scalar changes.
type Change struct {
	Position int
	Old, New Scalar
}

// Tables commit over a basis by multiples of its elements. Goroutines may share them. [NewTables] and [NewVerkleTables] make
// them; the zero value has none, and its calls return [ErrBasis].
type Tables struct {
	basis *Basis
	by    computing
	// first is what all tree keys have in common; that of a basis with fewer than five elements is not used.
	first Element
	// Goroutines is how many calls on many vectors use at most; GOMAXPROCS where it is 0. It is to be set before the tables
	// are shared.
	Goroutines int
}

// NewVerkleTables computes the tables of Verkle trees, 138 MiB, on as many goroutines as may run: half a second of computing.
func NewVerkleTables(ctx context.Context) (*Tables, error) { return newTables(ctx, VerkleBasis(), 0) }

// NewTables computes tables with windows of so many bits (1 to 16; 8 is a good start). More bits take more memory and less
// time: 2^(bits-1) entries of 64 bytes for each of 253/bits windows of each element.
func NewTables(ctx context.Context, basis *Basis, bits int) (*Tables, error) {
	if bits < 1 || bits > 16 {
		return nil, ErrWindow
	}
	return newTables(ctx, basis, bits)
}

func newTables(ctx context.Context, basis *Basis, bits int) (*Tables, error) {
	n := basis.Len()
	if n < 1 || n > 1<<16 {
		return nil, ErrBasis
	}
	if bits > 0 && int64(n)*int64((253+bits-1)/bits)<<(bits-1) >= 1<<26 {
		return nil, ErrSize
	}
	tables := &Tables{basis: basis, by: newComputing()}
	if err := tables.by.build(ctx, basis, bits, 0); err != nil {
		return nil, err
	}
	first, err := tables.CommitSparse([]Term{{0, NewScalar(lengthMarker)}})
	tables.first = first
	return tables, err
}

// Basis is the basis.
func (t *Tables) Basis() *Basis { return t.basis }

// Commit is the commitment to scalars that stand at the first positions; behind them is zero.
func (t *Tables) Commit(scalars []Scalar) (Element, error) {
	if t.basis != nil && len(scalars) > t.basis.Len() {
		return Element{}, ErrPosition
	}
	terms := make([]Term, 0, len(scalars))
	for position, scalar := range scalars {
		if scalar != (Scalar{}) {
			terms = append(terms, Term{position, scalar})
		}
	}
	return t.CommitSparse(terms)
}

// CommitSparse is the sum of each term's scalar times the element at its position. Positions may come in any order, and
// repeat.
func (t *Tables) CommitSparse(terms []Term) (Element, error) {
	var sum [1]Element
	err := t.one(terms, work{elements: sum[:]})
	return sum[0], err
}

// Update is the commitment after scalars of the vector behind it have changed. What they were is trusted.
func (t *Tables) Update(commitment Element, changes []Change) (Element, error) {
	terms := make([]Term, len(changes))
	for i, change := range changes {
		terms[i] = Term{change.Position, change.New.Sub(change.Old)}
	}
	sum := [1]Element{}
	err := t.one(terms, work{offsets: []Element{commitment}, elements: sum[:]})
	return sum[0], err
}

// CommitMany writes the commitment to each vector. Many at once are faster than one after the other. The context is asked
// between pieces of about half a millisecond; what a cancelled call has not computed is the neutral element.
func (t *Tables) CommitMany(ctx context.Context, vectors [][]Term, out []Element) error {
	if len(vectors) != len(out) {
		return ErrCount
	}
	clear(out)
	return t.many(ctx, vectors, work{elements: out})
}

// UpdateMany adds to each commitment what its changes make of it.
func (t *Tables) UpdateMany(ctx context.Context, commitments []Element, changes [][]Change) error {
	if len(commitments) != len(changes) {
		return ErrCount
	}
	vectors := make([][]Term, len(changes))
	for i, changes := range changes {
		vectors[i] = make([]Term, len(changes))
		for j, change := range changes {
			vectors[i][j] = Term{change.Position, change.New.Sub(change.Old)}
		}
	}
	out := make([]Element, len(commitments))
	if err := t.many(ctx, vectors, work{offsets: commitments, elements: out}); err != nil {
		return err
	}
	copy(commitments, out)
	return nil
}

// work is what is made of the commitment to each vector: itself, or what it maps to, after an offset is added.
type work struct {
	// offsets has one element for each vector, one for all, or none.
	offsets  []Element
	elements []Element
	scalars  []Scalar
}

// piece is the work of some of the vectors.
func (w work) piece(first, end int) work {
	if len(w.offsets) > 1 {
		w.offsets = w.offsets[first:end]
	}
	if w.elements != nil {
		w.elements = w.elements[first:end]
	}
	if w.scalars != nil {
		w.scalars = w.scalars[first:end]
	}
	return w
}

// list is vectors, one behind the other.
type list struct {
	terms []Term
	ends  []uint64
}

func (l *list) push(terms []Term) {
	start := len(l.terms)
	l.terms = append(l.terms, terms...)
	rising := func(a, b Term) int { return cmp.Compare(a.Position, b.Position) }
	if added := l.terms[start:]; !slices.IsSortedFunc(added, rising) {
		slices.SortStableFunc(added, rising)
	}
	l.ends = append(l.ends, uint64(len(l.terms)))
}

func (t *Tables) check(terms []Term) error {
	if t.basis == nil {
		return ErrBasis
	}
	for i := range terms {
		if position := terms[i].Position; position < 0 || position >= t.basis.Len() {
			return ErrPosition
		}
	}
	return nil
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// room is memory that one goroutine computes in.
type room struct {
	list      list
	workspace workspace
}

func (t *Tables) one(terms []Term, w work) error {
	if err := t.check(terms); err != nil {
		return err
	}
	room := rooms.Get().(*room)
	defer rooms.Put(room)
	room.list = list{append(room.list.terms[:0], terms...), append(room.list.ends[:0], uint64(len(terms)))}
	t.by.commit(room, w)
	return nil
}

// termsOfPiece are the terms of a piece at most.
const termsOfPiece = 4096

// many cuts the vectors into pieces and computes them on goroutines.
func (t *Tables) many(ctx context.Context, vectors [][]Term, w work) error {
	if t.basis == nil {
		return ErrBasis
	}
	for _, terms := range vectors {
		if err := t.check(terms); err != nil {
			return err
		}
	}
	spans := pieces.Cut(vectors, termsOfPiece)
	return pieces.Deal(ctx, t.Goroutines, len(spans), &rooms, func(piece int, room *room) {
		span := spans[piece]
		room.list = list{room.list.terms[:0], room.list.ends[:0]}
		for _, terms := range vectors[span.First:span.End] {
			room.list.push(terms)
		}
		t.by.commit(room, w.piece(span.First, span.End))
	})
}
