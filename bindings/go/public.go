package phalanx

import (
	"crypto"
	"encoding"
	"encoding/hex"
)

// PublicKey is a point of the curve other than infinity. Keys can be compared by ==. The zero value is no key: what is
// computed from it fails.
type PublicKey struct{ encoded [65]byte }

// XOnlyPublicKey is a public key of BIP-340: a point with even y, by its x. Keys can be compared by ==. The zero value
// is no key.
type XOnlyPublicKey struct{ encoded [65]byte }

// ParsePublicKey reads the 33 or 65 bytes of SEC 1.
func ParsePublicKey(bytes []byte) (PublicKey, error) {
	var key PublicKey
	if readPublicKey(bytes, &key.encoded) != Valid {
		return PublicKey{}, ErrPublicKey
	}
	return key, nil
}

// Compressed is the form of 33 bytes: 02 or 03 by the parity of y, then x.
func (k PublicKey) Compressed() [33]byte {
	var bytes [33]byte
	copy(bytes[:], k.encoded[:33])
	if k.encoded[0] == 4 {
		bytes[0] = 2 | k.encoded[64]&1
	}
	return bytes
}

// Uncompressed is the form of 65 bytes: 04, x, y.
func (k PublicKey) Uncompressed() [65]byte { return k.encoded }

// XOnly is the key of BIP-340 with the same x, and whether this key's y is odd.
func (k PublicKey) XOnly() (XOnlyPublicKey, bool) {
	var key XOnlyPublicKey
	if readXOnly(k.encoded[1:33], &key.encoded) != Valid {
		return XOnlyPublicKey{}, false
	}
	return key, k.encoded[64]&1 == 1
}

// TweakAdd is the key plus the tweak times the generator. Constant time, but that it tells whether there is a result.
func (k PublicKey) TweakAdd(tweak [32]byte) (PublicKey, error) {
	var sum PublicKey
	verdict := tweakPublic(&k.encoded, &tweak, &sum.encoded)
	// The copy that the call made, which its caller cannot reach.
	wipe(tweak[:])
	switch verdict {
	case Valid:
		return sum, nil
	case BadPublicKey:
		return PublicKey{}, ErrPublicKey
	default:
		return PublicKey{}, ErrTweak
	}
}

// Equal says whether the other key is the same.
func (k PublicKey) Equal(other crypto.PublicKey) bool {
	switch other := other.(type) {
	case PublicKey:
		return k == other
	case *PublicKey:
		return other != nil && k == *other
	}
	return false
}

// MarshalBinary is [PublicKey.Compressed].
func (k PublicKey) MarshalBinary() ([]byte, error) {
	bytes := k.Compressed()
	return bytes[:], nil
}

// UnmarshalBinary is [ParsePublicKey].
func (k *PublicKey) UnmarshalBinary(bytes []byte) error { return readInto(k, ParsePublicKey, bytes) }

// MarshalText is [PublicKey.Compressed] in hex.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads hex.
func (k *PublicKey) UnmarshalText(text []byte) error { return unmarshalText(text, k, ErrPublicKey) }

// String is [PublicKey.Compressed] in hex.
func (k PublicKey) String() string {
	bytes := k.Compressed()
	return hex.EncodeToString(bytes[:])
}

// ParseXOnlyPublicKey reads the 32 bytes of BIP-340.
func ParseXOnlyPublicKey(bytes []byte) (XOnlyPublicKey, error) {
	var key XOnlyPublicKey
	if readXOnly(bytes, &key.encoded) != Valid {
		return XOnlyPublicKey{}, ErrPublicKey
	}
	return key, nil
}

// Bytes are the 32 bytes of x.
func (k XOnlyPublicKey) Bytes() [32]byte { return [32]byte(k.encoded[1:33]) }

// PublicKey is the point with this x and even y.
func (k XOnlyPublicKey) PublicKey() PublicKey { return PublicKey(k) }

// MarshalBinary is [XOnlyPublicKey.Bytes].
func (k XOnlyPublicKey) MarshalBinary() ([]byte, error) {
	bytes := k.Bytes()
	return bytes[:], nil
}

// UnmarshalBinary is [ParseXOnlyPublicKey].
func (k *XOnlyPublicKey) UnmarshalBinary(bytes []byte) error {
	return readInto(k, ParseXOnlyPublicKey, bytes)
}

// MarshalText is [XOnlyPublicKey.Bytes] in hex.
func (k XOnlyPublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads hex.
func (k *XOnlyPublicKey) UnmarshalText(text []byte) error {
	return unmarshalText(text, k, ErrPublicKey)
}

// String is [XOnlyPublicKey.Bytes] in hex.
func (k XOnlyPublicKey) String() string { return hex.EncodeToString(k.encoded[1:33]) }

// readInto writes what is parsed. A value stays as it is where the bytes are none.
func readInto[T any](value *T, parse func([]byte) (T, error), bytes []byte) error {
	parsed, err := parse(bytes)
	if err == nil {
		*value = parsed
	}
	return err
}

// unmarshalText reads hex into a value that reads bytes. Text that is no hex is the value's own error.
func unmarshalText(text []byte, value encoding.BinaryUnmarshaler, failure error) error {
	bytes, err := hex.AppendDecode(nil, text)
	if err != nil {
		return failure
	}
	return value.UnmarshalBinary(bytes)
}
