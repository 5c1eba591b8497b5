package phalanx

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"phalanx.example/phalanx/internal/pure"
)

func sha256Of(message []byte) [32]byte { return sha256.Sum256(message) }

// secretOf is a key of any bytes, without a check.
func secretOf(bytes [32]byte) SecretKey {
	key, number := newSecretKey()
	*number = bytes
	return key
}

// skipped says aloud what a test does not check.
func skipped(t *testing.T, name, reason string) {
	t.Helper()
	os.Stderr.WriteString("SKIPPED: " + name + ": " + reason + "\n")
}

// cases is how many random cases a test takes.
func cases(short int) int {
	if os.Getenv("PHALANX_TESTS") == "large" {
		return short * 50
	}
	return short
}

// draws are random numbers that a seed gives again, half of them near edges.
type draws struct{ *rand.Rand }

func newDraws(name string) draws {
	seed := sha256.Sum256([]byte(name))
	return draws{rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed[:]), binary.LittleEndian.Uint64(seed[8:])))}
}

// order is n; prime is p.
var (
	order, _ = unhex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	prime, _ = unhex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	half, _  = unhex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")
)

func (d draws) word() [32]byte {
	var word [32]byte
	edges := [][]byte{order, prime, half, make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)}
	if d.IntN(2) == 0 {
		copy(word[:], edges[d.IntN(len(edges))])
		last := binary.BigEndian.Uint64(word[24:]) + uint64(d.IntN(9)) - 4
		binary.BigEndian.PutUint64(word[24:], last)
		return word
	}
	for i := range 4 {
		binary.BigEndian.PutUint64(word[8*i:], d.Uint64())
	}
	return word
}

func (d draws) secret() SecretKey {
	for {
		word := d.word()
		if key, err := ParseSecretKey(word[:]); err == nil {
			return key
		}
	}
}

// changed is the bytes with something wrong, or nothing.
func (d draws) changed(value []byte) []byte {
	value = bytes.Clone(value)
	switch d.IntN(6) {
	case 0:
		value[d.IntN(len(value))] ^= 1 << d.IntN(8)
	case 1:
		word := d.word()
		copy(value[len(value)-32:], word[:])
	case 2:
		value[0] = byte(d.IntN(8))
	}
	return value
}

// derOf is decred's DER of a signature.
func derOf(signature Signature) []byte {
	var r, s secp256k1.ModNScalar
	r.SetByteSlice(signature.compact[:32])
	s.SetByteSlice(signature.compact[32:])
	return ecdsa.NewSignature(&r, &s).Serialize()
}

