package banderwagon

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"phalanx.example/phalanx/internal/bandersnatch"
)

func random(r *rand.ChaCha8) Scalar {
	var bytes [32]byte
	_, _ = r.Read(bytes[:])
	return ReduceScalar(bytes)
}

// edges are scalars where carries and signs change.
func edges() []Scalar {
	minusOne := NewScalar(1).Neg()
	half := Scalar{bandersnatch.Words(bandersnatch.Big(bandersnatch.R).Rsh(bandersnatch.Big(bandersnatch.R), 1))}
	return []Scalar{{}, NewScalar(1), NewScalar(2), minusOne, half, half.Add(NewScalar(1)), {[4]uint64{2: 1}}}
}

// expected is what plain Go commits to.
func expected(basis *Basis, terms []Term) Element {
	points := make([]bandersnatch.Point, basis.Len())
	for i, element := range basis.elements {
		points[i] = element.words
	}
	var positions []int
	var scalars [][4]uint64
	for _, term := range terms {
		positions, scalars = append(positions, term.Position), append(scalars, term.Scalar.limbs)
	}
	return Element{bandersnatch.NewMultiples(points).Sum(positions, scalars)}
}

func TestElementsArePlainGos(t *testing.T) {
	r := rand.NewChaCha8([32]byte{1})
	last := Element{}
	for i := range 200 {
		scalar := random(r)
		if i < len(edges()) {
			scalar = edges()[i]
		}
		product := Generator().Mul(scalar)
		plain := bandersnatch.Generator.Mul(scalar.limbs)
		if !product.Equal(Element{plain}) || !Generator().MulPublic(scalar).Equal(product) {
			t.Fatalf("%v G", scalar)
		}
		if product.Bytes() != plain.Encode() || product.Uncompressed() != plain.EncodeUncompressed() {
			t.Fatalf("encodings of %v G", scalar)
		}
		if product.MapToScalar().limbs != plain.Map() {
			t.Fatalf("the scalar of %v G", scalar)
		}
		if !last.Add(product).Equal(Element{last.words.Add(plain)}) || !last.Sub(product).Equal(Element{last.words.Add(plain.Neg())}) {
			t.Fatalf("the sum with %v G", scalar)
		}
		if last.Equal(product) != last.words.Equal(plain) {
			t.Fatalf("%v and %v", last, product)
		}
		last = product
	}
}

func TestBytesAreReadAsByPlainGo(t *testing.T) {
	r := rand.NewChaCha8([32]byte{2})
	counts := [4]int{}
	for range 400 {
		var bytes [64]byte
		_, _ = r.Read(bytes[:])
		bytes[0] &= 0x7f
		point, fault := bandersnatch.Decode(bytes[:32])
		element, err := ParseElement(bytes[:32])
		if !errors.Is(err, faults[fault]) || !element.Equal(Element{point}) {
			t.Fatalf("%x: %v and %v", bytes[:32], err, fault)
		}
		counts[fault]++
		if fault == bandersnatch.None {
			bytes = element.Neg().Uncompressed()
			bytes[63] ^= byte(counts[0] % 2)
		}
		point, fault = bandersnatch.DecodeUncompressed(bytes[:])
		element, err = ParseUncompressed(bytes[:])
		if !errors.Is(err, faults[fault]) || !element.Equal(Element{point}) {
			t.Fatalf("%x: %v and %v", bytes, err, fault)
		}
	}
	for fault, count := range counts {
		if count == 0 {
			t.Errorf("no bytes with the fault %d", fault)
		}
	}
}

func TestCommitmentsArePlainGos(t *testing.T) {
	r := rand.NewChaCha8([32]byte{3})
	ctx := context.Background()
	special := []Element{Generator(), Generator(), Generator().Neg(), {}, Generator().Double()}
	bases := map[string]*Basis{"special": NewBasis(special), "ordinary": DrawBasis([]byte("a seed"), 21)}
	for name, basis := range bases {
		for _, bits := range []int{1, 4, 7} {
			tables, err := NewTables(ctx, basis, bits)
			if err != nil {
				t.Fatal(err)
			}
			var vectors [][]Term
			for n := range 40 {
				var terms []Term
				for i := range n % (basis.Len() + 3) {
					scalar := random(r)
					if i < len(edges()) && n%3 == 0 {
						scalar = edges()[i]
					}
					// In any order, and some twice.
					terms = append(terms, Term{int(r.Uint64() % uint64(basis.Len())), scalar})
				}
				vectors = append(vectors, terms)
			}
			many := make([]Element, len(vectors))
			if err := tables.CommitMany(ctx, vectors, many); err != nil {
				t.Fatal(err)
			}
			for i, terms := range vectors {
				one, err := tables.CommitSparse(terms)
				if plain := expected(basis, terms); err != nil || !one.Equal(plain) || !many[i].Equal(plain) {
					t.Fatalf("%s, %d bits, vector %d: %v, %v, %v; %v", name, bits, i, one, many[i], plain, err)
				}
			}
		}
	}
}

