package phalanx

import (
	"bytes"
	"encoding/csv"
	"os"
	"testing"

	"phalanx.example/phalanx/internal/pure"
)

// swiftPairs are encodings with numbers at the ends of ranges, then any.
func swiftPairs(count int) (pairs []ElligatorSwift) {
	prime, _ := unhex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	ends := [][32]byte{{}, {31: 1}, {31: 2}, [32]byte(prime), [32]byte(bytes.Repeat([]byte{0xff}, 32))}
	for range 2 {
		end := [32]byte(prime)
		end[31] += byte(2*len(ends)) - 11 // -1 and 1
		ends = append(ends, end)
	}
	for _, u := range ends {
		for _, t := range ends {
			pairs = append(pairs, ElligatorSwift(append(u[:], t[:]...)))
		}
	}
	for i := range count {
		u, t := sha256Of([]byte{byte(i), byte(i >> 8)}), sha256Of([]byte{byte(i), byte(i >> 8), 1})
		pairs = append(pairs, ElligatorSwift(append(u[:], t[:]...)))
	}
	return pairs
}

func TestEncodingsArePlainGos(t *testing.T) {
	for i, pair := range swiftPairs(50) {
		var key PublicKey
		pure.EllswiftDecode((*[64]byte)(&pair), &key.encoded)
		if pair.PublicKey() != key {
			t.Fatalf("%x is %v, plain Go %v", pair, pair.PublicKey(), key)
		}
		randomness := sha256Of(pair[:])
		var expected ElligatorSwift
		pure.EllswiftEncode(key.encoded[:], &randomness, (*[64]byte)(&expected))
		if encoded, err := key.ElligatorSwift(randomness); err != nil || encoded != expected || encoded.PublicKey() != key {
			t.Fatalf("key %d: %x, %v; plain Go %x", i, encoded, err, expected)
		}
		secret := secretOf(randomness)
		pure.EllswiftCreate(&randomness, &[32]byte{byte(i)}, (*[64]byte)(&expected))
		encoded, err := secret.ElligatorSwift([32]byte{byte(i)})
		if err != nil || encoded != expected || encoded.PublicKey() != secret.PublicKey() {
			t.Fatalf("secret %d: %x, %v; plain Go %x", i, encoded, err, expected)
		}
		for _, initiator := range []bool{true, false} {
			first, second := encoded, pair
			if !initiator {
				first, second = second, first
			}
			var shared [32]byte
			pure.EllswiftSecret((*[64]byte)(&first), (*[64]byte)(&second), &randomness, !initiator, &shared)
			if found, err := secret.SharedSecretBIP324(encoded, pair, initiator); err != nil || found != shared {
				t.Fatalf("secret %d: %x, %v; plain Go %x", i, found, err, shared)
			}
		}
	}
}

func TestBothPartiesShareASecret(t *testing.T) {
	a, b := secretOf(sha256Of([]byte{1})), secretOf(sha256Of([]byte{2}))
	first, _ := a.ElligatorSwift([32]byte{})
	second, _ := b.ElligatorSwift([32]byte{})
	ours, err := a.SharedSecretBIP324(first, second, true)
	theirs, other := b.SharedSecretBIP324(second, first, false)
	if err != nil || other != nil || ours != theirs || ours == [32]byte{} {
		t.Error(ours, theirs, err, other)
	}
	if wrong, _ := b.SharedSecretBIP324(second, first, true); wrong == ours {
		t.Error("both are the initiator")
	}
	gives(t, ErrSecretKey)(SecretKey{}.ElligatorSwift([32]byte{}))
	gives(t, ErrSecretKey)(SecretKey{}.SharedSecretBIP324(first, second, true))
	gives(t, ErrPublicKey)(PublicKey{}.ElligatorSwift([32]byte{}))
}

// sharedTable reads a file beside the repository as rows of cells, without its head.
func sharedTable(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../../shared/vectors/" + name)
	if err != nil {
		skipped(t, name, "it is not in ../shared/vectors")
		return nil
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// must is the bytes of hex.
func must(t *testing.T, text string) []byte {
	t.Helper()
	bytes, ok := unhex(text)
	if !ok {
		t.Fatal(text)
	}
	return bytes
}

func TestVectorsOfBIP324(t *testing.T) {
	// The first row of the file of encodings.
	x := ElligatorSwift{}.PublicKey()
	if !bytes.Equal(x.encoded[1:33], must(t, "edd1fd3e327ce90cc7a3542614289aee9682003e9cf7dcc9cf2ca9743be5aa0c")) {
		t.Error(x)
	}
	for _, row := range sharedTable(t, "bip324/ellswift_decode_test_vectors.csv") {
		key := ElligatorSwift(must(t, row[0])).PublicKey()
		if !bytes.Equal(key.encoded[1:33], must(t, row[1])) {
			t.Errorf("%v: %v", row, key)
		}
	}
	for _, row := range sharedTable(t, "bip324/packet_encoding_test_vectors.csv") {
		secret := secretOf([32]byte(must(t, row[1])))
		ours, theirs := ElligatorSwift(must(t, row[2])), ElligatorSwift(must(t, row[3]))
		shared, err := secret.SharedSecretBIP324(ours, theirs, row[4] == "1")
		if err != nil || !bytes.Equal(shared[:], must(t, row[12])) {
			t.Errorf("%v: %x, %v", row, shared, err)
		}
	}
}
