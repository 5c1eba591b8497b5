package phalanx

import "context"

// Child is a child of an extended public key.
type Child struct {
	PublicKey PublicKey
	ChainCode [32]byte
	// Payload is what a script holds of the key, of the kind that was asked for. A hash is its first 20 bytes; what is left
	// is zero.
	Payload [32]byte
}

// PayloadKind is what a script holds of a public key.
type PayloadKind uint8

const (
	// NoPayload: nothing is wanted.
	NoPayload PayloadKind = iota
	// KeyHash is HASH160 of the key in 33 bytes: P2PKH and P2WPKH.
	KeyHash
	// ScriptHash is HASH160 of the P2WPKH script of the key: P2SH-P2WPKH.
	ScriptHash
	// TaprootKey is the x of the taproot output key without a tree of scripts: P2TR.
	TaprootKey
)

// DeriveChildren derives children of extended public keys (BIP-32), and what scripts hold of them. A parent is its key (33
// or 65 bytes) and its chain code (32 bytes), by [Repeat] one for all rows. Parents are read once for rows that follow each
// other. An index of 2^31 or more is that of a hardened child, which no public key has, and makes a row [MalformedRow].
// Variable time. Where a row is not [Valid], its child is zero.
//
// The error is [ErrPayload] for a kind that is none.
func (b *Bulk) DeriveChildren(ctx context.Context, parentKeys, chainCodes Column, indices []uint32, kind PayloadKind, children []Child, verdicts []Verdict) error {
	clear(children)
	if kind > TaprootKey {
		clear(verdicts)
		return ErrPayload
	}
	work := rowsWork{operation: rowsDeriveChildren, payload: kind, verdicts: verdicts}
	work.inputs = [4]Column{parentKeys, chainCodes, columnOfRows(indices)}
	work.output = columnOfRows(children)
	return b.run(ctx, &work)
}
