package phalanx

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"phalanx.example/phalanx/internal/pure"
)

// round is all that the signers of a message send.
type round struct {
	secrets  []SecretKey
	keys     *MuSigKeys
	session  *MuSigSession
	nonces   [][66]byte
	partials [][32]byte
}

func newRound(t *testing.T, signers, tweaks int) round {
	t.Helper()
	r := round{nonces: make([][66]byte, signers), partials: make([][32]byte, signers)}
	message := bytes.Repeat([]byte{7}, signers)
	var keys []PublicKey
	for i := range signers {
		r.secrets = append(r.secrets, secretOf(sha256Of([]byte{byte(i), 99})))
		keys = append(keys, r.secrets[i].PublicKey())
	}
	var err error
	if r.keys, err = NewMuSigKeys(keys); err != nil {
		t.Fatal(err)
	}
	for i := range tweaks {
		tweak := r.keys.TweakAdd
		if i%2 == 0 {
			tweak = r.keys.TweakAddXOnly
		}
		if r.keys, err = tweak(sha256Of([]byte{byte(i)})); err != nil {
			t.Fatal(err)
		}
	}
	nonces := make([]MuSigSecretNonce, signers)
	for i := range nonces {
		inputs := MuSigNonceInputs{SecretKey: r.secrets[i], Keys: r.keys, Message: message, Extra: []byte{byte(i)}}
		if nonces[i], r.nonces[i], err = NewMuSigNonce(keys[i], inputs); err != nil {
			t.Fatal(err)
		}
	}
	aggregate, err := AggregateMuSigNonces(r.nonces)
	if err != nil {
		t.Fatal(err)
	}
	if r.session, err = NewMuSigSession(r.keys, aggregate, message); err != nil {
		t.Fatal(err)
	}
	clear(message)
	for i, nonce := range nonces {
		if r.partials[i], err = r.session.Sign(nonce, r.secrets[i]); err != nil {
			t.Fatal(err)
		}
		gives(t, ErrUsedNonce)(r.session.Sign(nonce, r.secrets[i]))
		if ((*nonceNumbers)(nonce.numbers)).k != [64]byte{} {
			t.Error("the numbers of a nonce that has signed are still there")
		}
	}
	return r
}

// blames checks that an error names these signers.
func blames(t *testing.T, err, expected error, signers ...int) {
	t.Helper()
	var wrong *MuSigError
	if !errors.As(err, &wrong) || !slices.Equal(wrong.Signers, signers) || !errors.Is(err, expected) {
		t.Errorf("%v, not %v by %v", err, expected, signers)
	}
}

func TestManySignersMakeOneSignature(t *testing.T) {
	for _, test := range [][2]int{{1, 0}, {2, 1}, {3, 2}, {5, 3}, {40, 4}, {700, 0}} {
		if testing.Short() && test[0] > 100 {
			continue
		}
		r := newRound(t, test[0], test[1])
		count := test[0]
		signature, err := r.session.Aggregate(r.nonces, r.partials)
		key, _ := r.keys.PublicKey().XOnly()
		if err != nil || VerifySchnorr(bytes.Repeat([]byte{7}, count), signature, key) != nil {
			t.Fatal(test, err)
		}
		for _, signer := range []int{0, count / 2, count - 1} {
			if err := r.session.Verify(signer, r.nonces[signer], r.partials[signer]); err != nil {
				t.Error(test, err)
			}
		}
		// Those who cheat, each by another difference: two of the same might cancel out, and the signature hold.
		cheaters := slices.Compact([]int{0, count / 3, count - 1})
		for i, cheater := range cheaters {
			r.partials[cheater][31-i] ^= 1
			blames(t, r.session.Verify(cheater, r.nonces[cheater], r.partials[cheater]), ErrInvalidSignature, cheater)
		}
		signature, err = r.session.Aggregate(r.nonces, r.partials)
		blames(t, err, ErrInvalidSignature, cheaters...)
		if signature != (SchnorrSignature{}) {
			t.Error("a signature that does not hold")
		}
		good := r.nonces[0]
		r.nonces[0] = [66]byte{}
		_, err = r.session.Aggregate(r.nonces, r.partials)
		blames(t, err, ErrMuSigNonce, 0)
		blames(t, r.session.Verify(0, r.nonces[0], r.partials[0]), ErrMuSigNonce, 0)
		r.nonces[0] = good
		r.partials[count-1] = [32]byte(order)
		_, err = r.session.Aggregate(r.nonces, r.partials)
		blames(t, err, ErrOutOfRange, count-1)
		blames(t, r.session.Verify(count-1, r.nonces[count-1], r.partials[count-1]), ErrOutOfRange, count-1)
		gives(t, ErrRows)(r.session.Aggregate(r.nonces[1:], r.partials))
		gives(t, ErrRows)(r.session.Aggregate(r.nonces, r.partials[1:]))
		gives(t, ErrRows)(nil, r.session.Verify(count, r.nonces[0], r.partials[0]))
		gives(t, ErrRows)(nil, r.session.Verify(-1, r.nonces[0], r.partials[0]))
	}
}

