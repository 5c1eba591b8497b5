// The Go module btcec as people call it. It has no SHA-256 of the compressed shared point, so its users' few lines for
// that are part of ecdh here.
package main

import (
	"crypto/sha256"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"phalanx.lab/abi"
)

func main() {
	abi.Serve("github.com/btcsuite/btcd/btcec/v2", abi.Schemes(map[string]abi.Scheme{
		"verify-ecdsa": abi.Verify(func(row []byte) bool {
			key, err := btcec.ParsePubKey(row[96:])
			signature, ok := compact(row[32:96])
			return err == nil && ok && signature.Verify(row[:32], key)
		}),
		"verify-schnorr": abi.Verify(func(row []byte) bool {
			key, err := schnorr.ParsePubKey(row[96:])
			if err != nil {
				return false
			}
			signature, err := schnorr.ParseSignature(row[32:96])
			return err == nil && signature.Verify(row[:32], key)
		}),
		"recover": abi.Each(33, func(row, out []byte) {
			// Its form of a recoverable signature starts with 27, the id, and 4 for a compressed key.
			var signature [65]byte
			signature[0] = 27 + 4 + row[96]
			copy(signature[1:], row[32:96])
			if key, _, err := ecdsa.RecoverCompact(signature[:], row[:32]); err == nil {
				copy(out, key.SerializeCompressed())
			}
		}),
		"public-key": abi.Each(33, func(row, out []byte) {
			_, key := btcec.PrivKeyFromBytes(row)
			copy(out, key.SerializeCompressed())
		}),
		"sign-ecdsa": abi.Each(64, func(row, out []byte) {
			var secret btcec.PrivateKey
			secret.Key.SetByteSlice(row[32:])
			signature := ecdsa.Sign(&secret, row[:32])
			r, s := signature.R(), signature.S()
			r.PutBytesUnchecked(out[:32])
			s.PutBytesUnchecked(out[32:])
		}),
		"sign-schnorr": abi.SignSchnorr(func(secret []byte) *btcec.PrivateKey {
			key, _ := btcec.PrivKeyFromBytes(secret)
			return key
		}, func(key **btcec.PrivateKey, message, auxiliary, out []byte) {
			signature, err := schnorr.Sign(*key, message, schnorr.CustomNonce([32]byte(auxiliary)))
			if err != nil {
				panic(err)
			}
			copy(out, signature.Serialize())
		}),
		"ecdh": abi.Each(32, func(row, out []byte) {
			key, err := btcec.ParsePubKey(row[:33])
			if err != nil {
				return
			}
			var secret btcec.ModNScalar
			secret.SetByteSlice(row[33:])
			var theirs, shared btcec.JacobianPoint
			key.AsJacobian(&theirs)
			btcec.ScalarMultNonConst(&secret, &theirs, &shared)
			shared.ToAffine()
			digest := sha256.Sum256(btcec.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed())
			copy(out, digest[:])
		}),
	}))
}

// compact reads r and s; it has no such function for signatures without a recovery id.
func compact(bytes []byte) (*ecdsa.Signature, bool) {
	var r, s btcec.ModNScalar
	if r.SetByteSlice(bytes[:32]) || s.SetByteSlice(bytes[32:]) || r.IsZero() || s.IsZero() {
		return nil, false
	}
	return ecdsa.NewSignature(&r, &s), true
}
