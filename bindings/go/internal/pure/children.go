package pure

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"

	// HASH160, which Bitcoin's scripts have.
	"golang.org/x/crypto/ripemd160"
)

// DeriveChild derives a child of an extended public key by BIP-32: its key, its chain code, and what a script holds of the
// key, with zeros behind it. Payloads are HASH160 of the key (1), that of its P2WPKH script (2), and its taproot output key
// (3).
func DeriveChild(parent []byte, chainCode *[32]byte, index uint32, payload byte, out *[129]byte) Verdict {
	point, ok := key(parent)
	switch {
	case !ok:
		return BadPublicKey
	case index >= 1<<31:
		return MalformedRow
	}
	mac := hmac.New(sha512.New, chainCode[:])
	mac.Write(point.SerializeCompressed())
	mac.Write(binary.BigEndian.AppendUint32(nil, index))
	code := mac.Sum(nil)
	var child [129]byte
	if verdict := TweakPublic(parent, (*[32]byte)(code), (*[65]byte)(child[:65])); verdict != Valid {
		return verdict
	}
	copy(child[65:], code[32:])
	x := child[1:33]
	compressed := append([]byte{2 | child[64]&1}, x...)
	switch payload {
	case 1:
		copy(child[97:], hash160(compressed))
	case 2:
		copy(child[97:], hash160(append([]byte{0, 20}, hash160(compressed)...)))
	case 3:
		tweak, output := Tagged("TapTweak", x), [65]byte{}
		if verdict := TweakPublic(append([]byte{2}, x...), &tweak, &output); verdict != Valid {
			return verdict
		}
		copy(child[97:], output[1:33])
	}
	*out = child
	return Valid
}

// hash160 is RIPEMD-160 of SHA-256.
func hash160(bytes []byte) []byte {
	inner := sha256.Sum256(bytes)
	outer := ripemd160.New()
	outer.Write(inner[:])
	return outer.Sum(nil)
}
