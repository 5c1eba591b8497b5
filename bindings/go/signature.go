package phalanx

import "encoding/hex"

// Signature is an ECDSA signature: r and s from 1 to n - 1. The zero value is no signature.
type Signature struct{ compact [64]byte }

// SchnorrSignature is a signature of BIP-340. Its numbers are checked when it is verified.
type SchnorrSignature struct{ bytes [64]byte }

// RecoveryID says which of at most four keys a signature was made by: 0 to 3.
type RecoveryID uint8

// ParseSignature reads the 64 bytes of r and s. The error is [ErrSignatureEncoding] or [ErrOutOfRange].
func ParseSignature(bytes []byte) (Signature, error) {
	if len(bytes) != 64 {
		return Signature{}, ErrSignatureEncoding
	}
	signature := Signature{[64]byte(bytes)}
	if verdict := readCompact(&signature.compact); verdict != Valid {
		return Signature{}, verdict.Err()
	}
	return signature, nil
}

// ParseDER reads strict DER, as BIP-66 wants it. The error is [ErrSignatureEncoding] or [ErrOutOfRange].
func ParseDER(bytes []byte) (Signature, error) { return parseDER(bytes, false) }

// ParseDERLax reads what Bitcoin took for DER before BIP-66.
func ParseDERLax(bytes []byte) (Signature, error) { return parseDER(bytes, true) }

func parseDER(bytes []byte, lax bool) (Signature, error) {
	var signature Signature
	if verdict := readDER(bytes, lax, &signature.compact); verdict != Valid {
		return Signature{}, verdict.Err()
	}
	return signature, nil
}

// Bytes are the 64 bytes of r and s.
func (s Signature) Bytes() [64]byte { return s.compact }

// DER is the signature as ASN.1 writes it: at most 72 bytes.
func (s Signature) DER() []byte {
	der := append(make([]byte, 0, 72), 0x30, 0)
	for _, number := range [2][]byte{s.compact[:32], s.compact[32:]} {
		for len(number) > 1 && number[0] == 0 {
			number = number[1:]
		}
		// A first byte that would look negative gets a zero before it.
		padding := number[0] >> 7
		der = append(der, 2, byte(len(number))+padding)
		der = append(append(der, make([]byte, padding)...), number...)
	}
	der[1] = byte(len(der) - 2)
	return der
}

// MarshalBinary is [Signature.Bytes].
func (s Signature) MarshalBinary() ([]byte, error) { return append([]byte(nil), s.compact[:]...), nil }

// UnmarshalBinary is [ParseSignature].
func (s *Signature) UnmarshalBinary(bytes []byte) error { return readInto(s, ParseSignature, bytes) }

// MarshalText is [Signature.Bytes] in hex.
func (s Signature) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads hex.
func (s *Signature) UnmarshalText(text []byte) error {
	return unmarshalText(text, s, ErrSignatureEncoding)
}

// String is [Signature.Bytes] in hex.
func (s Signature) String() string { return hex.EncodeToString(s.compact[:]) }

// ParseSchnorrSignature takes 64 bytes. The error is [ErrSignatureEncoding].
func ParseSchnorrSignature(bytes []byte) (SchnorrSignature, error) {
	if len(bytes) != 64 {
		return SchnorrSignature{}, ErrSignatureEncoding
	}
	return SchnorrSignature{[64]byte(bytes)}, nil
}

// Bytes are the 64 bytes of BIP-340.
func (s SchnorrSignature) Bytes() [64]byte { return s.bytes }

// MarshalBinary is [SchnorrSignature.Bytes].
func (s SchnorrSignature) MarshalBinary() ([]byte, error) {
	return append([]byte(nil), s.bytes[:]...), nil
}

// UnmarshalBinary is [ParseSchnorrSignature].
func (s *SchnorrSignature) UnmarshalBinary(bytes []byte) error {
	return readInto(s, ParseSchnorrSignature, bytes)
}

// MarshalText is [SchnorrSignature.Bytes] in hex.
func (s SchnorrSignature) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads hex.
func (s *SchnorrSignature) UnmarshalText(text []byte) error {
	return unmarshalText(text, s, ErrSignatureEncoding)
}

// String is [SchnorrSignature.Bytes] in hex.
func (s SchnorrSignature) String() string { return hex.EncodeToString(s.bytes[:]) }

// Verify verifies an ECDSA signature. It answers nil, or the error of the first check that fails: [ErrPublicKey],
// [ErrOutOfRange], [ErrHighS], [ErrInvalidSignature]. Variable time.
func Verify(digest [32]byte, signature Signature, key PublicKey, policy LowS) error {
	return verifyECDSA(&digest, &signature.compact, &key.encoded, policy == AllowHighS).Err()
}

// Recover is the public key that made the signature with this id. High s is accepted. Variable time.
func Recover(digest [32]byte, signature Signature, id RecoveryID) (PublicKey, error) {
	var key PublicKey
	if verdict := recoverKey(&digest, &signature.compact, byte(id), &key.encoded); verdict != Valid {
		return PublicKey{}, verdict.Err()
	}
	return key, nil
}

// VerifySchnorr verifies a signature of BIP-340 on a message of any length. It answers nil, or the error of the first
// check that fails: [ErrPublicKey], [ErrOutOfRange], [ErrInvalidSignature]. Variable time.
func VerifySchnorr(message []byte, signature SchnorrSignature, key XOnlyPublicKey) error {
	return verifySchnorr(message, &signature.bytes, &key.encoded).Err()
}
