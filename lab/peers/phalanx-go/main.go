// The Go module of Phalanx as people call it, without cgo.
package main

import (
	"phalanx.example/phalanx"
	"phalanx.lab/abi"
)

func main() {
	abi.Serve("phalanx.example/phalanx", prepare)
}

func prepare(request abi.Request, input []byte) (abi.Job, error) {
	switch request.Op {
	case "verify-ecdsa":
		return abi.NewPerRow(request, input, 1, func(_ int, row, out []byte) {
			key, err := phalanx.ParsePublicKey(row[96:])
			if err != nil {
				out[0] = 0
				return
			}
			signature, err := phalanx.ParseSignature(row[32:96])
			out[0] = abi.Truth(err == nil && phalanx.Verify([32]byte(row), signature, key, phalanx.RequireLowS) == nil)
		}), nil
	case "verify-schnorr":
		return abi.NewPerRow(request, input, 1, func(_ int, row, out []byte) {
			key, err := phalanx.ParseXOnlyPublicKey(row[96:])
			if err != nil {
				out[0] = 0
				return
			}
			signature, err := phalanx.ParseSchnorrSignature(row[32:96])
			out[0] = abi.Truth(err == nil && phalanx.VerifySchnorr(row[:32], signature, key) == nil)
		}), nil
	case "recover":
		return abi.NewPerRow(request, input, 33, func(_ int, row, out []byte) {
			clear(out)
			signature, err := phalanx.ParseSignature(row[32:96])
			if err != nil {
				return
			}
			if key, err := phalanx.Recover([32]byte(row), signature, phalanx.RecoveryID(row[96])); err == nil {
				encoded := key.Compressed()
				copy(out, encoded[:])
			}
		}), nil
	case "public-key":
		return abi.NewPerRow(request, input, 33, func(_ int, row, out []byte) {
			key := secret(row).PublicKey().Compressed()
			copy(out, key[:])
		}), nil
	case "sign-ecdsa":
		return abi.NewPerRow(request, input, 64, func(_ int, row, out []byte) {
			signature, err := secret(row[32:]).SignDigest([32]byte(row))
			if err != nil {
				panic(err)
			}
			encoded := signature.Bytes()
			copy(out, encoded[:])
		}), nil
	case "sign-schnorr":
		secrets := make([]phalanx.SecretKey, request.Rows)
		for i := range secrets {
			secrets[i] = secret(input[i*96+32 : i*96+64])
		}
		return abi.NewPerRow(request, input, 64, func(i int, row, out []byte) {
			signature, err := secrets[i].SignSchnorr(row[:32], [32]byte(row[64:]))
			if err != nil {
				panic(err)
			}
			encoded := signature.Bytes()
			copy(out, encoded[:])
		}), nil
	case "ecdh":
		return abi.NewPerRow(request, input, 32, func(_ int, row, out []byte) {
			clear(out)
			key, err := phalanx.ParsePublicKey(row[:33])
			if err != nil {
				return
			}
			if shared, err := secret(row[33:]).SharedSecret(key); err == nil {
				copy(out, shared[:])
			}
		}), nil
	}
	return nil, abi.NotOffered(request)
}

func secret(bytes []byte) phalanx.SecretKey {
	secret, err := phalanx.ParseSecretKey(bytes)
	if err != nil {
		panic(err)
	}
	return secret
}
