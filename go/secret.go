package phalanx

import (
	"crypto"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
)

// SecretKey is a number from 1 to n - 1. The zero value is no key: what is computed from it fails.
//
// No format verb shows it; [SecretKey.Bytes] and [SecretKey.MarshalBinary] are the only ways to its bytes.
type SecretKey struct{ bytes [32]byte }

var (
	_ crypto.Signer = (*SecretKey)(nil)
	_ fmt.Formatter = SecretKey{}
)

// ParseSecretKey reads 32 big-endian bytes.
func ParseSecretKey(bytes []byte) (SecretKey, error) {
	var key SecretKey
	if err := key.UnmarshalBinary(bytes); err != nil {
		return SecretKey{}, err
	}
	return key, nil
}

// GenerateSecretKey makes a key from a source of randomness, or from crypto/rand where it is nil.
func GenerateSecretKey(random io.Reader) (SecretKey, error) {
	if random == nil {
		random = rand.Reader
	}
	var key SecretKey
	// Numbers that are no key come up once in 2^127.
	for range 8 {
		if _, err := io.ReadFull(random, key.bytes[:]); err != nil {
			key.Wipe()
			return SecretKey{}, fmt.Errorf("%w: %w", ErrRandomness, err)
		}
		if key.isKey() {
			return key, nil
		}
	}
	key.Wipe()
	return SecretKey{}, ErrRandomness
}

// isKey says whether the bytes are a key.
func (k *SecretKey) isKey() bool {
	var zero, sum [32]byte
	// Zero added: the key itself, if it is one.
	verdict := tweakSecret(&k.bytes, &zero, &sum)
	wipe(sum[:])
	return verdict == Valid
}

// PublicKey is the public key. Constant time. It is the zero value, which is no key, if the secret key is none.
func (k *SecretKey) PublicKey() PublicKey {
	var key PublicKey
	publicKey(&k.bytes, &key.encoded)
	return key
}

// Public is [SecretKey.PublicKey], as crypto.Signer wants it.
func (k *SecretKey) Public() crypto.PublicKey { return k.PublicKey() }

// Sign signs a digest of 32 bytes by ECDSA, as crypto.Signer wants it: the answer is DER. Nonces are those of RFC 6979,
// and the source of randomness is not read. The options are read for their hash alone, whose size must be 32, or none.
func (k *SecretKey) Sign(_ io.Reader, digest []byte, options crypto.SignerOpts) ([]byte, error) {
	if len(digest) != 32 || options != nil && options.HashFunc() != 0 && options.HashFunc().Size() != 32 {
		return nil, ErrDigest
	}
	signature, _, err := k.sign((*[32]byte)(digest))
	if err != nil {
		return nil, err
	}
	return signature.DER(), nil
}

// SignDigest signs a digest by ECDSA, with the nonce of RFC 6979 and low s. Constant time. The error is [ErrSecretKey]
// for the zero value.
func (k *SecretKey) SignDigest(digest [32]byte) (Signature, error) {
	signature, _, err := k.sign(&digest)
	return signature, err
}

// SignRecoverable is [SecretKey.SignDigest], with the id by which [Recover] finds the public key again.
func (k *SecretKey) SignRecoverable(digest [32]byte) (Signature, RecoveryID, error) {
	return k.sign(&digest)
}

func (k *SecretKey) sign(digest *[32]byte) (Signature, RecoveryID, error) {
	var signature Signature
	var id [1]byte
	if signECDSA(digest, &k.bytes, &signature.compact, &id) != Valid {
		return Signature{}, 0, ErrSecretKey
	}
	return signature, RecoveryID(id[0]), nil
}

// SignSchnorr signs a message of any length by BIP-340. The auxiliary randomness may be zero; with fresh randomness
// signing is safer against faults. Constant time.
func (k *SecretKey) SignSchnorr(message []byte, randomness [32]byte) (SchnorrSignature, error) {
	var signature SchnorrSignature
	if signSchnorr(message, &k.bytes, &randomness, &signature.bytes) != Valid {
		return SchnorrSignature{}, ErrSecretKey
	}
	return signature, nil
}

// SharedSecret is the SHA-256 of the compressed point that both sides compute, as libsecp256k1's ECDH. Constant time.
func (k *SecretKey) SharedSecret(other PublicKey) ([32]byte, error) {
	var shared [32]byte
	switch sharedSecret(&other.encoded, &k.bytes, &shared) {
	case Valid:
		return shared, nil
	case BadPublicKey:
		return [32]byte{}, ErrPublicKey
	default:
		return [32]byte{}, ErrSecretKey
	}
}

// TweakAdd is the key plus a tweak, modulo the group order. Constant time, but that it tells whether there is a result.
func (k *SecretKey) TweakAdd(tweak [32]byte) (SecretKey, error) {
	var sum SecretKey
	if tweakSecret(&k.bytes, &tweak, &sum.bytes) != Valid {
		return SecretKey{}, ErrTweak
	}
	return sum, nil
}

// Negate is the key n - d, whose public key is the negative of this one's.
func (k *SecretKey) Negate() (SecretKey, error) {
	var negative SecretKey
	if negateSecret(&k.bytes, &negative.bytes) != Valid {
		return SecretKey{}, ErrSecretKey
	}
	return negative, nil
}

// Bytes are the 32 big-endian bytes, which the caller should wipe.
func (k *SecretKey) Bytes() [32]byte { return k.bytes }

// Equal compares in constant time.
func (k *SecretKey) Equal(other crypto.PrivateKey) bool {
	switch other := other.(type) {
	case SecretKey:
		return subtle.ConstantTimeCompare(k.bytes[:], other.bytes[:]) == 1
	case *SecretKey:
		return other != nil && subtle.ConstantTimeCompare(k.bytes[:], other.bytes[:]) == 1
	}
	return false
}

// Wipe overwrites the key. Copies that Go has made of it stay.
func (k *SecretKey) Wipe() { wipe(k.bytes[:]) }

// MarshalBinary is [SecretKey.Bytes] as a slice. There is no MarshalText, so that no secret gets into a log or a JSON
// text by accident.
func (k *SecretKey) MarshalBinary() ([]byte, error) { return append([]byte(nil), k.bytes[:]...), nil }

// UnmarshalBinary reads what MarshalBinary wrote. The error is [ErrSecretKey].
func (k *SecretKey) UnmarshalBinary(bytes []byte) error {
	if len(bytes) != 32 {
		return ErrSecretKey
	}
	key := SecretKey{[32]byte(bytes)}
	if !key.isKey() {
		return ErrSecretKey
	}
	*k = key
	key.Wipe()
	return nil
}

// String says that there is a key, and not which.
func (SecretKey) String() string { return "phalanx.SecretKey(hidden)" }

// GoString is [SecretKey.String].
func (k SecretKey) GoString() string { return k.String() }

// Format writes [SecretKey.String], whatever the verb.
func (k SecretKey) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// wipe overwrites bytes, in a call that the compiler does not look into.
//
//go:noinline
func wipe(bytes []byte) { clear(bytes) }