func TestSessionsOfOtherNonces(t *testing.T) {
	r := newRound(t, 2, 0)
	other, err := NewMuSigSession(r.keys, r.nonces[0], []byte("message"))
	if err != nil {
		t.Fatal(err)
	}
	for i, secret := range r.secrets {
		nonce, public, _ := NewMuSigNonce(secret.PublicKey(), MuSigNonceInputs{})
		r.nonces[i] = public
		r.partials[i], err = other.Sign(nonce, secret)
		if err != nil || other.Verify(i, public, r.partials[i]) != nil {
			t.Error(err)
		}
	}
	_, err = other.Aggregate(r.nonces, r.partials)
	if err != ErrMuSigNonce {
		t.Error(err)
	}
}

// The zero value of a session has no keys.
func TestTheZeroSession(t *testing.T) {
	r := newRound(t, 2, 0)
	session := new(MuSigSession)
	nonce, _, err := NewMuSigNonce(r.secrets[0].PublicKey(), MuSigNonceInputs{})
	if err != nil {
		t.Fatal(err)
	}
	gives(t, ErrPublicKey)(session.Sign(nonce, r.secrets[0]))
	// The nonce is used up.
	gives(t, ErrUsedNonce)(r.session.Sign(nonce, r.secrets[0]))
	gives(t, ErrPublicKey)(nil, session.Verify(0, r.nonces[0], r.partials[0]))
	gives(t, ErrPublicKey)(session.Aggregate(r.nonces, r.partials))
	gives(t, ErrPublicKey)(session.Aggregate(nil, nil))
}

func TestWhatCannotBeAggregated(t *testing.T) {
	key := secretOf([32]byte{31: 1}).PublicKey()
	gives(t, ErrRows)(NewMuSigKeys(nil))
	_, err := NewMuSigKeys([]PublicKey{key, {}, key, {}})
	blames(t, err, ErrPublicKey, 1, 3)
	keys, err := NewMuSigKeys([]PublicKey{key})
	if err != nil {
		t.Fatal(err)
	}
	gives(t, ErrTweak)(keys.TweakAdd([32]byte(order)))
	gives(t, ErrTweak)(keys.TweakAddXOnly([32]byte(order)))
	gives(t, ErrPublicKey)(new(MuSigKeys).TweakAdd([32]byte{}))
	gives(t, ErrPublicKey)(NewMuSigSession(new(MuSigKeys), [66]byte{}, nil))
	gives(t, ErrMuSigNonce)(NewMuSigSession(keys, [66]byte{4}, nil))
	gives(t, nil)(NewMuSigSession(keys, [66]byte{}, nil))
	gives(t, ErrRows)(AggregateMuSigNonces(nil))
}

