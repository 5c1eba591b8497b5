package banderwagon

import (
	"context"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"
)

// TestUnderProfilerTracerAndCollector commits on growing and shrinking stacks, and builds tables, while the program is
// profiled at 5 kHz, traced and collected all the time: for a second, or for as long as PHALANX_STRESS says.
func TestUnderProfilerTracerAndCollector(t *testing.T) {
	length := time.Second
	if asked := os.Getenv("PHALANX_STRESS"); asked != "" {
		var err error
		if length, err = time.ParseDuration(asked); err != nil {
			t.Fatal(err)
		}
	}
	// The second call warns that the rate has been set, and keeps it.
	runtime.SetCPUProfileRate(5000)
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Logf("SKIPPED: profiling: %v", err)
	} else {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err != nil {
		t.Logf("SKIPPED: tracing: %v", err)
	} else {
		defer trace.Stop()
	}
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
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var all sync.WaitGroup
	start := func(work func(int)) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; ctx.Err() == nil; i++ {
				work(i)
			}
		}()
	}
	start(func(int) { runtime.GC() })
	for range 3 {
		start(func(i int) {
			// A new goroutine has a small stack, which grows at the call, below a frame that holds pointers.
			done := make(chan Element)
			go func() { done <- deep(i%40, tables, vectors[i%300]) }()
			if sum := <-done; !sum.Equal(sums[i%300]) {
				t.Errorf("vector %d: %v", i%300, sum)
			}
		})
	}
	start(func(int) {
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
	})
	all.Wait()
}

// deep commits below so many frames.
//
//go:noinline
func deep(frames int, tables *Tables, terms []Term) Element {
	if frames == 0 {
		sum, err := tables.CommitSparse(terms)
		if err != nil {
			panic(err)
		}
		return sum
	}
	held := []*Tables{tables}
	sum := deep(frames-1, held[0], terms)
	runtime.KeepAlive(held)
	return sum
}
