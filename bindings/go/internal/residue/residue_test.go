//go:build linux && (amd64 || arm64) && !purego && !race

package residue

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"phalanx.example/phalanx"
)

// childMark is the variable that makes a process a child.
const childMark = "PHALANX_REMAINS_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		child()
		return
	}
	os.Exit(m.Run())
}

// answer is what a child found: how many words stood where the inputs and outputs are, and the needles elsewhere.
type answer struct {
	Failed             string
	Before, After, End found
}

type found struct {
	Live  int
	Stray []stray
}

type stray struct {
	Needle int
	Place  string
}

// child runs an operation on a goroutine of its own, which then spins without a call, so that nothing covers what it left.
// It searches before the operation, after it, and after all that the program has was wiped.
func child() {
	var in input
	if err := gob.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	// All that is allocated for searching is there before the first one.
	searcher := newSearcher(in.Words, in.Factor)
	l, run := newLive(&in), planted[in.Operation]
	if run == nil {
		run = operations[in.Operation].run
	}
	if in.Operation != "parse" && in.Operation != "generate" && len(in.Rows) == 1 {
		l.parse()
	}
	var answer answer
	answer.Before = searcher.told(l.spans())
	var step atomic.Int32
	go func() {
		run(l)
		step.Store(1)
		for step.Load() != 2 {
		}
	}()
	for step.Load() != 1 {
		time.Sleep(time.Millisecond)
	}
	answer.After = searcher.told(l.spans())
	l.wipe()
	answer.End = searcher.told(nil)
	step.Store(2)
	if l.failed != nil {
		answer.Failed = l.failed.Error()
	}
	if err := gob.NewEncoder(os.Stdout).Encode(&answer); err != nil {
		panic(err)
	}
}

// told searches, and sorts out what stands in these spans.
func (s *searcher) told(spans []span) found {
	var found found
	for _, hit := range s.search() {
		if slices.ContainsFunc(spans, func(span span) bool { return span.holds(hit.address) }) {
			found.Live++
		} else {
			found.Stray = append(found.Stray, stray{hit.needle, placeOf(hit.address)})
		}
	}
	return found
}

// placeOf is an address, in words.
func placeOf(address uintptr) string {
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err == nil && from <= address && address < to {
			return fmt.Sprintf("%#x of %s", address, strings.Join(strings.Fields(line), " "))
		}
	}
	return fmt.Sprintf("%#x", address)
}

// run gives a child its input. Nothing is collected in it and no signal asks it to yield: what Go's collector and its signals
// copy is not what this package leaves.
func run(t *testing.T, backend string, in *input) answer {
	t.Helper()
	var standardInput bytes.Buffer
	if err := gob.NewEncoder(&standardInput).Encode(in); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childMark+"=1", "PHALANX_BACKEND="+backend, "GOGC=off", "GODEBUG=asyncpreemptoff=1",
		"GOMAXPROCS=4")
	command.Stdin, command.Stderr = &standardInput, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answer answer
	if err := gob.NewDecoder(bytes.NewReader(output)).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer.Failed != "" {
		t.Fatal(answer.Failed)
	}
	return answer
}

// rows are fresh ones.
func rows(count int) []row {
	rows := make([]row, count)
	for i := range rows {
		rows[i] = newRow()
	}
	return rows
}

// skip says aloud what is not checked.
func skip(t *testing.T, name, reason string) {
	t.Helper()
	os.Stderr.WriteString("SKIPPED: " + name + ": " + reason + "\n")
	t.SkipNow()
}

// needsMemory skips a test where a process cannot read its own memory.
func needsMemory(t *testing.T) {
	t.Helper()
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		skip(t, "secrets in memory", err.Error())
	}
	memory.Close()
}

func TestNoOperationLeavesASecret(t *testing.T) {
	needsMemory(t)
	for _, backend := range phalanx.Backends() {
		for _, name := range slices.Sorted(maps.Keys(operations)) {
			t.Run(backend+"/"+name, func(t *testing.T) {
				t.Parallel()
				in, needles := newInput(name, rows(operations[name].rows))
				answer := run(t, backend, &in)
				if answer.Before.Live == 0 || answer.After.Live == 0 {
					t.Error("the search does not find the inputs")
				}
				needles.none(t, "before the operation", answer.Before.Stray)
				needles.none(t, "after it", answer.After.Stray)
				needles.none(t, "after all was wiped", answer.End.Stray)
			})
		}
	}
}

// none fails the test for each secret and form that was found.
func (n *needles) none(t *testing.T, when string, stray []stray) {
	t.Helper()
	told := map[string]int{}
	for _, hit := range stray {
		if told[n.names[hit.Needle]]++; told[n.names[hit.Needle]] == 1 && len(told) < 12 {
			t.Errorf("%s, left: %s at %s", when, n.names[hit.Needle], hit.Place)
		}
	}
}

// planted are places where the needles are left.
var planted = map[string]func(*live){
	"on the heap": func(l *live) {
		forgotten = append(forgotten[:0], make([]byte, 1<<18)...)
		l.plant(forgotten)
		forgotten = nil
	},
	"on a dead stack": func(l *live) { l.plantOnStack() },
	"in a static":     func(l *live) { l.plant(static[:]) },
	// The runtime may give a dead stack to the next that asks, so there are several. None ends before all are written.
	"on other dead stacks": func(l *live) {
		var written, ended sync.WaitGroup
		for range 8 {
			written.Add(1)
			ended.Add(1)
			go func() {
				defer ended.Done()
				l.plantOnStack()
				written.Done()
				written.Wait()
			}()
		}
		ended.Wait()
	},
}

var (
	forgotten []byte
	static    [1 << 18]byte
)

// plant writes every needle in the clear, each at another place within a word.
//
//go:noinline
func (l *live) plant(room []byte) {
	for number, word := range l.Words {
		place := room[16*number+number%8:]
		for i := range 8 {
			place[i] = byte((word * l.Inverse) >> (8 * i))
		}
	}
}

//go:noinline
func (l *live) plantOnStack() {
	var room [1 << 17]byte
	l.plant(room[:])
}

func TestPlantedSecretsAreFound(t *testing.T) {
	needsMemory(t)
	for place := range planted {
		t.Run(place, func(t *testing.T) {
			in, needles := newInput(place, rows(1))
			answer := run(t, "portable", &in)
			needles.none(t, "before planting", answer.Before.Stray)
			var hits []int
			for _, hit := range answer.After.Stray {
				hits = append(hits, hit.Needle)
			}
			for number, name := range needles.names {
				if !slices.Contains(hits, number) {
					t.Errorf("planted, and not found: %s", name)
				}
			}
		})
	}
}
