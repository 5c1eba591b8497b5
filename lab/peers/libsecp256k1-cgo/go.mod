module peer-libsecp256k1-cgo

go 1.25

require phalanx.lab/abi v0.0.0

replace phalanx.lab/abi => ../../abi/go
