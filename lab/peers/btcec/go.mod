module peer-btcec

go 1.25

require (
	github.com/btcsuite/btcd/btcec/v2 v2.5.0
	phalanx.lab/abi v0.0.0
)

require (
	github.com/btcsuite/btcd/chainhash/v2 v2.0.0 // indirect
	github.com/decred/dcrd/crypto/blake256 v1.1.0 // indirect
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.0 // indirect
)

replace phalanx.lab/abi => ../../abi/go
