package phalanx

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"phalanx.example/phalanx/internal/pure"
)

// fixedPoints are compressed points, among them infinity, equal and opposite ones.
func fixedPoints(count int) [][33]byte {
	points := make([][33]byte, count)
	for i := range points {
		points[i] = secretOf(sha256Of([]byte{byte(i), byte(i >> 8)})).PublicKey().Compressed()
	}
	if count > 6 {
		points[2] = [33]byte{}
		points[4], points[6] = points[3], points[5]
		points[6][0] ^= 1
	}
	return points
}

// fixedVectors are terms in any order, some twice, with scalars at both ends of their range.
func fixedVectors(count, points int) [][]Term {
	edges := [][32]byte{{}, {31: 1}, {31: 2}, {0: 0x80}, orderLess(1), orderLess(2)}
	vectors := make([][]Term, count)
	for i := range vectors {
		for j := range i % (points + 4) {
			scalar := sha256Of([]byte{byte(i), byte(j), 7})
			if i%3 == 0 && j < len(edges) {
				scalar = edges[j]
			}
			vectors[i] = append(vectors[i], Term{(i*13 + j*7) % points, scalar})
		}
	}
	return vectors
}

// orderLess is the order of the group less a small number.
func orderLess(n byte) [32]byte {
	number := [32]byte(order)
	number[31] -= n
	return number
}

func TestFixedBaseSumsArePlainGos(t *testing.T) {
	ctx := context.Background()
	// Pieces are of 256 vectors, or 1,024 terms, at most.
	for _, test := range []struct{ points, bits, vectors int }{{1, 1, 50}, {7, 4, 270}, {40, 5, 60}, {40, 8, 60}} {
		points := fixedPoints(test.points)
		uncompressed := make([][65]byte, len(points))
		for i, point := range points {
			if point != ([33]byte{}) {
				key, _ := ParsePublicKey(point[:])
				uncompressed[i] = key.Uncompressed()
			}
		}
		vectors := fixedVectors(test.vectors, test.points)
		expected := make([][33]byte, len(vectors))
		for i, terms := range vectors {
			var sum pure.Sum
			for _, term := range terms {
				sum.Add(&term.Scalar, points[term.Position][:])
			}
			expected[i] = sum.Bytes()
		}
		for _, column := range []Column{ColumnOf(points), ColumnOf(uncompressed)} {
			base, err := NewFixedBase(ctx, column, len(points), test.bits)
			if err != nil || base.Points() != len(points) {
				t.Fatal(base, err)
			}
			for _, goroutines := range []int{0, 1, 3} {
				base.Goroutines = goroutines
				sums := make([][33]byte, len(vectors))
				if err := base.SumMany(ctx, vectors, sums); err != nil {
					t.Fatal(err)
				}
				for i := range sums {
					if sums[i] != expected[i] {
						t.Fatalf("%v, vector %d of many: %x, plain Go %x", test, i, sums[i], expected[i])
					}
				}
			}
			// The first scalars of all points, in their order.
			for _, count := range []int{0, 1, len(points) / 2, len(points)} {
				var sum pure.Sum
				scalars := make([][32]byte, count)
				for i := range scalars {
					scalars[i] = vectors[49][i%len(vectors[49])].Scalar
					sum.Add(&scalars[i], points[i][:])
				}
				if found, err := base.Sum(scalars); err != nil || found != sum.Bytes() {
					t.Fatalf("%v, %d scalars: %x, %v; plain Go %x", test, count, found, err, sum.Bytes())
				}
			}
			for i, terms := range vectors[:50] {
				if sum, err := base.SumSparse(terms); err != nil || sum != expected[i] {
					t.Fatalf("%v, vector %d: %x, %v; plain Go %x", test, i, sum, err, expected[i])
				}
			}
		}
	}
}

