module phalanx.example/phalanx

go 1.24.0

require golang.org/x/sys v0.40.0

require (
	github.com/btcsuite/btcd/btcec/v2 v2.3.6 // indirect
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.0 // indirect
)
