module peer-phalanx-go

go 1.25

require (
	phalanx.example/phalanx v0.0.0
	phalanx.lab/abi v0.0.0
)

require (
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.0 // indirect
	golang.org/x/crypto v0.48.0 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace phalanx.example/phalanx => ../../../bindings/go

replace phalanx.lab/abi => ../../abi/go
