// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.

//go:build (amd64 || arm64) && !purego

package commitments

// Numbers of verkle/go-image/src/operation.rs, which says what each stands for.
const (
	Nothing            = 0
	Decode             = 1
	DecodeUncompressed = 2
	EncodeUncompressed = 3
	Add                = 4
	Subtract           = 5
	Equal              = 6
	Multiply           = 7
	MultiplyVartime    = 8
	Lines              = 31
	Encode             = 32
	Map                = 33
	Basis              = 34
	TableLines         = 35
	Parts              = 36
	PartLine           = 39
	Build              = 37
	Commit             = 38
	FlagInfinity       = 1 << 8
	VectorsAtOnce      = 256
	MaxElements        = 1 << 16
	NotCanonical       = 1
	NotOnCurve         = 2
	NotInGroup         = 3
	NotAScalar         = 4
)
