package banderwagon

import (
	"context"
	"testing"

	"phalanx.example/phalanx/internal/stress"
)

// TestUnderProfilerTracerAndCollector commits on growing and shrinking stacks, and builds tables.
func TestUnderProfilerTracerAndCollector(t *testing.T) {
	basis := DrawBasis([]byte("stress"), 40)
	tables, err := NewTables(context.Background(), basis, 4)
	if err != nil {
		t.Fatal(err)
	}
	vectors := make([][]Term, 300)
	for i := range vectors {
		for position := range i % 20 {
			vectors[i] = append(vectors[i], Term{position, NewScalar(uint64(i)).Neg()})
		}
	}
	sums := make([]Element, len(vectors))
	if err := tables.CommitMany(context.Background(), vectors, sums); err != nil {
		t.Fatal(err)
	}
	one := func(i int) {
		stress.Deep(i%40, func() {
			sum, err := tables.CommitSparse(vectors[i%300])
			if err != nil || !sum.Equal(sums[i%300]) {
				t.Errorf("vector %d: %v, %v", i%300, sum, err)
			}
		})
	}
	build := func(int) {
		again, err := NewTables(context.Background(), basis, 3)
		if err != nil {
			t.Error(err)
			return
		}
		many := make([]Element, len(vectors))
		if err := again.CommitMany(context.Background(), vectors, many); err != nil {
			t.Error(err)
		}
		for i := range many {
			if !many[i].Equal(sums[i]) {
				t.Errorf("vector %d: %v", i, many[i])
			}
		}
	}
	stress.Run(t, one, one, one, build)
}
