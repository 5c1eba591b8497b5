// The Go module of Phalanx as people call it, without cgo: one call a row with --single, else a bulk call where the module
// has one.
package main

import (
	"phalanx.example/phalanx"
	"phalanx.lab/abi"
)

func main() {
	single := abi.Schemes(map[string]abi.Scheme{
		"verify-ecdsa": abi.Verify(func(row []byte) bool {
			key, err := phalanx.ParsePublicKey(row[96:])
			if err != nil {
				return false
			}
			signature, err := phalanx.ParseSignature(row[32:96])
			return err == nil && phalanx.Verify([32]byte(row), signature, key, phalanx.RequireLowS) == nil
		}),
		"verify-schnorr": abi.Verify(func(row []byte) bool {
			key, err := phalanx.ParseXOnlyPublicKey(row[96:])
			if err != nil {
				return false
			}
			signature, err := phalanx.ParseSchnorrSignature(row[32:96])
			return err == nil && phalanx.VerifySchnorr(row[:32], signature, key) == nil
		}),
		"recover": abi.Each(33, func(row, out []byte) {
			signature, err := phalanx.ParseSignature(row[32:96])
			if err != nil {
				return
			}
			if key, err := phalanx.Recover([32]byte(row), signature, phalanx.RecoveryID(row[96])); err == nil {
				encoded := key.Compressed()
				copy(out, encoded[:])
			}
		}),
		"public-key": abi.Each(33, func(row, out []byte) {
			key := secret(row).PublicKey().Compressed()
			copy(out, key[:])
		}),
		"sign-ecdsa": abi.Each(64, func(row, out []byte) {
			signature := must(secret(row[32:]).SignDigest([32]byte(row))).Bytes()
			copy(out, signature[:])
		}),
		"sign-schnorr": abi.SignSchnorr(secret, func(secret *phalanx.SecretKey, message, auxiliary, out []byte) {
			signature := must(secret.SignSchnorr(message, [32]byte(auxiliary))).Bytes()
			copy(out, signature[:])
		}),
		"ecdh": abi.Each(32, func(row, out []byte) {
			key, err := phalanx.ParsePublicKey(row[:33])
			if err != nil {
				return
			}
			shared := must(secret(row[33:]).SharedSecret(key))
			copy(out, shared[:])
		}),
	})
	abi.Serve("phalanx.example/phalanx", func(request abi.Request, input []byte) (abi.Job, error) {
		if request.Op == "msm-fixed" || request.Op == "tree-key" {
			return commit(request, input), nil
		}
		if job := bulk(request, input); job != nil && !request.Single {
			return job, nil
		}
		return single(request, input)
	})
}

func secret(bytes []byte) phalanx.SecretKey {
	return must(phalanx.ParseSecretKey(bytes))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
