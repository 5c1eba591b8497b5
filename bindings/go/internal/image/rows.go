// Code generated from the library's list of operations by a test of bindings/go-image. DO NOT EDIT.

//go:build (amd64 || arm64) && !purego

package image

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
)