func TestVerkleCommitments(t *testing.T) {
	if testing.Short() {
		t.Skip("138 MiB of tables")
	}
	r := rand.NewChaCha8([32]byte{4})
	tables, err := NewVerkleTables(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 5, 6, 100, 200, 201, 256} {
		scalars := make([]Scalar, n)
		terms := make([]Term, n)
		for i := range scalars {
			scalars[i] = random(r)
			terms[i] = Term{i, scalars[i]}
		}
		commitment, err := tables.Commit(scalars)
		if err != nil || !commitment.Equal(expected(tables.Basis(), terms)) {
			t.Fatalf("%d scalars: %v, %v", n, commitment, err)
		}
		if n == 0 {
			continue
		}
		// What changes is added.
		changes := []Change{{n - 1, scalars[n-1], NewScalar(7)}, {0, scalars[0], random(r)}}
		if n == 1 {
			changes = changes[1:]
		}
		updated, err := tables.Update(commitment, changes)
		for _, change := range changes {
			terms[change.Position].Scalar = change.New
		}
		if plain := expected(tables.Basis(), terms); err != nil || !updated.Equal(plain) {
			t.Fatalf("an update of %d scalars: %v, %v", n, updated, err)
		}
		all := []Element{commitment, commitment, {}}
		err = tables.UpdateMany(context.Background(), all, [][]Change{changes, nil, changes})
		if err != nil || !all[0].Equal(updated) || !all[1].Equal(commitment) || !all[2].Equal(updated.Sub(commitment)) {
			t.Fatalf("updates of %d scalars: %v", n, err)
		}
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	gives := func(expected error) func(any, error) {
		return func(value any, err error) {
			t.Helper()
			if !errors.Is(err, expected) {
				t.Errorf("%v and the error %v, not %v", value, err, expected)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	basis := DrawBasis([]byte("small"), 3)
	tables, err := NewTables(ctx, basis, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, position := range []int{-1, 3, 1 << 30} {
		gives(ErrPosition)(tables.CommitSparse([]Term{{position, NewScalar(1)}}))
	}
	gives(ErrPosition)(tables.Commit(make([]Scalar, 4)))
	gives(ErrPosition)(tables.TreeKey(Place{TreeIndex: [32]byte{31: 1}}))
	gives(ErrCount)(nil, tables.CommitMany(ctx, make([][]Term, 2), make([]Element, 1)))
	gives(ErrCount)(nil, tables.TreeKeys(ctx, make([]Place, 2), nil))
	for _, bits := range []int{-1, 0, 17} {
		gives(ErrWindow)(NewTables(ctx, basis, bits))
	}
	gives(ErrSize)(NewTables(ctx, NewBasis(make([]Element, 1<<14)), 8))
	gives(ErrBasis)(NewTables(ctx, NewBasis(nil), 4))
	gives(ErrBasis)(NewTables(ctx, nil, 4))
	var none Tables
	gives(ErrBasis)(none.Commit(nil))
	gives(ErrBasis)(none.Commit(make([]Scalar, 1)))
	gives(ErrBasis)(none.Update(Generator(), nil))
	gives(ErrBasis)(none.TreeKey(Place{}))
	gives(ErrBasis)(nil, none.CommitMany(ctx, nil, nil))
	gives(ErrBasis)(nil, none.UpdateMany(ctx, make([]Element, 1), make([][]Change, 1)))
	order := Scalar{bandersnatch.R}.Bytes()
	gives(ErrScalar)(ParseScalar(order))
	if ReduceScalar(order) != (Scalar{}) {
		t.Error(ReduceScalar(order))
	}
	cancel()
	out := []Element{Generator()}
	gives(context.Canceled)(nil, tables.CommitMany(ctx, make([][]Term, 1), out))
	if !out[0].IsIdentity() {
		t.Error(out)
	}
	gives(context.Canceled)(NewTables(ctx, basis, 3))
}

func TestScalarsCount(t *testing.T) {
	r := rand.NewChaCha8([32]byte{5})
	for range 100 {
		a, b := random(r), random(r)
		if a.Add(b).Sub(b) != a || a.Sub(a) != (Scalar{}) || a.Neg().Neg() != a {
			t.Fatal(a, b)
		}
		if parsed, err := ParseScalar(a.Bytes()); err != nil || parsed != a {
			t.Fatal(parsed, err)
		}
	}
}
