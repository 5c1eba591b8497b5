package phalanx

import (
	"bytes"
	"context"
	"fmt"
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
	expected := make([][]byte, goroutines)
	for i := range expected {
		expected[i] = resultsOf(byte(i), 0)
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
				if !bytes.Equal(resultsOf(byte(i), 7*round), expected[i]) {
					t.Errorf("goroutine %d, %d frames deep: another result", i, 7*round)
				}
			}()
		}
	}
	all.Wait()
	close(stop)
	<-collected
}

// resultsOf is what every call gives, made below so many frames, each of which points into the one above.
func resultsOf(seed byte, frames int) (results []byte) {
	below(frames, &seed, &results)
	return results
}

//go:noinline
func below(frames int, seed *byte, results *[]byte) {
	if frames > 0 {
		mine := *seed
		below(frames-1, &mine, results)
		return
	}
	// good is for values of this test, which are.
	good := func(value any, err error) {
		if err != nil {
			panic(err)
		}
		*results = fmt.Append(*results, value)
	}
	digest, tweak := [32]byte{1: *seed, 9: 1}, [32]byte{3: *seed, 30: 1}
	secret := secretOf([32]byte{*seed, 31: 1})
	key := secret.PublicKey()
	good(key, nil)
	signature, id, err := secret.SignRecoverable(digest)
	good(signature, err)
	good(nil, Verify(digest, signature, key, RequireLowS))
	if recovered, err := Recover(digest, signature, id); err != nil || recovered != key {
		panic("another key is recovered")
	}
	schnorr, err := secret.SignSchnorr(digest[:], tweak)
	good(schnorr, err)
	only, _ := key.XOnly()
	good(nil, VerifySchnorr(digest[:], schnorr, only))
	good(secret.SharedSecret(key))
	negated, err := secret.Negate()
	good(negated.Bytes(), err)
	sum, err := secret.TweakAdd(tweak)
	good(sum.Bytes(), err)
	if tweaked, err := key.TweakAdd(tweak); err != nil || tweaked != sum.PublicKey() {
		panic("another key is tweaked")
	}
	encoding, err := secret.ElligatorSwift(tweak)
	good(encoding, err)
	if encoding.PublicKey() != key {
		panic("another key is encoded")
	}
	other, err := key.ElligatorSwift(digest)
	good(other, err)
	good(secret.SharedSecretBIP324(encoding, other, *seed%2 == 0))
	good(partialOf(secret, digest, tweak))
	good(scanOf(secret, key, digest))
	good(rowsOf9(secret, digest))
}

// partialOf is a partial signature of one who signs twice.
//
//go:noinline
func partialOf(secret SecretKey, digest, tweak [32]byte) ([32]byte, error) {
	key := secret.PublicKey()
	keys, err := NewMuSigKeys([]PublicKey{key, key})
	if err != nil {
		return [32]byte{}, err
	}
	nonce, public, err := NewMuSigNonce(key, MuSigNonceInputs{SecretKey: secret, Keys: keys, Random: bytes.NewReader(tweak[:])})
	if err != nil {
		return [32]byte{}, err
	}
	session, err := NewMuSigSession(keys, public, digest[:])
	if err != nil {
		return [32]byte{}, err
	}
	partial, err := session.Sign(nonce, secret)
	if err == nil {
		err = session.Verify(1, public, partial)
	}
	return partial, err
}

// rowsOf9 has columns on this stack, and outputs on the heap.
//
//go:noinline
func rowsOf9(secret SecretKey, digest [32]byte) (any, error) {
	var digests, secrets [9][32]byte
	for i := range digests {
		digests[i], secrets[i] = digest, secret.Bytes()
		digests[i][20], secrets[i][20] = byte(i), byte(i)
	}
	keys, signatures, shared := make([]PublicKey, 9), make([]Signature, 9), make([][32]byte, 9)
	verdicts := make([]Verdict, 9)
	bulk, ctx := Bulk{Goroutines: 2}, context.Background()
	for _, call := range []func() error{
		func() error { return bulk.PublicKeys(ctx, ColumnOf(secrets[:]), keys, verdicts) },
		func() error {
			return bulk.SignECDSA(ctx, ColumnOf(digests[:]), ColumnOf(secrets[:]), signatures, verdicts)
		},
		func() error {
			return bulk.VerifyECDSA(ctx, ColumnOf(digests[:]), ColumnOf(signatures), ColumnOf(keys), RequireLowS, verdicts)
		},
		func() error { return bulk.SharedSecrets(ctx, ColumnOf(keys), ColumnOf(secrets[:]), shared, verdicts) },
	} {
		err := call()
		if err != nil || slices.ContainsFunc(verdicts, func(verdict Verdict) bool { return verdict != Valid }) {
			panic("a row is not valid")
		}
	}
	total, err := bulk.SumOfProducts(ctx, Repeat(digest[:]), ColumnOf(keys), 9)
	return []any{keys, signatures, shared, total}, err
}

// scanOf is a scan for silent payments and a child, each of one row.
func scanOf(secret SecretKey, key PublicKey, digest [32]byte) (results string, err error) {
	scanner, err := NewScanner(secret, key)
	if err != nil {
		return "", err
	}
	var verdicts [2]Verdict
	var child [1]Child
	ctx, bulk, point := context.Background(), new(Bulk), key.Compressed()
	rows := SilentRows{Points: Repeat(point[:]), Keys: [][32]byte{digest}, Offsets: []uint64{0, 1}}
	matches, err := bulk.ScanSilentPayments(ctx, []*Scanner{scanner}, rows, verdicts[:1])
	if err != nil {
		return "", err
	}
	err = bulk.DeriveChildren(ctx, Repeat(point[:]), Repeat(digest[:]), []uint32{7}, TaprootKey, child[:], verdicts[1:])
	return fmt.Sprint(matches, verdicts, child), err
}
