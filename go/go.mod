module phalanx.example/phalanx

go 1.24
