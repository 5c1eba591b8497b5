// Package stress is for tests: it makes calls over and over while the program is profiled at 5 kHz, traced and collected.
package stress

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

// Run calls each work with 0, 1, 2 and so on, on a goroutine of its own: for a second, or for as long as PHALANX_STRESS
// says.
func Run(t *testing.T, works ...func(i int)) {
	t.Helper()
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
		os.Stderr.WriteString("SKIPPED: profiling: " + err.Error() + "\n")
	} else {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err != nil {
		os.Stderr.WriteString("SKIPPED: tracing: " + err.Error() + "\n")
	} else {
		defer trace.Stop()
	}
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var all sync.WaitGroup
	for _, work := range append(works, func(int) { runtime.GC() }) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; ctx.Err() == nil; i++ {
				work(i)
			}
		}()
	}
	all.Wait()
}

// Deep calls work below so many frames, each of which holds a pointer, on a goroutine whose stack is small: it grows at the
// call.
func Deep(frames int, work func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		below(frames, work)
	}()
	<-done
}

//go:noinline
func below(frames int, work func()) {
	if frames == 0 {
		work()
		return
	}
	held := []*int{&frames}
	below(*held[0]-1, work)
	runtime.KeepAlive(held)
}