// TestOneItemIsAsInPureGo compares every function that computes, outputs too, with the one of the package pure, which is
// decred's.
func TestOneItemIsAsInPureGo(t *testing.T) {
	d := newDraws(t.Name())
	seen := map[Verdict]int{}
	same := func(name string, found Verdict, expected pure.Verdict, outputs ...[]byte) {
		t.Helper()
		if found != Verdict(expected)+Valid {
			t.Fatalf("%s: %v, in pure Go %v", name, found, Verdict(expected)+Valid)
		}
		seen[found]++
		for i := 0; i < len(outputs) && found == Valid; i += 2 {
			if !bytes.Equal(outputs[i], outputs[i+1]) {
				t.Fatalf("%s: %x, in pure Go %x", name, outputs[i], outputs[i+1])
			}
		}
	}
	for range cases(300) {
		secret, digest, tweak := d.word(), d.word(), d.word()
		valid := d.secret()
		validKey := valid.PublicKey()
		signature, id, _ := valid.SignRecoverable(digest)
		if !bytes.Equal(signature.DER(), derOf(signature)) {
			t.Fatalf("%v: another DER", signature)
		}
		if key, err := Recover(digest, signature, id); err != nil || key != validKey {
			t.Fatalf("recovered %v: %v", key, err)
		}
		compact := [64]byte(d.changed(signature.compact[:]))
		key := [65]byte(d.changed(validKey.encoded[:]))
		var a, b [65]byte
		var s, u [64]byte
		var x, y [32]byte
		var i, j [1]byte
		same("public key", publicKey(&secret, &a), pure.PublicKey(&secret, &b), a[:], b[:])
		compressed := validKey.Compressed()
		encoded := d.changed(compressed[:])
		same("read", readPublicKey(encoded, &a), pure.ReadPublicKey(encoded, &b), a[:], b[:])
		same("read", readPublicKey(key[:], &a), pure.ReadPublicKey(key[:], &b), a[:], b[:])
		same("read x", readXOnly(encoded[1:], &a), pure.ReadXOnly(encoded[1:], &b), a[:], b[:])
		for _, lax := range []bool{false, true} {
			der := d.changed(signature.DER())
			same("DER", readDER(der, lax, &s), pure.ReadDER(der, lax, &u), s[:], u[:])
		}
		same("compact", readCompact(&compact), pure.ReadCompact(&compact))
		same("sign", signECDSA(&digest, &secret, &s, &i), pure.SignECDSA(&digest, &secret, &u, &j), s[:], u[:], i[:], j[:])
		same("verify", verifyECDSA(&digest, &compact, &key, true), pure.VerifyECDSA(&digest, &compact, key[:], true))
		same("verify", verifyECDSA(&digest, &compact, &key, false), pure.VerifyECDSA(&digest, &compact, key[:], false))
		recoverID := byte(id) ^ byte(d.IntN(6))
		same("recover", recoverKey(&digest, &compact, recoverID, &a), pure.Recover(&digest, &compact, recoverID, &b), a[:], b[:])
		message := make([]byte, d.IntN(200))
		same("Schnorr sign", signSchnorr(message, &secret, &tweak, &s), pure.SignSchnorr(message, &secret, &tweak, &u), s[:], u[:])
		schnorr, _ := valid.SignSchnorr(message, tweak)
		schnorr.bytes = [64]byte(d.changed(schnorr.bytes[:]))
		same("Schnorr verify", verifySchnorr(message, &schnorr.bytes, &key), pure.VerifySchnorr(message, &schnorr.bytes, key[:]))
		same("ECDH", sharedSecret(&key, &secret, &x), pure.SharedSecret(key[:], &secret, &y), x[:], y[:])
		same("tweak", tweakPublic(&key, &tweak, &a), pure.TweakPublic(key[:], &tweak, &b), a[:], b[:])
		same("tweak", tweakSecret(&secret, &tweak, &x), pure.TweakSecret(&secret, &tweak, &y), x[:], y[:])
		same("negate", negateSecret(&secret, &x), pure.NegateSecret(&secret, &y), x[:], y[:])
	}
	for verdict := Valid; verdict <= InvalidSignature; verdict++ {
		if seen[verdict] == 0 {
			t.Errorf("no case is %v", verdict)
		}
	}
	t.Log(seen)
}

// rowsOf are random rows of every class, with as many bytes a key.
type rowsOf struct {
	digests, signatures, keys, ids, schnorr, xOnly, randomness, secrets []byte
}

func newRows(d draws, rows, width int) rowsOf {
	var r rowsOf
	for range rows {
		secret, digest := d.secret(), d.word()
		signature, id, _ := secret.SignRecoverable(digest)
		if d.IntN(4) == 0 {
			digest = d.word()
		}
		compressed, uncompressed := secret.PublicKey().Compressed(), secret.PublicKey().Uncompressed()
		key := compressed[:]
		if width == 65 {
			key = uncompressed[:]
		}
		schnorr, _ := secret.SignSchnorr(digest[:], [32]byte{})
		r.digests = append(r.digests, digest[:]...)
		r.signatures = append(r.signatures, d.changed(signature.compact[:])...)
		r.keys = append(r.keys, d.changed(key)...)
		r.ids = append(r.ids, byte(id)^byte(d.IntN(8)/2))
		r.schnorr = append(r.schnorr, d.changed(schnorr.bytes[:])...)
		r.xOnly = append(r.xOnly, d.changed(compressed[1:])...)
		r.randomness = append(r.randomness, digest[:]...)
		number := secret.Bytes()
		if d.IntN(5) == 0 {
			number = d.word()
		}
		r.secrets = append(r.secrets, number[:]...)
	}
	return r
}

