// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.

//go:build !(amd64 || arm64) || purego

package phalanx

import "phalanx.example/phalanx/internal/pure"

// pureRow computes a row in pure Go.
func (o rowsOperation) pureRow(row pure.Row) pure.Verdict {
	switch o {
	case rowsVerifyECDSA:
		return row.VerifyECDSA()
	case rowsVerifySchnorr:
		return row.VerifySchnorr()
	case rowsRecover:
		return row.Recover()
	case rowsPublicKeys:
		return row.PublicKeys()
	case rowsSignECDSA:
		return row.SignECDSA()
	case rowsSignSchnorr:
		return row.SignSchnorr()
	case rowsSharedSecrets:
		return row.SharedSecrets()
	case rowsTweakAddPublic:
		return row.TweakAddPublic()
	case rowsDecompress:
		return row.Decompress()
	case rowsDeriveChildren:
		return row.DeriveChildren()
	case rowsSenders:
		return row.Senders()
	case rowsBatchECDSA:
		return row.BatchECDSA()
	case rowsBatchSchnorr:
		return row.BatchSchnorr()
	}
	panic(errUnreachable)
}
