// Package phalanx computes on the curve secp256k1: it verifies, recovers and signs, by ECDSA and by the Schnorr
// signatures of BIP-340, and derives shared secrets, one item at a time or many at once with a verdict for each.
//
// The package needs no C compiler and no cgo. On amd64 and arm64 it carries the Rust library Phalanx as code: words of
// one symbol in an assembly file, made and checked by the repository's link step. On other architectures, and with the
// build tag purego, it computes by pure Go (decred's package), with the same results.
//
// # One item
//
// A [SecretKey] signs, a [PublicKey] verifies:
//
//	secret, err := phalanx.GenerateSecretKey(nil)
//	digest := sha256.Sum256(message)
//	signature, err := secret.SignDigest(digest)
//	err = phalanx.Verify(digest, signature, secret.PublicKey(), phalanx.RequireLowS)
//
// [SecretKey.ElligatorSwift] encodes keys as BIP-324 does. [MuSigSession] makes one signature by many signers (BIP-327), and
// says who cheats.
//
// # Many items
//
// A [Bulk] takes rows as columns, wherever they lie, and gives one [Verdict] a row. It computes eight rows side by side
// where the CPU has AVX-512 IFMA, or AVX2 with FMA, on as many goroutines as may run. A context cancels it.
//
// [Bulk.Senders] finds the Ethereum addresses behind signatures. [Bulk.DeriveChildren] derives children of extended keys,
// and [Bulk.ScanSilentPayments] finds the outputs of a [Scanner] in an index of silent payments. [Bulk.BatchECDSA] and
// [Bulk.BatchSchnorr] give verdicts by sums over many rows, and [Bulk.SumOfProducts] sums public scalars times public
// points. A [FixedBase] sums over points that never change, by tables.
//
// # Secrets
//
// Operations on secret keys take the same time for all keys, and wipe what they leave on the stack, in their own memory and
// in registers. A [SecretKey] keeps its number in one place, which [SecretKey.Wipe] overwrites. Arrays that the program passes
// on by value, such as tweaks and what [SecretKey.Bytes] and [SecretKey.SharedSecret] return, may be copied by Go, and nobody
// wipes those copies; nor what a signal in the midst of an operation writes down of registers. With the tag purego none of
// this is promised: there the other packages' promises hold.
//
// # Environment
//
// The variable PHALANX_BACKEND names what vector code is used: portable, fma or ifma (pure with the tag purego). The best is
// the default. Bulk calls return [ErrBackend] if it names a backend that this build or this CPU does not have. Calls for one
// item then take the best.
package phalanx
