// The Go module dcrec/secp256k1 as people call it. It has no BIP-340, and no SHA-256 of the compressed shared point, so
// its users' few lines for the latter are part of ecdh here.
package main

import (
	"crypto/sha256"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"phalanx.lab/abi"
)

func main() {
	abi.Serve("github.com/decred/dcrd/dcrec/secp256k1/v4", abi.Schemes(map[string]abi.Scheme{
		"verify-ecdsa": abi.Verify(func(row []byte) bool {
			key, err := secp256k1.ParsePubKey(row[96:])
			signature, ok := compact(row[32:96])
			return err == nil && ok && signature.Verify(row[:32], key)
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
			copy(out, secp256k1.PrivKeyFromBytes(row).PubKey().SerializeCompressed())
		}),
		"sign-ecdsa": abi.Each(64, func(row, out []byte) {
			signature := ecdsa.Sign(secp256k1.PrivKeyFromBytes(row[32:]), row[:32])
			r, s := signature.R(), signature.S()
			r.PutBytesUnchecked(out[:32])
			s.PutBytesUnchecked(out[32:])
		}),
		"ecdh": abi.Each(32, func(row, out []byte) {
			key, err := secp256k1.ParsePubKey(row[:33])
			if err != nil {
				return
			}
			var secret secp256k1.ModNScalar
			secret.SetByteSlice(row[33:])
			var theirs, shared secp256k1.JacobianPoint
			key.AsJacobian(&theirs)
			secp256k1.ScalarMultNonConst(&secret, &theirs, &shared)
			shared.ToAffine()
			digest := sha256.Sum256(secp256k1.NewPublicKey(&shared.X, &shared.Y).SerializeCompressed())
			copy(out, digest[:])
		}),
	}))
}

// compact reads r and s; it has no such function for signatures without a recovery id.
func compact(bytes []byte) (*ecdsa.Signature, bool) {
	var r, s secp256k1.ModNScalar
	if r.SetByteSlice(bytes[:32]) || s.SetByteSlice(bytes[32:]) || r.IsZero() || s.IsZero() {
		return nil, false
	}
	return ecdsa.NewSignature(&r, &s), true
}
