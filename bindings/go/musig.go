package phalanx

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"phalanx.example/phalanx/internal/tagged"
)

// MuSigError says which signers sent something wrong.
type MuSigError struct {
	// Signers are their numbers, from 0 in the order of the keys, ascending.
	Signers []int
	// Err is what is wrong: [ErrPublicKey], [ErrMuSigNonce], [ErrOutOfRange] or [ErrInvalidSignature].
	Err error
}

// Error names the signers.
func (e *MuSigError) Error() string { return fmt.Sprintf("%v: sent by signers %v", e.Err, e.Signers) }

// Unwrap is what is wrong.
func (e *MuSigError) Unwrap() error { return e.Err }

// blamed is the error of the signers for whom something does not hold, or nil.
func blamed(err error, count int, holds func(signer int) bool) error {
	var signers []int
	for signer := range count {
		if !holds(signer) {
			signers = append(signers, signer)
		}
	}
	if signers == nil {
		return nil
	}
	return &MuSigError{signers, err}
}

// MuSigKeys are the keys of all signers of MuSig2 (BIP-327), and the aggregate key that stands for them, tweaked or not. They
// never change.
type MuSigKeys struct {
	keys []PublicKey
	// coefficients are what each key is multiplied by.
	coefficients []*big.Int
	// key is the aggregate with all tweaks.
	key PublicKey
	// negated says whether the sum of the keys stands in the aggregate with its negative, and tweak is the sum of the tweaks,
	// each with the sign that later ones gave it: the BIP's gacc and tacc.
	negated bool
	tweak   *big.Int
}

var groupOrder, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)

// generator is the point that public keys are multiples of.
var generator = []byte("\x02\x79\xbe\x66\x7e\xf9\xdc\xbb\xac\x55\xa0\x62\x95\xce\x87\x0b\x07" +
	"\x02\x9b\xfc\xdb\x2d\xce\x28\xd9\x59\xf2\x81\x5b\x16\xf8\x17\x98")

// reduced is a hash modulo the group order.
func reduced(hash [32]byte) *big.Int {
	number := new(big.Int).SetBytes(hash[:])
	return number.Mod(number, groupOrder)
}

// product is that of two numbers modulo the group order, negated or not.
func product(a, b *big.Int, negate bool) *big.Int {
	number := new(big.Int).Mul(a, b)
	if negate {
		number.Neg(number)
	}
	return number.Mod(number, groupOrder)
}

// scalarOf are the 32 bytes of a number below the group order.
func scalarOf(number *big.Int) (scalar [32]byte) {
	number.FillBytes(scalar[:])
	return scalar
}

// NewMuSigKeys aggregates keys in this order, which must be the same everywhere. Variable time. The error is [ErrRows] for no
// keys, and a [MuSigError] for keys that are none.
func NewMuSigKeys(keys []PublicKey) (*MuSigKeys, error) {
	if len(keys) == 0 {
		return nil, ErrRows
	}
	if err := blamed(ErrPublicKey, len(keys), func(signer int) bool { return keys[signer].encoded[0] == 4 }); err != nil {
		return nil, err
	}
	encoded := make([][33]byte, len(keys))
	for i, key := range keys {
		encoded[i] = key.Compressed()
	}
	list := tagged.Hash("KeyAgg list", columnOfRows(encoded).Data)
	// The first key that differs from the first key has the coefficient 1, wherever it stands.
	second := slices.IndexFunc(encoded, func(key [33]byte) bool { return key != encoded[0] })
	scalars, coefficients := make([][32]byte, len(keys)), make([]*big.Int, len(keys))
	for i, key := range encoded {
		if coefficients[i] = big.NewInt(1); second < 0 || key != encoded[second] {
			coefficients[i] = reduced(tagged.Hash("KeyAgg coefficient", list[:], key[:]))
		}
		scalars[i] = scalarOf(coefficients[i])
	}
	sum, err := new(Bulk).SumOfProducts(context.Background(), ColumnOf(scalars), ColumnOf(keys), len(keys))
	if err != nil {
		return nil, err
	}
	// No keys are known whose sum is infinity.
	key, err := ParsePublicKey(sum[:])
	if err != nil {
		return nil, err
	}
	return &MuSigKeys{slices.Clone(keys), coefficients, key, false, new(big.Int)}, nil
}

// PublicKey is the aggregate key with all tweaks. Signatures verify under its [PublicKey.XOnly].
func (k *MuSigKeys) PublicKey() PublicKey { return k.key }

// xOnly is the x of the aggregate key.
func (k *MuSigKeys) xOnly() [32]byte { return [32]byte(k.key.encoded[1:33]) }

// isOdd says whether the y of the aggregate key is odd.
func (k *MuSigKeys) isOdd() bool { return k.key.encoded[64]&1 == 1 }

// TweakAdd is these keys with the tweak times the generator added to the aggregate key, as BIP-32 does for a child key. The
// error is [ErrTweak], and [ErrPublicKey] for the zero value. Variable time.
func (k *MuSigKeys) TweakAdd(tweak [32]byte) (*MuSigKeys, error) { return k.tweaked(tweak, false) }

// TweakAddXOnly is these keys with the tweak times the generator added to the point with even y that has the x of the aggregate
// key, as BIP-341 does for a taproot output key. Its errors are those of [MuSigKeys.TweakAdd]. Variable time.
func (k *MuSigKeys) TweakAddXOnly(tweak [32]byte) (*MuSigKeys, error) {
	return k.tweaked(tweak, k.isOdd())
}

// tweaked adds a tweak to the aggregate key or to its negative.
func (k *MuSigKeys) tweaked(tweak [32]byte, negate bool) (*MuSigKeys, error) {
	if len(k.keys) == 0 {
		return nil, ErrPublicKey
	}
	tweaked, sum := *k, new(big.Int).Set(k.tweak)
	if negate {
		even, _ := k.key.XOnly()
		tweaked.key, tweaked.negated = even.PublicKey(), !k.negated
		sum.Neg(sum)
	}
	key, err := tweaked.key.TweakAdd(tweak)
	if err != nil {
		return nil, err
	}
	sum.Add(sum, new(big.Int).SetBytes(tweak[:]))
	tweaked.key, tweaked.tweak = key, sum.Mod(sum, groupOrder)
	return &tweaked, nil
}
