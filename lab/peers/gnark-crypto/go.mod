module peer-gnark-crypto

go 1.26.8

require (
	github.com/consensys/gnark-crypto v0.22.0
	phalanx.lab/abi v0.0.0
)

require github.com/bits-and-blooms/bitset v1.25.0 // indirect

replace phalanx.lab/abi => ../../abi/go
