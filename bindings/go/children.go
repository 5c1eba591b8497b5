package phalanx

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
