package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"phalanx.example/phalanx"
)

// must is for values of this program, which are good.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// check is for verdicts, which are all valid.
func check(valid bool) {
	if !valid {
		panic("a wrong verdict")
	}
}

// rows of the bulk contests.
const rows = 4096

// sample is what the contests compute on: signatures under as many keys.
type sample struct {
	digests    [][32]byte
	secrets    [][32]byte
	keys       []phalanx.PublicKey
	compressed [][33]byte
	signatures []phalanx.Signature
	ids        []phalanx.RecoveryID
	schnorr    []phalanx.SchnorrSignature
	xOnly      [][32]byte
}

func newSample() sample {
	var s sample
	for i := range uint64(rows) {
		seed := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("secret"), i))
		secret := must(phalanx.ParseSecretKey(seed[:]))
		digest := sha256.Sum256(seed[:])
		signature, id, err := secret.SignRecoverable(digest)
		key := secret.PublicKey()
		x, _ := key.XOnly()
		s.digests = append(s.digests, digest)
		s.secrets = append(s.secrets, secret.Bytes())
		s.keys = append(s.keys, key)
		s.compressed = append(s.compressed, key.Compressed())
		s.signatures = append(s.signatures, must(signature, err))
		s.ids = append(s.ids, id)
		s.schnorr = append(s.schnorr, must(secret.SignSchnorr(digest[:], [32]byte{})))
		s.xOnly = append(s.xOnly, x.Bytes())
	}
	return s
}

func contests() []contest {
	s := newSample()
	digest, secret, key, signature, id := s.digests[0], must(phalanx.ParseSecretKey(s.secrets[0][:])), s.keys[0], s.signatures[0], s.ids[0]
	x, _ := key.XOnly()
	bytes, compact, schnorrBytes := secret.Bytes(), signature.Bytes(), s.schnorr[0].Bytes()
	theirSecret := secp256k1.PrivKeyFromBytes(bytes[:])
	theirKey := theirSecret.PubKey()
	theirs := must(ecdsa.ParseDERSignature(signature.DER()))
	recoverable := append([]byte{27 + byte(id)}, compact[:]...)
	btcSecret, _ := btcec.PrivKeyFromBytes(bytes[:])
	btcSchnorr := must(schnorr.ParseSignature(schnorrBytes[:]))
	btcKey := must(schnorr.ParsePubKey(s.xOnly[0][:]))
	single := func(name string, ours, others func(), names string) contest {
		return contest{name, []contender{{name: "phalanx", rows: 1, call: ours}, {name: names, rows: 1, call: others}}}
	}
	list := []contest{
		single("verify", func() { check(phalanx.Verify(digest, signature, key, phalanx.RequireLowS) == nil) },
			func() { check(theirs.Verify(digest[:], theirKey)) }, "decred"),
		single("recover", func() { must(phalanx.Recover(digest, signature, id)) },
			func() { _, _, err := ecdsa.RecoverCompact(recoverable, digest[:]); check(err == nil) }, "decred"),
		single("sign", func() { must(secret.SignDigest(digest)) },
			func() { ecdsa.Sign(theirSecret, digest[:]) }, "decred"),
		single("schnorr verify", func() { check(phalanx.VerifySchnorr(digest[:], s.schnorr[0], x) == nil) },
			func() { check(btcSchnorr.Verify(digest[:], btcKey)) }, "btcec"),
		single("schnorr sign", func() { must(secret.SignSchnorr(digest[:], [32]byte{})) },
			func() { must(schnorr.Sign(btcSecret, digest[:], schnorr.FastSign())) }, "btcec"),
		single("ecdh", func() { must(secret.SharedSecret(key)) },
			func() { secp256k1.GenerateSharedSecret(theirSecret, theirKey) }, "decred"),
		single("public key", func() { secret.PublicKey() }, func() { theirSecret.PubKey() }, "decred"),
	}
	return append(addCgo(list, s), bulk(s)...)
}

// bulk are the contests of many rows on one goroutine, against the same rows one at a time.
func bulk(s sample) []contest {
	one := phalanx.Bulk{Goroutines: 1}
	verdicts := make([]phalanx.Verdict, rows)
	keys := make([]phalanx.PublicKey, rows)
	signatures := make([]phalanx.Signature, rows)
	digests := phalanx.ColumnOf(s.digests)
	run := func(call func(context.Context) error) func() {
		return func() {
			check(call(context.Background()) == nil)
			for _, verdict := range verdicts {
				check(verdict.IsValid())
			}
		}
	}
	contests := []contest{
		{"bulk verify", []contender{{name: "phalanx", rows: rows, call: run(func(ctx context.Context) error {
			return one.VerifyECDSA(ctx, digests, phalanx.ColumnOf(s.signatures), phalanx.ColumnOf(s.compressed), phalanx.RequireLowS, verdicts)
		})}}},
		{"bulk schnorr verify", []contender{{name: "phalanx", rows: rows, call: run(func(ctx context.Context) error {
			return one.VerifySchnorr(ctx, digests, phalanx.ColumnOf(s.schnorr), phalanx.ColumnOf(s.xOnly), verdicts)
		})}}},
		{"bulk recover", []contender{{name: "phalanx", rows: rows, call: run(func(ctx context.Context) error {
			return one.Recover(ctx, digests, phalanx.ColumnOf(s.signatures), phalanx.ColumnOf(s.ids), keys, verdicts)
		})}}},
		{"bulk sign", []contender{{name: "phalanx", rows: rows, call: run(func(ctx context.Context) error {
			return one.SignECDSA(ctx, digests, phalanx.ColumnOf(s.secrets), signatures, verdicts)
		})}}},
	}
	return addDecredRows(addCgo(contests, s), s)
}

// addDecredRows adds decred's verification, with the parsing of keys and signatures that a bulk call does too.
func addDecredRows(contests []contest, s sample) []contest {
	i := 0
	verify := contender{name: "decred", rows: 1, call: func() {
		i = (i + 1) % rows
		compact := s.signatures[i].Bytes()
		var r, t secp256k1.ModNScalar
		r.SetByteSlice(compact[:32])
		t.SetByteSlice(compact[32:])
		key := must(secp256k1.ParsePubKey(s.compressed[i][:]))
		check(ecdsa.NewSignature(&r, &t).Verify(s.digests[i][:], key))
	}}
	contests[0].contenders = append(contests[0].contenders, verify)
	return contests
}
