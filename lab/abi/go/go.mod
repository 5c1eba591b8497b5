module phalanx.lab/abi

go 1.24
