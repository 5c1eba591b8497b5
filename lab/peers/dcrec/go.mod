module peer-dcrec

go 1.25

require (
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1
	phalanx.lab/abi v0.0.0
)

replace phalanx.lab/abi => ../../abi/go
