module peer-go-ethereum

go 1.25.0

require (
	github.com/ethereum/go-ethereum v1.17.10
	phalanx.lab/abi v0.0.0
)

replace phalanx.lab/abi => ../../abi/go
