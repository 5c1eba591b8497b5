package phalanx

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
)

// countdown is a context that is cancelled after it has been asked so many times.
type countdown struct {
	context.Context
	left int32
}

func (c *countdown) Err() error {
	if atomic.AddInt32(&c.left, -1) < 0 {
		return context.Canceled
	}
	return nil
}

// The first bytes of a secret key in every form, each too long to stand in an address by chance.
var secretDigits = []string{
	"01234567", "3031323334", "48 49 50 51", "48, 49, 50", "0x30, 0x31, 0x32", "110000 00110001 00110010",
}

func TestNoVerbShowsASecret(t *testing.T) {
	secret, err := ParseSecretKey([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	holder := struct{ Key SecretKey }{secret}
	hidden := struct{ key SecretKey }{secret}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%c", "%T %v", "%08b", "%p"} {
		for _, value := range []any{secret, &secret, holder, hidden, &hidden, []SecretKey{secret}, map[int]SecretKey{1: secret}} {
			text := fmt.Sprintf(verb, value)
			for _, digits := range secretDigits {
				if strings.Contains(text, digits) {
					t.Errorf("%s of %T: %s", verb, value, text)
				}
			}
		}
	}
	if text, err := json.Marshal(holder); err != nil || strings.Contains(string(text), "01234567") {
		t.Errorf("JSON: %s, %v", text, err)
	}
	copied := secret
	secret.Wipe()
	if _, err := copied.SignDigest([32]byte{}); err != ErrSecretKey || copied.Bytes() != [32]byte{} {
		t.Error("not wiped")
	}
	SecretKey{}.Wipe()
}

func TestValuesComeBackFromBytesAndText(t *testing.T) {
	secret := secretOf([32]byte{5: 1})
	key := secret.PublicKey()
	x, odd := key.XOnly()
	digest := sha256.Sum256([]byte("a message"))
	signature, _ := secret.SignDigest(digest)
	schnorr, _ := secret.SignSchnorr(digest[:], digest)
	for _, value := range []interface {
		encoding.BinaryMarshaler
		encoding.TextMarshaler
		fmt.Stringer
	}{key, x, signature, schnorr} {
		binary, err1 := value.MarshalBinary()
		text, err2 := value.MarshalText()
		again, other := reflect.New(reflect.TypeOf(value)), reflect.New(reflect.TypeOf(value))
		err3 := again.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(binary)
		err4 := other.Interface().(encoding.TextUnmarshaler).UnmarshalText(text)
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				t.Errorf("%T: %v", value, err)
			}
		}
		if again.Elem().Interface() != value || other.Elem().Interface() != value || string(text) != value.String() {
			t.Errorf("%T does not come back", value)
		}
		reader := other.Interface().(encoding.TextUnmarshaler)
		for _, bad := range []string{"", "zz", string(text[1:]), string(text) + "00", strings.Repeat("f", len(text))} {
			if _, isSchnorr := value.(SchnorrSignature); isSchnorr && len(bad) == len(text) {
				continue
			}
			if reader.UnmarshalText([]byte(bad)) == nil {
				t.Errorf("%T takes %q", value, bad)
			}
			if other.Elem().Interface() != value {
				t.Errorf("%T is changed by %q", value, bad)
			}
		}
	}
	binary, _ := secret.MarshalBinary()
	var again SecretKey
	if err := again.UnmarshalBinary(binary); err != nil || !again.Equal(secret) || !again.Equal(&secret) {
		t.Error("the secret key does not come back")
	}
	if again.Equal(secretOf([32]byte{1})) || again.Equal(nil) || again.Equal((*SecretKey)(nil)) || again.Equal(key) {
		t.Error("secret keys are equal that are not")
	}
	if !key.Equal(key) || !key.Equal(&key) || key.Equal(x) || key.Equal((*PublicKey)(nil)) || key.Equal(PublicKey{}) {
		t.Error("public keys")
	}
	negative, err := secret.Negate()
	if negatedX, negatedOdd := negative.PublicKey().XOnly(); err != nil || negatedX != x || negatedOdd == odd {
		t.Error("the negative has another x, or the same y")
	}
	sum, err := secret.TweakAdd(digest)
	if tweaked, err2 := key.TweakAdd(digest); err != nil || err2 != nil || sum.PublicKey() != tweaked {
		t.Error("tweaks differ")
	}
	// To zero, and to infinity.
	gives(t, ErrTweak)(secret.TweakAdd(negative.Bytes()))
	gives(t, ErrTweak)(key.TweakAdd(negative.Bytes()))
}

func TestSignersOfTheStandardLibrary(t *testing.T) {
	secret, err := GenerateSecretKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var signer crypto.Signer = &secret
	digest := sha256.Sum256([]byte("a message"))
	der, err := signer.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := ParseDER(der)
	if err != nil || Verify(digest, signature, signer.Public().(PublicKey), RequireLowS) != nil {
		t.Error("a signature that does not verify:", err)
	}
	gives(t, ErrDigest)(signer.Sign(nil, digest[:], crypto.Hash(99)))
	gives(t, ErrDigest)(signer.Sign(nil, digest[:], crypto.Hash(1<<20)))
	for hash := crypto.Hash(1); hash < 20; hash++ {
		expected := ErrDigest
		if hash.Size() == 32 {
			expected = nil
		}
		gives(t, expected)(signer.Sign(nil, digest[:], hash))
	}
	if again, err := signer.Sign(nil, digest[:], crypto.Hash(0)); err != nil || !bytes.Equal(again, der) {
		t.Error("no hash:", err)
	}
	if _, err := GenerateSecretKey(strings.NewReader("short")); err == nil {
		t.Error("a key from too little randomness")
	}
	if _, err := GenerateSecretKey(strings.NewReader(strings.Repeat("\xff", 256))); err != ErrRandomness {
		t.Error("a key from numbers that are none:", err)
	}
	other, _ := GenerateSecretKey(nil)
	if other.Equal(secret) {
		t.Error("the same key twice")
	}
}

func TestVerdictsFailClosed(t *testing.T) {
	var zero Verdict
	if zero.IsValid() || zero.Err() != ErrUndecided || Verdict(200).Err() == nil || Verdict(200).IsValid() {
		t.Error("a verdict that nobody gave is valid")
	}
	if Verdict(200).String() != "unknown_verdict" || Valid.String() != "valid" || InvalidSignature.String() != "invalid_signature" {
		t.Error("names")
	}
	for verdict := range Verdict(255) {
		if (verdict.Err() == nil) != (verdict == Valid) {
			t.Errorf("%v: %v", verdict, verdict.Err())
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	if Backend() == "pure" || raceDetector || testing.CoverMode() != "" {
		skipped(t, "allocations", "this build allocates")
		return
	}
	secret := secretOf([32]byte{5: 1})
	key, digest := secret.PublicKey(), sha256.Sum256([]byte("a message"))
	signature, _ := secret.SignDigest(digest)
	// What the runtime allocates beside is counted too, so that one count of zero says it.
	var counts []float64
	for range 10 {
		count := testing.AllocsPerRun(20, func() {
			_ = Verify(digest, signature, key, RequireLowS)
			_, _ = secret.SignDigest(digest)
			_, _ = Recover(digest, signature, 0)
			_, _ = secret.SharedSecret(key)
		})
		if count == 0 {
			return
		}
		counts = append(counts, count)
	}
	t.Errorf("%v allocations", counts)
}
