package pure

import "golang.org/x/crypto/sha3"

// Sender finds the Ethereum address of the key that made a signature: the last 20 bytes of Keccak-256 over its two
// coordinates.
func Sender(signingHash *[32]byte, signature *[64]byte, parity byte, allowHighS bool, out *[20]byte) Verdict {
	_, s, verdict := numbers(signature)
	switch {
	case verdict != Valid:
		return verdict
	case parity > 1:
		return OutOfRange
	case !allowHighS && s.IsOverHalfOrder():
		return HighS
	}
	var key [65]byte
	if verdict := Recover(signingHash, signature, parity, &key); verdict != Valid {
		return verdict
	}
	hash := sha3.NewLegacyKeccak256()
	hash.Write(key[1:])
	copy(out[:], hash.Sum(nil)[12:])
	return Valid
}
