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
	ctx, cancel := context.WithCancel(context.Background())
	basis := DrawBasis([]byte("small"), 3)
	tables, err := NewTables(ctx, basis, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, position := range []int{-1, 3, 1 << 30} {
		if _, err := tables.CommitSparse([]Term{{position, NewScalar(1)}}); !errors.Is(err, ErrPosition) {
			t.Error(position, err)
		}
	}
	if _, err := tables.Commit(make([]Scalar, 4)); !errors.Is(err, ErrPosition) {
		t.Error(err)
	}
	if err := tables.CommitMany(ctx, make([][]Term, 2), make([]Element, 1)); !errors.Is(err, ErrCount) {
		t.Error(err)
	}
	if err := tables.TreeKeys(ctx, make([]Place, 2), nil); !errors.Is(err, ErrCount) {
		t.Error(err)
	}
	if _, err := tables.TreeKey(Place{TreeIndex: [32]byte{31: 1}}); !errors.Is(err, ErrPosition) {
		t.Error(err)
	}
	for _, bits := range []int{-1, 0, 17} {
		if _, err := NewTables(ctx, basis, bits); !errors.Is(err, ErrWindow) {
			t.Error(bits, err)
		}
	}
	if _, err := NewTables(ctx, NewBasis(make([]Element, 1<<14)), 8); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
	if _, err := NewTables(ctx, NewBasis(nil), 4); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if _, err := NewTables(ctx, nil, 4); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	var none Tables
	if _, err := none.Commit(nil); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if _, err := none.Commit(make([]Scalar, 1)); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if _, err := none.Update(Generator(), nil); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if err := none.CommitMany(ctx, nil, nil); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if err := none.UpdateMany(ctx, make([]Element, 1), make([][]Change, 1)); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	if _, err := none.TreeKey(Place{}); !errors.Is(err, ErrBasis) {
		t.Error(err)
	}
	over, one := bandersnatch.R, [32]byte{}
	for i, limb := range over {
		for j := range 8 {
			one[8*i+j] = byte(limb >> (8 * j))
		}
	}
	if _, err := ParseScalar(one); !errors.Is(err, ErrScalar) || ReduceScalar(one) != (Scalar{}) {
		t.Error(err)
	}
	cancel()
	out := []Element{Generator()}
	if err := tables.CommitMany(ctx, make([][]Term, 1), out); !errors.Is(err, context.Canceled) || !out[0].IsIdentity() {
		t.Error(err, out)
	}
	if _, err := NewTables(ctx, basis, 3); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
