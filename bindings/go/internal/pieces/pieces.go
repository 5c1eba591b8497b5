// Package pieces cuts a call on many rows or vectors into pieces, and deals them to goroutines.
package pieces

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Deal calls work with the number of each piece, on so many goroutines (GOMAXPROCS where it is 0), each with memory of its
// own from the pool, which has pointers to M. It asks the context between two pieces.
func Deal[M any](ctx context.Context, goroutines, count int, memories *sync.Pool, work func(piece int, memory *M)) error {
	var next atomic.Int64
	compute := func() {
		memory := memories.Get().(*M)
		defer memories.Put(memory)
		for ctx.Err() == nil {
			piece := int(next.Add(1)) - 1
			if piece >= count {
				return
			}
			work(piece, memory)
		}
	}
	if goroutines <= 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	var others sync.WaitGroup
	for range min(goroutines, count) - 1 {
		others.Add(1)
		go func() {
			defer others.Done()
			compute()
		}()
	}
	if count > 0 {
		compute()
	}
	others.Wait()
	return ctx.Err()
}

// Vectors is how many vectors a piece has at most.
const Vectors = 256

// Span is the vectors from First on, and before End.
type Span struct{ First, End int }

// Cut makes pieces of vectors, each of which has no more than so many terms in all, but where one vector alone has more.
func Cut[T any](vectors [][]T, terms int) (spans []Span) {
	for first := 0; first < len(vectors); {
		end, count := first, 0
		for end < len(vectors) && end-first < Vectors && (end == first || count+len(vectors[end]) <= terms) {
			count += len(vectors[end])
			end++
		}
		spans = append(spans, Span{first, end})
		first = end
	}
	return spans
}