func TestFixedBasesThatCannotBe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	points := fixedPoints(9)
	column := ColumnOf(points)
	for _, test := range []struct{ count, bits int }{{0, 4}, {-1, 4}, {1 << 17, 4}, {9, 0}, {9, 17}, {9, -1}, {1 << 16, 8}} {
		gives(t, ErrTables)(NewFixedBase(ctx, column, test.count, test.bits))
	}
	wrong := slices.Clone(points)
	wrong[8] = [33]byte{5}
	gives(t, ErrRows)(NewFixedBase(ctx, column, 10, 4))
	gives(t, ErrRows)(NewFixedBase(ctx, Column{nil, 0, 33}, 1, 4))
	gives(t, ErrColumn)(NewFixedBase(ctx, Column{column.Data, 33, 32}, 9, 4))
	gives(t, ErrPublicKey)(NewFixedBase(ctx, ColumnOf(wrong), 9, 4))
	var none FixedBase
	empty := [][33]byte{{1}}
	if sum, err := none.Sum(nil); err != nil || sum != [33]byte{} || none.Points() != 0 {
		t.Error(sum, err)
	}
	if err := none.SumMany(ctx, make([][]Term, 1), empty); err != nil || empty[0] != [33]byte{} {
		t.Error(empty, err)
	}
	gives(t, ErrPosition)(none.SumSparse(make([]Term, 1)))
	base, err := NewFixedBase(ctx, column, 9, 4)
	if err != nil {
		t.Fatal(err)
	}
	gives(t, ErrPosition)(base.Sum(make([][32]byte, 10)))
	for _, position := range []int{-1, 9, 1 << 30} {
		gives(t, ErrPosition)(base.SumSparse([]Term{{position, [32]byte{}}}))
	}
	gives(t, ErrScalar)(base.SumSparse([]Term{{2, orderLess(0)}}))
	gives(t, nil)(base.SumSparse([]Term{{2, [32]byte{0: 0xff, 1: 0xff, 2: 0xff, 3: 0xff, 15: 0xff}}}))
	vectors := [][]Term{{{1, [32]byte{31: 1}}}, {{1, orderLess(0)}}}
	sums := [][33]byte{{1}, {1}}
	gives(t, ErrRows)(nil, base.SumMany(ctx, vectors, sums[1:]))
	gives(t, nil)(nil, base.SumMany(ctx, nil, nil))
	// Where a call fails, no sum is left.
	sums[0] = [33]byte{1}
	gives(t, ErrScalar)(sums[0], base.SumMany(ctx, vectors, sums))
	if sums[0] != ([33]byte{}) {
		t.Error(sums)
	}
	cancel()
	sums[0] = [33]byte{1}
	gives(t, context.Canceled)(sums[0], base.SumMany(ctx, vectors[:1], sums[:1]))
	if sums[0] != ([33]byte{}) {
		t.Error(sums)
	}
	gives(t, context.Canceled)(NewFixedBase(ctx, column, 9, 4))
}

// BenchmarkFixedBase is sums of so many terms, with windows of 8 bits, one at a time and beside the sum of products.
func BenchmarkFixedBase(b *testing.B) {
	ctx := context.Background()
	points, scalars := fixedPoints(256), make([][32]byte, 256)
	for i := range scalars {
		scalars[i] = sha256Of([]byte{byte(i)})
		scalars[i][0] &= 0x7f
	}
	base, err := NewFixedBase(ctx, ColumnOf(points), len(points), 8)
	if err != nil {
		b.Fatal(err)
	}
	for _, count := range []int{2, 8, 64, 256} {
		b.Run(fmt.Sprint("tables/", count), func(b *testing.B) {
			for b.Loop() {
				if _, err := base.Sum(scalars[:count]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("products/", count), func(b *testing.B) {
			bulk := Bulk{Goroutines: 1}
			for b.Loop() {
				if _, err := bulk.SumOfProducts(ctx, ColumnOf(scalars), ColumnOf(points), count); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
