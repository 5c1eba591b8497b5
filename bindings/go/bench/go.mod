module phalanx.example/phalanx/bench

go 1.24.0

replace phalanx.example/phalanx => ../

require (
	github.com/btcsuite/btcd/btcec/v2 v2.3.6
	github.com/crate-crypto/go-ipa v0.0.0-20240724233137-53bbb0ceb27a
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.0
	github.com/ethereum/go-ethereum v1.16.7
	phalanx.example/phalanx v0.0.0-00010101000000-000000000000
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/btcsuite/btcd/chaincfg/chainhash v1.0.1 // indirect
	github.com/consensys/gnark-crypto v0.18.0 // indirect
	github.com/decred/dcrd/crypto/blake256 v1.1.0 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/sync v0.12.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
