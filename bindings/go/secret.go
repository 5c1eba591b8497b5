package phalanx

import (
	"crypto"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"unsafe"
)

// SecretKey is a number from 1 to n - 1. The zero value is no key: what is computed from it fails.
//
// The number lies in one place of the heap, which copies of a SecretKey share. So Go makes no copies of it when values
// are passed on or stacks grow, and [SecretKey.Wipe] leaves none. No format verb shows it, also within other values;
// [SecretKey.Bytes] and [SecretKey.MarshalBinary] are the only ways to its bytes.
type SecretKey struct {
	// The address of a [32]byte. Packages that print by reflection, among them fmt, follow no pointer of this type.
	number unsafe.Pointer
}

var (
	_ crypto.Signer = SecretKey{}
	_ fmt.Formatter = SecretKey{}
)

// none is what the zero value has for a number.
var none [32]byte

// bytes are the key's, which are never written.
func (k SecretKey) bytes() *[32]byte {
	if k.number == nil {
		return &none
	}
	return (*[32]byte)(k.number)
}

// newSecretKey is a key that is zero yet, and where to write it.
func newSecretKey() (SecretKey, *[32]byte) {
	number := new([32]byte)
	return SecretKey{unsafe.Pointer(number)}, number
}

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
	key, number := newSecretKey()
	// Numbers that are no key come up once in 2^127.
	for range 8 {
		if _, err := io.ReadFull(random, number[:]); err != nil {
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
func (k SecretKey) isKey() bool {
	var sum [32]byte
	// Zero added: the key itself, if it is one.
	verdict := tweakSecret(k.bytes(), &none, &sum)
	wipe(sum[:])
	return verdict == Valid
}

// PublicKey is the public key. Constant time. It is the zero value, which is no key, if the secret key is none.
func (k SecretKey) PublicKey() PublicKey {
	var key PublicKey
	publicKey(k.bytes(), &key.encoded)
	return key
}

// Public is [SecretKey.PublicKey], as crypto.Signer wants it.
func (k SecretKey) Public() crypto.PublicKey { return k.PublicKey() }

// Sign signs a digest of 32 bytes by ECDSA, as crypto.Signer wants it: the answer is DER. Nonces are those of RFC 6979,
// and the source of randomness is not read. The options are read for their hash alone, whose digests must have 32 bytes, or
// none. Otherwise the error is [ErrDigest].
func (k SecretKey) Sign(_ io.Reader, digest []byte, options crypto.SignerOpts) ([]byte, error) {
	if len(digest) != 32 || options != nil && !hasDigestsOf32(options.HashFunc()) {
		return nil, ErrDigest
	}
	signature, _, err := k.sign((*[32]byte)(digest))
	if err != nil {
		return nil, err
	}
	return signature.DER(), nil
}

// hasDigestsOf32 says whether a hash is none, or one whose digests have 32 bytes. crypto.Hash.Size would panic for a number
// that is no hash.
func hasDigestsOf32(hash crypto.Hash) bool {
	switch hash {
	case 0, crypto.SHA256, crypto.SHA512_256, crypto.SHA3_256, crypto.BLAKE2s_256, crypto.BLAKE2b_256:
		return true
	}
	return false
}

// SignDigest signs a digest by ECDSA, with the nonce of RFC 6979 and low s. Constant time. The error is [ErrSecretKey]
// for the zero value.
func (k SecretKey) SignDigest(digest [32]byte) (Signature, error) {
	signature, _, err := k.sign(&digest)
	return signature, err
}

// SignRecoverable is [SecretKey.SignDigest], with the id by which [Recover] finds the public key again.
func (k SecretKey) SignRecoverable(digest [32]byte) (Signature, RecoveryID, error) {
	return k.sign(&digest)
}

func (k SecretKey) sign(digest *[32]byte) (Signature, RecoveryID, error) {
	var signature Signature
	var id [1]byte
	if signECDSA(digest, k.bytes(), &signature.compact, &id) != Valid {
		return Signature{}, 0, ErrSecretKey
	}
	return signature, RecoveryID(id[0]), nil
}

// SignSchnorr signs a message of any length by BIP-340. The auxiliary randomness may be zero; with fresh randomness
// signing is safer against faults. Constant time.
func (k SecretKey) SignSchnorr(message []byte, randomness [32]byte) (SchnorrSignature, error) {
	var signature SchnorrSignature
	if signSchnorr(message, k.bytes(), &randomness, &signature.bytes) != Valid {
		return SchnorrSignature{}, ErrSecretKey
	}
	return signature, nil
}

// SharedSecret is the SHA-256 of the compressed point that both sides compute, as libsecp256k1's ECDH. Constant time. It is
// returned on the caller's stack; [Bulk.SharedSecrets] writes where it is told to, and leaves no copy.
func (k SecretKey) SharedSecret(other PublicKey) (shared [32]byte, err error) {
	// Written into the result itself. A variable beside it would keep a copy.
	switch sharedSecret(&other.encoded, k.bytes(), &shared) {
	case Valid:
		return shared, nil
	case BadPublicKey:
		return [32]byte{}, ErrPublicKey
	default:
		return [32]byte{}, ErrSecretKey
	}
}

// TweakAdd is the key plus a tweak, modulo the group order. Constant time, but that it tells whether there is a result.
func (k SecretKey) TweakAdd(tweak [32]byte) (SecretKey, error) {
	sum, number := newSecretKey()
	verdict := tweakSecret(k.bytes(), &tweak, number)
	// The copy that the call made, which its caller cannot reach.
	wipe(tweak[:])
	if verdict != Valid {
		return SecretKey{}, ErrTweak
	}
	return sum, nil
}

// Negate is the key n - d, whose public key is the negative of this one's.
func (k SecretKey) Negate() (SecretKey, error) {
	negative, number := newSecretKey()
	if negateSecret(k.bytes(), number) != Valid {
		return SecretKey{}, ErrSecretKey
	}
	return negative, nil
}

// Bytes are the 32 big-endian bytes, which the caller should wipe.
func (k SecretKey) Bytes() [32]byte { return *k.bytes() }

// Equal compares in constant time.
func (k SecretKey) Equal(other crypto.PrivateKey) bool {
	switch other := other.(type) {
	case SecretKey:
		return subtle.ConstantTimeCompare(k.bytes()[:], other.bytes()[:]) == 1
	case *SecretKey:
		return other != nil && subtle.ConstantTimeCompare(k.bytes()[:], other.bytes()[:]) == 1
	}
	return false
}

// Wipe overwrites the key, and with it all copies of the value. What is computed from it afterwards fails.
func (k SecretKey) Wipe() {
	if k.number != nil {
		wipe(k.bytes()[:])
	}
}

// MarshalBinary is [SecretKey.Bytes] as a slice. There is no MarshalText, so that no secret gets into a log or a JSON
// text by accident.
func (k SecretKey) MarshalBinary() ([]byte, error) { return append([]byte(nil), k.bytes()[:]...), nil }

// UnmarshalBinary reads what MarshalBinary wrote. The error is [ErrSecretKey].
func (k *SecretKey) UnmarshalBinary(bytes []byte) error {
	if len(bytes) != 32 {
		return ErrSecretKey
	}
	key, number := newSecretKey()
	copy(number[:], bytes)
	if !key.isKey() {
		key.Wipe()
		return ErrSecretKey
	}
	*k = key
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
