// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.

//go:build (amd64 || arm64) && !purego

package image

// Numbers of bindings/go-image/src/call.rs, which says what each stands for.
const (
	Nothing            = 0
	PublicKey          = 1
	ReadPublicKey      = 2
	ReadXOnly          = 3
	ReadDer            = 4
	ReadCompact        = 5
	SignEcdsa          = 6
	VerifyEcdsa        = 7
	Recover            = 8
	SignSchnorr        = 9
	VerifySchnorr      = 10
	SharedSecret       = 11
	TweakPublic        = 12
	TweakSecret        = 13
	NegateSecret       = 14
	EllswiftCreate     = 15
	EllswiftEncode     = 16
	EllswiftDecode     = 17
	EllswiftSecret     = 18
	MusigNonce         = 19
	MusigSign          = 20
	SilentLabel        = 25
	SilentTweak        = 26
	Lines              = 31
	RowsBatchEcdsa     = 32
	RowsBatchSchnorr   = 33
	SumOfProducts      = 34
	FixedBasis         = 35
	FixedLines         = 36
	FixedParts         = 37
	FixedPartLine      = 38
	FixedBuild         = 39
	FixedSums          = 40
	RowsSenders        = 41
	RowsDeriveChildren = 48
	RowsSilent         = 49
	RowsFirst          = 64
	FlagAllowHighS     = 1
	FlagLax            = 2
	FlagInfinity       = 4
	FlagResponder      = 8
	FlagNegate         = 16
)

// Operations on rows in columns.
const (
	RowsVerifyEcdsa = RowsFirst + iota
	RowsVerifySchnorr
	RowsRecover
	RowsPublicKeys
	RowsSignEcdsa
	RowsSignSchnorr
	RowsSharedSecrets
	RowsTweakAddPublic
	RowsDecompress
	_
	_
	_
	_
)
