// Command bench measures this package beside decred's secp256k1, btcec's Schnorr signatures and, with cgo, go-ethereum's
// libsecp256k1. Each round runs every contender for a few milliseconds, one after the other, so that they share what the
// machine does meanwhile; what is printed are medians of the rounds' ratios.
//
//	CGO_ENABLED=1 go run .
//
// With -rust PROGRAM, where PROGRAM is the example go_peer of the crate phalanx-go-image, bulk verification is measured
// beside the library in Rust on one thread too. With -commitments, commitments over the Verkle basis are measured beside
// go-ipa instead; its tables take 334 MiB.
package main

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"

	"phalanx.example/phalanx"
)

// contender is one implementation of an operation: what one call takes is measured, divided by its rows. A peer in
// another process measures itself.
type contender struct {
	name string
	rows int
	call func()
	peer func() float64
}

// contest is an operation with its contenders, of which the first is this package.
type contest struct {
	name       string
	contenders []contender
}

func main() {
	rounds := flag.Int("rounds", 101, "rounds of each contest")
	slice := flag.Duration("slice", 2*time.Millisecond, "time of a contender in a round, at least one call")
	only := flag.String("only", "", "the one contest to run, by its name")
	rust := flag.String("rust", "", "the program go_peer")
	wagon := flag.Bool("commitments", false, "measure commitments beside go-ipa, and nothing else")
	flag.Parse()
	fmt.Printf("backend %s, medians of %d rounds; ratios are times of the other divided by ours\n", phalanx.Backend(), *rounds)
	var all []contest
	if *wagon {
		all = commitments()
	} else {
		all = contests()
	}
	if *rust != "" {
		addRust(all, *rust)
	}
	for _, contest := range all {
		if *only == "" || *only == contest.name {
			contest.run(*rounds, *slice)
		}
	}
}

func (c contest) run(rounds int, slice time.Duration) {
	times := make([][]float64, len(c.contenders))
	for range rounds {
		for i, contender := range c.contenders {
			times[i] = append(times[i], contender.measure(slice))
		}
	}
	fmt.Printf("%-28s %10.0f ns", c.name, median(times[0]))
	for i, contender := range c.contenders[1:] {
		ratios := make([]float64, rounds)
		for round := range ratios {
			ratios[round] = times[i+1][round] / times[0][round]
		}
		fmt.Printf("   %s %.2fx", contender.name, median(ratios))
	}
	fmt.Println()
}

// measure is the nanoseconds of a row.
func (c contender) measure(slice time.Duration) float64 {
	if c.peer != nil {
		calls, sum, start := 0, 0.0, time.Now()
		for calls == 0 || time.Since(start) < slice {
			sum += c.peer()
			calls++
		}
		return sum / float64(calls)
	}
	// What another contender has left is not collected at this one's expense.
	runtime.GC()
	calls, start := 0, onCPU()
	for calls == 0 || onCPU()-start < slice {
		for range max(1, 16/c.rows) {
			c.call()
			calls++
		}
	}
	return float64((onCPU() - start).Nanoseconds()) / float64(calls*c.rows)
}

// onCPU is how long this process has computed: the time of the clock would count what other programs take.
func onCPU() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage) == nil)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
