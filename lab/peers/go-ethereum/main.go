// The Go module go-ethereum as people call it: its package crypto/secp256k1, which is C underneath, and its package crypto
// for senders.
package main

import (
	"math/big"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/crypto/secp256k1"
	"phalanx.lab/abi"
)

func main() {
	abi.Spare = 1
	abi.Serve("github.com/ethereum/go-ethereum", abi.Schemes(map[string]abi.Scheme{
		"verify-ecdsa": abi.Verify(func(row []byte) bool {
			return secp256k1.VerifySignature(row[96:], row[:32], row[32:96])
		}),
		"recover": abi.Each(33, func(row, out []byte) {
			if key, err := secp256k1.RecoverPubkey(row[:32], row[32:]); err == nil {
				out[0] = 2 + key[64]&1
				copy(out[1:], key[1:33])
			}
		}),
		// The steps of types.Sender once it has the signing hash.
		"senders": abi.Each(20, func(row, out []byte) {
			r, s := new(big.Int).SetBytes(row[32:64]), new(big.Int).SetBytes(row[64:96])
			if !crypto.ValidateSignatureValues(row[96], r, s, true) {
				return
			}
			if key, err := crypto.Ecrecover(row[:32], row[32:]); err == nil {
				copy(out, crypto.Keccak256(key[1:])[12:])
			}
		}),
		"sign-ecdsa": abi.Each(64, func(row, out []byte) {
			signature, err := secp256k1.Sign(row[:32], row[32:])
			if err != nil {
				panic(err)
			}
			copy(out, signature[:64])
		}),
	}))
}
