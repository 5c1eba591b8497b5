package phalanx

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

// TestUnderProfilerTracerAndCollector computes on growing and shrinking stacks while the program is profiled at 5 kHz,
// traced and collected all the time: for a second, or for as long as PHALANX_STRESS says.
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
		skipped(t, "profiling", err.Error())
	} else {
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err != nil {
		skipped(t, "tracing", err.Error())
	} else {
		defer trace.Stop()
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
	secret := secretOf([32]byte{9: 9})
	key, digest := secret.PublicKey(), [32]byte{1}
	signature, _ := secret.SignDigest(digest)
	for range 3 {
		start(func(i int) {
			// A new goroutine has a small stack, which grows at the call, below a frame that holds pointers.
			done := make(chan error)
			go func() { done <- deep(i%40, digest, signature, key) }()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
	start(func(i int) {
		digests, signatures, keys := columnsOfGoodRows(200)
		verdicts := make([]Verdict, 200)
		bulk := Bulk{Goroutines: 3}
		if err := bulk.VerifyECDSA(context.Background(), digests, signatures, keys, RequireLowS, verdicts); err != nil {
			t.Error(err)
		}
		for i, verdict := range verdicts {
			if verdict != Valid {
				t.Errorf("row %d is %v", i, verdict)
			}
		}
		if again, err := secret.SignDigest(digest); err != nil || again != signature {
			t.Error("another signature")
		}
	})
	all.Wait()
}

// deep verifies below so many frames.
//
//go:noinline
func deep(frames int, digest [32]byte, signature Signature, key PublicKey) error {
	if frames == 0 {
		return Verify(digest, signature, key, RequireLowS)
	}
	held := []*Signature{&signature}
	err := deep(frames-1, digest, *held[0], key)
	runtime.KeepAlive(held)
	return err
}
