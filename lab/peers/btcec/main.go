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
	abi.Serve("github.com/btcsuite/btcd/btcec/v2", prepare)
}

func prepare(request abi.Request, input []byte) (abi.Job, error) {
	switch request.Op {
	case "verify-ecdsa":
		return abi.NewPerRow(request, input, 1, func(_ int, row, out []byte) {
			key, err := btcec.ParsePubKey(row[96:])
			signature, ok := compact(row[32:96])
			out[0] = abi.Truth(err == nil && ok && signature.Verify(row[:32], key))
		}), nil
	case "verify-schnorr":
		return abi.NewPerRow(request, input, 1, func(_ int, row, out []byte) {
			key, err := schnorr.ParsePubKey(row[96:])
			if err != nil {
				out[0] = 0
				return
			}
			signature, err := schnorr.ParseSignature(row[32:96])
			out[0] = abi.Truth(err == nil && signature.Verify(row[:32], key))
		}), nil
	case "recover":
		return abi.NewPerRow(request, input, 33, func(_ int, row, out []byte) {
			// Its form of a recoverable signature starts with 27, the id, and 4 for a compressed key.
			var signature [65]byte
			signature[0] = 27 + 4 + row[96]
			copy(signature[1:], row[32:96])
			clear(out)
			if key, _, err := ecdsa.RecoverCompact(signature[:], row[:32]); err == nil {
				copy(out, key.SerializeCompressed())
			}
		}), nil
	case "public-key":
		return abi.NewPerRow(request, input, 33, func(_ int, row, out []byte) {
			_, key := btcec.PrivKeyFromBytes(row)
			copy(out, key.SerializeCompressed())
		}), nil
	case "sign-ecdsa":
		return abi.NewPerRow(request, input, 64, func(_ int, row, out []byte) {
			var secret btcec.PrivateKey
			secret.Key.SetByteSlice(row[32:])
			sign(&secret, row[:32], out)
		}), nil
	case "sign-schnorr":
		return signSchnorr(request, input), nil
	case "ecdh":
		return abi.NewPerRow(request, input, 32, func(_ int, row, out []byte) {
			key, err := btcec.ParsePubKey(row[:33])
			if err != nil {
				clear(out)
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
		}), nil
	}
	return nil, abi.NotOffered(request)
}

func signSchnorr(request abi.Request, input []byte) abi.Job {
	secrets := make([]*btcec.PrivateKey, request.Rows)
	for i := range secrets {
		secrets[i], _ = btcec.PrivKeyFromBytes(input[i*96+32 : i*96+64])
	}
	return abi.NewPerRow(request, input, 64, func(i int, row, out []byte) {
		auxiliary := [32]byte(row[64:])
		signature, err := schnorr.Sign(secrets[i], row[:32], schnorr.CustomNonce(auxiliary))
		if err != nil {
			panic(err)
		}
		copy(out, signature.Serialize())
	})
}

func sign(secret *btcec.PrivateKey, digest, out []byte) {
	signature := ecdsa.Sign(secret, digest)
	r, s := signature.R(), signature.S()
	r.PutBytesUnchecked(out[:32])
	s.PutBytesUnchecked(out[32:])
}

// compact reads r and s; it has no such function for signatures without a recovery id.
func compact(bytes []byte) (*ecdsa.Signature, bool) {
	var r, s btcec.ModNScalar
	if r.SetByteSlice(bytes[:32]) || s.SetByteSlice(bytes[32:]) || r.IsZero() || s.IsZero() {
		return nil, false
	}
	return ecdsa.NewSignature(&r, &s), true
}
