//go:build linux && (amd64 || arm64) && !purego && !race

package residue

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// needles are words of eight bytes that must not be left, each with the name of its secret and form. They are forms that the
// library keeps numbers in, as the table of testkit/tests/residue/needles.rs has them.
type needles struct {
	words []uint64
	names []string
}

var order = secp256k1.Params().N

// word adds a word, unless too few of its bits tell of the secret: it would stand somewhere by chance.
func (n *needles) word(name string, word uint64) {
	still := max(bits.LeadingZeros64(word), bits.LeadingZeros64(^word), bits.TrailingZeros64(word))
	if still <= 24 && bits.OnesCount64(word^word>>1) >= 12 {
		n.words, n.names = append(n.words, word), append(n.names, name)
	}
}

// bytes adds 32 bytes, as they are and as SHA-256 takes them up, beginning anywhere in a word of it.
func (n *needles) bytes(name string, bytes []byte) {
	for at := 0; at < 32; at += 8 {
		n.word(name+", bytes", binary.NativeEndian.Uint64(bytes[at:]))
	}
	for at := 0; at <= 24; at++ {
		pair := binary.BigEndian.Uint64(bytes[at:])
		n.word(name+", words of a hash", pair)
		n.word(name+", words of a hash", bits.RotateLeft64(pair, 32))
	}
}

// limbs adds so many limbs of so many bits, of a negative number in two's complement.
func (n *needles) limbs(name string, number *big.Int, width uint, count int) {
	mask := new(big.Int).SetUint64(1<<width - 1)
	for at := range count {
		// Rsh rounds down, and And takes two's complement.
		limb := new(big.Int).Rsh(number, width*uint(at))
		n.word(name, limb.And(limb, mask).Uint64())
	}
}

// number adds a number below 2^256.
func (n *needles) number(name string, number *big.Int) {
	n.bytes(name, number.FillBytes(make([]byte, 32)))
	n.limbs(name+", limbs of 64 bits", number, 64, 4)
	n.limbs(name+", limbs of 52 bits", number, 52, 5)
	n.limbs(name+", limbs of 62 bits", number, 62, 5)
}

// scalar adds a scalar, its negative, what division steps make of it on the way to its inverse, and the number and the words
// of digits by which it multiplies the generator in lanes.
func (n *needles) scalar(name string, k *big.Int) {
	n.number(name, k)
	negative := new(big.Int).Sub(order, k)
	n.limbs(name+" negated, limbs of 64 bits", negative, 64, 4)
	n.limbs(name+" negated, limbs of 52 bits", negative, 52, 5)
	for _, other := range []*big.Int{
		negative, new(big.Int).Neg(k), new(big.Int).Sub(k, order), new(big.Int).Add(k, order),
	} {
		n.limbs(name+", limbs of 62 bits of either sign", other, 62, 5)
	}
	odd := k
	if k.Bit(0) == 0 {
		odd = negative
	}
	half := new(big.Int).Rsh(odd, 1)
	n.limbs(name+", half", half, 64, 4)
	digits := half.Add(half, new(big.Int).Lsh(big.NewInt(1), 257))
	for window := range uint(3) {
		n.limbs(name+", digits", new(big.Int).Rsh(digits, 6*window), 60, 5)
	}
}

// wide adds a product before its reduction.
func (n *needles) wide(name string, product *big.Int) {
	n.limbs(name+", not reduced", product, 64, 8)
}
