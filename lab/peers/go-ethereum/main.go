// The Go module go-ethereum as people call it: its package crypto/secp256k1, which is C underneath, and its package crypto
// for senders.
package main

import (
	"math/big"
	"runtime"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/crypto/secp256k1"
	"phalanx.lab/abi"
)

func main() {
	abi.Serve("github.com/ethereum/go-ethereum", prepare)
}

func prepare(request abi.Request, input []byte) (abi.Job, error) {
	// A call into C that lasts longer than 20 us loses its place in a program that has as many as threads, and waits for one
	// when it comes back. With one place more, as programs have by default, it keeps its own.
	runtime.GOMAXPROCS(request.Threads + 1)
	switch request.Op {
	case "verify-ecdsa":
		return abi.NewPerRow(request, input, 1, func(_ int, row, out []byte) {
			out[0] = 0
			if secp256k1.VerifySignature(row[96:], row[:32], row[32:96]) {
				out[0] = 1
			}
		}), nil
	case "recover":
		return abi.NewPerRow(request, input, 33, func(_ int, row, out []byte) {
			clear(out)
			key, err := secp256k1.RecoverPubkey(row[:32], row[32:])
			if err == nil {
				out[0] = 2 + key[64]&1
				copy(out[1:], key[1:33])
			}
		}), nil
	case "senders":
		// The steps of types.Sender once it has the signing hash.
		return abi.NewPerRow(request, input, 20, func(_ int, row, out []byte) {
			clear(out)
			r, s := new(big.Int).SetBytes(row[32:64]), new(big.Int).SetBytes(row[64:96])
			if !crypto.ValidateSignatureValues(row[96], r, s, true) {
				return
			}
			key, err := crypto.Ecrecover(row[:32], row[32:])
			if err == nil {
				copy(out, crypto.Keccak256(key[1:])[12:])
			}
		}), nil
	case "sign-ecdsa":
		return abi.NewPerRow(request, input, 64, func(_ int, row, out []byte) {
			signature, err := secp256k1.Sign(row[:32], row[32:])
			if err != nil {
				panic(err)
			}
			copy(out, signature[:64])
		}), nil
	}
	return nil, abi.NotOffered(request)
}
