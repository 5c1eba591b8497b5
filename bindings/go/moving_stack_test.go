package phalanx

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestStacksMoveUnderCalls makes every call of the package from many goroutines at once, each on a small stack that the call
// makes grow, with arguments on that stack and on the heap, while the collector shrinks stacks and frees what nothing points
// to. Results are those of one goroutine. How many calls there are, and not how long they take, bounds it.
//
// `go/checks/run` has it under checks of the runtime: of pointers, of marks, of freed memory, and with a stack that moves
// wherever it may grow.
func TestStacksMoveUnderCalls(t *testing.T) {
	goroutines, rounds := 48, 6
	if testing.Short() {
		goroutines, rounds = 12, 2
	}
	expected := make([]outcome, goroutines)
	for i := range expected {
		expected[i] = outcomeOf(byte(i), 0)
	}
	stop, collected := make(chan bool), make(chan bool)
	go func() {
		defer close(collected)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var all sync.WaitGroup
	for i := range goroutines {
		for round := range rounds {
			all.Add(1)
			go func() {
				defer all.Done()
				if got := outcomeOf(byte(i), 7*round); !got.equal(&expected[i]) {
					t.Errorf("goroutine %d, %d frames deep: another result", i, 7*round)
				}
			}()
		}
	}
	all.Wait()
	close(stop)
	<-collected
}

// outcome is what every call gave.
type outcome struct {
	key, recovered, tweaked     PublicKey
	signature                   Signature
	schnorr                     SchnorrSignature
	shared, negated, sum        [32]byte
	total                       [33]byte
	verified, verifiedBySchnorr error
	rows                        *rowsOutcome
}

// rowsOutcome is what bulk calls gave.
type rowsOutcome struct {
	keys       [9]PublicKey
	signatures [9]Signature
	shared     [9][32]byte
	verdicts   [4][9]Verdict
	errs       [4]error
}

func (o *outcome) equal(other *outcome) bool {
	a, b := *o, *other
	a.rows, b.rows = nil, nil
	return a == b && *o.rows == *other.rows
}

// outcomeOf makes the calls below so many frames, each of which points into the one above.
func outcomeOf(seed byte, frames int) outcome {
	var o outcome
	below(frames, &seed, &o)
	return o
}

//go:noinline
func below(frames int, seed *byte, o *outcome) {
	if frames > 0 {
		mine := *seed
		below(frames-1, &mine, o)
		return
	}
	digest, tweak := [32]byte{1: *seed, 9: 1}, [32]byte{3: *seed, 30: 1}
	secret := secretOf([32]byte{*seed, 31: 1})
	o.key = secret.PublicKey()
	signature, id, err := secret.SignRecoverable(digest)
	if err != nil {
		panic(err)
	}
	o.signature = signature
	o.verified = Verify(digest, signature, o.key, RequireLowS)
	o.recovered, err = Recover(digest, signature, id)
	if err != nil || o.recovered != o.key {
		panic("another key is recovered")
	}
	o.schnorr, _ = secret.SignSchnorr(digest[:], tweak)
	only, _ := o.key.XOnly()
	o.verifiedBySchnorr = VerifySchnorr(digest[:], o.schnorr, only)
	if o.verified != nil || o.verifiedBySchnorr != nil {
		panic("a signature is not valid")
	}
	o.shared, _ = secret.SharedSecret(o.key)
	negated, _ := secret.Negate()
	sum, _ := secret.TweakAdd(tweak)
	o.negated, o.sum = negated.Bytes(), sum.Bytes()
	o.tweaked, _ = o.key.TweakAdd(tweak)
	if o.tweaked != sum.PublicKey() {
		panic("another key is tweaked")
	}
	o.rows = new(rowsOutcome)
	o.rows.compute(secret, digest)
	total, err := new(Bulk).SumOfProducts(context.Background(), Repeat(digest[:]), ColumnOf(o.rows.keys[:]), 9)
	if err != nil {
		panic(err)
	}
	o.total = total
}

// compute has columns on this stack, and outputs on the heap.
//
//go:noinline
func (r *rowsOutcome) compute(secret SecretKey, digest [32]byte) {
	var digests, secrets [9][32]byte
	for i := range digests {
		digests[i], secrets[i] = digest, secret.Bytes()
		digests[i][20], secrets[i][20] = byte(i), byte(i)
	}
	bulk, ctx := Bulk{Goroutines: 2}, context.Background()
	r.errs[0] = bulk.PublicKeys(ctx, ColumnOf(secrets[:]), r.keys[:], r.verdicts[0][:])
	r.errs[1] = bulk.SignECDSA(ctx, ColumnOf(digests[:]), ColumnOf(secrets[:]), r.signatures[:], r.verdicts[1][:])
	r.errs[2] = bulk.VerifyECDSA(ctx, ColumnOf(digests[:]), ColumnOf(r.signatures[:]), ColumnOf(r.keys[:]), RequireLowS, r.verdicts[2][:])
	r.errs[3] = bulk.SharedSecrets(ctx, ColumnOf(r.keys[:]), ColumnOf(secrets[:]), r.shared[:], r.verdicts[3][:])
	for _, verdicts := range r.verdicts {
		if slices.ContainsFunc(verdicts[:], func(verdict Verdict) bool { return verdict != Valid }) {
			panic("a row is not valid")
		}
	}
}
