package phalanx

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"unsafe"
)

// MuSigSecretNonce is the secret half of a nonce of MuSig2. It signs once. The zero value is one that has signed.
//
// Its numbers lie in one place of the heap, which copies of the value share, so that of all copies, on any goroutines, one
// signs. No format verb shows them, and nothing writes them down.
type MuSigSecretNonce struct {
	// The address of a nonceNumbers. Packages that print by reflection, among them fmt, follow no pointer of this type.
	numbers unsafe.Pointer
}

// nonceNumbers are k1 and k2, and the key that they sign for.
type nonceNumbers struct {
	k    [64]byte
	key  PublicKey
	used atomic.Bool
}

var _ fmt.Formatter = MuSigSecretNonce{}

// take is the numbers, for the one call that gets them; nil for all others.
func (n MuSigSecretNonce) take() *nonceNumbers {
	numbers := (*nonceNumbers)(n.numbers)
	if numbers == nil || numbers.used.Swap(true) {
		return nil
	}
	return numbers
}

// Wipe overwrites a nonce that has not signed, and with it all copies of the value.
func (n MuSigSecretNonce) Wipe() {
	if numbers := n.take(); numbers != nil {
		wipe(numbers.k[:])
	}
}

// String says that there is a nonce, and not which.
func (MuSigSecretNonce) String() string { return "phalanx.MuSigSecretNonce(hidden)" }

// GoString is [MuSigSecretNonce.String].
func (n MuSigSecretNonce) GoString() string { return n.String() }

// Format writes [MuSigSecretNonce.String], whatever the verb.
func (n MuSigSecretNonce) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, n.String()) }

// MuSigNonceInputs are what a nonce depends on besides its signer's public key. Each value that is known makes a repeated
// nonce less likely where randomness fails.
type MuSigNonceInputs struct {
	// SecretKey is the signer's; the zero value where it is not at hand.
	SecretKey SecretKey
	// Keys are those of all signers, or nil.
	Keys *MuSigKeys
	// Message is nil where it is not known yet.
	Message []byte
	// Extra is anything else, such as a counter. At most 2^32 - 1 bytes count.
	Extra []byte
	// Random is a source of uniform bytes that are used for nothing else; crypto/rand where it is nil.
	Random io.Reader
}

// NewMuSigNonce makes a nonce of the signer with this public key: the secret half, and the 66 bytes of the public one, which
// the signer sends. Constant time in secrets. The errors are [ErrPublicKey], [ErrSecretKey] and [ErrRandomness].
func NewMuSigNonce(key PublicKey, inputs MuSigNonceInputs) (MuSigSecretNonce, [66]byte, error) {
	if key.encoded[0] != 4 {
		return MuSigSecretNonce{}, [66]byte{}, ErrPublicKey
	}
	var aggregate []byte
	if inputs.Keys != nil {
		aggregate = inputs.Keys.key.encoded[1:33]
	}
	return nonceOf(key, inputs.SecretKey, restOf(key, aggregate, inputs.Message, inputs.Extra), inputs.Random)
}

// restOf is what a nonce is hashed from besides secrets.
func restOf(key PublicKey, aggregate, message, extra []byte) []byte {
	compressed := key.Compressed()
	rest := append(append([]byte{33}, compressed[:]...), byte(len(aggregate)))
	rest = append(rest, aggregate...)
	if message == nil {
		rest = append(rest, 0)
	} else {
		rest = append(binary.BigEndian.AppendUint64(append(rest, 1), uint64(len(message))), message...)
	}
	extra = extra[:min(uint64(len(extra)), math.MaxUint32)]
	return append(binary.BigEndian.AppendUint32(rest, uint32(len(extra))), extra...)
}

// nonceOf is the nonce that is hashed from randomness, the key, and the rest.
func nonceOf(key PublicKey, secret SecretKey, rest []byte, random io.Reader) (MuSigSecretNonce, [66]byte, error) {
	if random == nil {
		random = rand.Reader
	}
	randomness := new([32]byte)
	defer wipe(randomness[:])
	if _, err := io.ReadFull(random, randomness[:]); err != nil {
		return MuSigSecretNonce{}, [66]byte{}, fmt.Errorf("%w: %w", ErrRandomness, err)
	}
	// Zeros are what a broken source gives.
	if isZero(randomness[:]) {
		return MuSigSecretNonce{}, [66]byte{}, ErrRandomness
	}
	numbers, public := &nonceNumbers{key: key}, [66]byte{}
	if musigNonce(randomness, (*[32]byte)(secret.number), rest, &numbers.k, &public) != Valid {
		return MuSigSecretNonce{}, [66]byte{}, ErrSecretKey
	}
	return MuSigSecretNonce{unsafe.Pointer(numbers)}, public, nil
}

// isZero says whether all bytes are zero. Constant time.
func isZero(bytes []byte) bool {
	var all byte
	for _, b := range bytes {
		all |= b
	}
	return all == 0
}

// AggregateMuSigNonces is the sum of the public nonces of all signers, in 66 bytes. The error is a [MuSigError] if some are
// none, and [ErrRows] if there are no nonces.
func AggregateMuSigNonces(nonces [][66]byte) ([66]byte, error) {
	if len(nonces) == 0 {
		return [66]byte{}, ErrRows
	}
	points, err := noncePoints(nonces)
	if err != nil {
		return [66]byte{}, err
	}
	var aggregate [66]byte
	for half := range 2 {
		column := ColumnOf(points)
		column.Data, column.Stride = column.Data[min(half*65, len(column.Data)):], 2*65
		sum, err := new(Bulk).SumOfProducts(context.Background(), Repeat(one[:]), column, len(nonces))
		if err != nil {
			return [66]byte{}, err
		}
		copy(aggregate[33*half:], sum[:])
	}
	return aggregate, nil
}

// noncePoints are the two points of each nonce.
func noncePoints(nonces [][66]byte) ([]PublicKey, error) {
	halves := columnOfRows(nonces)
	halves.Stride, halves.Width = 33, 33
	points, verdicts := make([]PublicKey, 2*len(nonces)), make([]Verdict, 2*len(nonces))
	if err := new(Bulk).Decompress(context.Background(), halves, points, verdicts); err != nil {
		return nil, err
	}
	return points, blamed(ErrMuSigNonce, len(nonces), func(signer int) bool {
		return verdicts[2*signer] == Valid && verdicts[2*signer+1] == Valid
	})
}