func TestNoncesThatCannotBe(t *testing.T) {
	r := newRound(t, 2, 0)
	key := r.secrets[0].PublicKey()
	made := func(inputs MuSigNonceInputs) error {
		_, _, err := NewMuSigNonce(key, inputs)
		return err
	}
	zeros := bytes.NewReader(make([]byte, 32))
	gives(t, ErrRandomness)(nil, made(MuSigNonceInputs{Random: zeros}))
	gives(t, io.EOF)(nil, made(MuSigNonceInputs{Random: zeros}))
	wiped := secretOf([32]byte{31: 5})
	wiped.Wipe()
	gives(t, ErrSecretKey)(nil, made(MuSigNonceInputs{SecretKey: wiped}))
	_, _, err := NewMuSigNonce(PublicKey{}, MuSigNonceInputs{})
	gives(t, ErrPublicKey)(nil, err)
	// A nonce is gone where it is used wrongly.
	for _, secret := range []SecretKey{{}, r.secrets[1], secretOf([32]byte{31: 7})} {
		nonce, _, _ := NewMuSigNonce(key, MuSigNonceInputs{})
		gives(t, ErrSecretKey)(r.session.Sign(nonce, secret))
		gives(t, ErrUsedNonce)(r.session.Sign(nonce, r.secrets[0]))
	}
	stranger := secretOf([32]byte{31: 7})
	nonce, _, _ := NewMuSigNonce(stranger.PublicKey(), MuSigNonceInputs{})
	gives(t, ErrSecretKey)(r.session.Sign(nonce, stranger))
	gives(t, ErrUsedNonce)(r.session.Sign(MuSigSecretNonce{}, r.secrets[0]))
	nonce, _, _ = NewMuSigNonce(key, MuSigNonceInputs{})
	nonce.Wipe()
	MuSigSecretNonce{}.Wipe()
	gives(t, ErrUsedNonce)(r.session.Sign(nonce, r.secrets[0]))
}

func TestOneOfAllCopiesSigns(t *testing.T) {
	r := newRound(t, 2, 0)
	for range 20 {
		nonce, _, _ := NewMuSigNonce(r.secrets[0].PublicKey(), MuSigNonceInputs{})
		var signed atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			copied := nonce
			group.Add(1)
			go func() {
				defer group.Done()
				if _, err := r.session.Sign(copied, r.secrets[0]); err == nil {
					signed.Add(1)
				} else if err != ErrUsedNonce {
					t.Error(err)
				}
			}()
		}
		group.Wait()
		if signed.Load() != 1 {
			t.Errorf("%d signed", signed.Load())
		}
	}
}

func TestNothingWritesANonceDown(t *testing.T) {
	numbers := &nonceNumbers{k: [64]byte([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))}
	nonce := MuSigSecretNonce{unsafe.Pointer(numbers)}
	hidden := struct{ nonce MuSigSecretNonce }{nonce}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%c", "%08b", "%p"} {
		for _, value := range []any{nonce, &nonce, hidden, &hidden, []MuSigSecretNonce{nonce}, map[int]MuSigSecretNonce{1: nonce}} {
			text := fmt.Sprintf(verb, value)
			for _, digits := range secretDigits {
				if strings.Contains(text, digits) {
					t.Errorf("%s of %T: %s", verb, value, text)
				}
			}
		}
	}
	if text, err := json.Marshal(nonce); err != nil || string(text) != "{}" {
		t.Errorf("%s, %v", text, err)
	}
	if err := gob.NewEncoder(io.Discard).Encode(nonce); err == nil {
		t.Error("a nonce is written down")
	}
}

// TestNoncesArePlainGos compares the two operations on secrets.
func TestNoncesArePlainGos(t *testing.T) {
	for i := range 50 {
		random, secret := sha256Of([]byte{byte(i)}), sha256Of([]byte{byte(i), 1})
		coefficient, factor := sha256Of([]byte{byte(i), 2}), sha256Of([]byte{byte(i), 3})
		rest, with := make([]byte, 3*i), &secret
		if i%5 == 0 {
			with = nil
		}
		var k, expectedK [64]byte
		var public, expected [66]byte
		var partial, expectedPartial [32]byte
		found := musigNonce(&random, with, rest, &k, &public)
		pure.MusigNonce(&random, with, rest, &expectedK, &expected)
		if found != Valid || k != expectedK || public != expected {
			t.Fatalf("%v %x %x, plain Go %x %x", found, k, public, expectedK, expected)
		}
		found = musigSign(&k, &secret, &coefficient, &factor, i%2 == 0, &partial)
		pure.MusigSign(&k, &secret, &coefficient, &factor, i%2 == 0, &expectedPartial)
		if found != Valid || partial != expectedPartial {
			t.Fatalf("%v %x, plain Go %x", found, partial, expectedPartial)
		}
		if musigSign(&k, &secret, (*[32]byte)(order), &factor, false, &partial) != OutOfRange ||
			musigSign(&k, &none, &coefficient, &factor, false, &partial) != MalformedRow {
			t.Error("numbers that cannot be")
		}
	}
}