// TestRowsAreAsOneByOne compares bulk calls of many lengths with calls for one item, verdicts and outputs.
func TestRowsAreAsOneByOne(t *testing.T) {
	d := newDraws(t.Name())
	seen := map[Verdict]int{}
	ctx := context.Background()
	for _, rows := range []int{1, 2, 7, 8, 9, 63, 64, 65, 127, 129, 300} {
		width := 33 + 32*(rows&1)
		r := newRows(d, rows, width)
		bulk := Bulk{Goroutines: rows % 4}
		verdicts := make([]Verdict, rows)
		column := func(data []byte, width int) Column { return Column{data, width, width} }
		digests, signatures := column(r.digests, 32), column(r.signatures, 64)
		keys, secrets := column(r.keys, width), column(r.secrets, 32)
		secret := func(i int) SecretKey { return secretOf([32]byte(secrets.row(i))) }
		// A row of a bulk call: its output, and what one item has.
		check := func(name string, err error, row func(i int) (found, alone any, expected Verdict)) {
			t.Helper()
			if err != nil {
				t.Fatal(name, err)
			}
			for i, verdict := range verdicts {
				if found, alone, expected := row(i); verdict != expected || found != alone {
					t.Fatalf("%s: row %d of %d is %v, %v; alone %v, %v", name, i, rows, verdict, found, expected, alone)
				}
				seen[verdict]++
			}
		}
		for _, policy := range []LowS{RequireLowS, AllowHighS} {
			err := bulk.VerifyECDSA(ctx, digests, signatures, keys, policy, verdicts)
			check("verify", err, func(i int) (_, _ any, _ Verdict) {
				return nil, nil, verdictOfECDSA(digests.row(i), signatures.row(i), keys.row(i), policy)
			})
		}
		schnorr, xOnly := column(r.schnorr, 64), column(r.xOnly, 32)
		check("Schnorr", bulk.VerifySchnorr(ctx, digests, schnorr, xOnly, verdicts), func(i int) (_, _ any, _ Verdict) {
			return nil, nil, verdictOfSchnorr(digests.row(i), schnorr.row(i), xOnly.row(i))
		})
		found := make([]PublicKey, rows)
		recovered := bulk.Recover(ctx, digests, signatures, column(r.ids, 1), found, verdicts)
		check("recover", recovered, func(i int) (_, _ any, _ Verdict) {
			key, err := Recover([32]byte(digests.row(i)), Signature{[64]byte(signatures.row(i))}, RecoveryID(r.ids[i]))
			return found[i], key, verdictOfError(err)
		})
		check("public keys", bulk.PublicKeys(ctx, secrets, found, verdicts), func(i int) (_, _ any, _ Verdict) {
			_, err := ParseSecretKey(secrets.row(i))
			return found[i], secret(i).PublicKey(), verdictOfError(err)
		})
		made := make([]Signature, rows)
		check("sign", bulk.SignECDSA(ctx, digests, secrets, made, verdicts), func(i int) (_, _ any, _ Verdict) {
			signature, err := secret(i).SignDigest([32]byte(digests.row(i)))
			return made[i], signature, verdictOfError(err)
		})
		madeSchnorr := make([]SchnorrSignature, rows)
		signed := bulk.SignSchnorr(ctx, digests, secrets, column(r.randomness, 32), madeSchnorr, verdicts)
		check("Schnorr sign", signed, func(i int) (_, _ any, _ Verdict) {
			signature, err := secret(i).SignSchnorr(digests.row(i), [32]byte(r.randomness[32*i:]))
			return madeSchnorr[i], signature, verdictOfError(err)
		})
		shared := make([][32]byte, rows)
		check("ECDH", bulk.SharedSecrets(ctx, keys, secrets, shared, verdicts), func(i int) (_, _ any, _ Verdict) {
			key, err := ParsePublicKey(keys.row(i))
			if _, other := ParseSecretKey(secrets.row(i)); err != nil && other != nil {
				return nil, nil, verdicts[i] // Two things are wrong: which is said first is the library's.
			}
			expected, err := secret(i).SharedSecret(key)
			return shared[i], expected, verdictOfError(err)
		})
		check("decompress", bulk.Decompress(ctx, keys, found, verdicts), func(i int) (_, _ any, _ Verdict) {
			key, err := ParsePublicKey(keys.row(i))
			return found[i], key, verdictOfError(err)
		})
		check("tweak", bulk.TweakAddPublic(ctx, keys, digests, found, verdicts), func(i int) (_, _ any, _ Verdict) {
			key, _ := ParsePublicKey(keys.row(i))
			tweaked, err := key.TweakAdd([32]byte(digests.row(i)))
			return found[i], tweaked, verdictOfError(err)
		})
	}
	for verdict := Valid; verdict <= InvalidSignature; verdict++ {
		if seen[verdict] == 0 && verdict != BadSignatureEncoding {
			t.Errorf("no row is %v", verdict)
		}
	}
	t.Log(Backend(), seen)
}
