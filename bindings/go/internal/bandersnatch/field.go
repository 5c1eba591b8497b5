// Package bandersnatch is the curve under Banderwagon in plain Go: what the package banderwagon computes by where it has no
// image, and what its tests compare the image with. It is slow, and none of it is constant time.
package bandersnatch

import (
	"math/big"
	"math/bits"
)

// P is the prime of the coordinates, in words, least significant first.
var P = [4]uint64{0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48}

// R is the order of the group.
var R = [4]uint64{0x74fd_06b5_2876_e7e1, 0xff8f_8700_7419_0471, 0x0cce_7602_0268_7600, 0x1cfb_69d4_ca67_5f52}

// negative inverse of p modulo 2^64.
const inverse = 0xffff_fffe_ffff_ffff

// number is a number modulo p, times 2^256, below p.
type number [4]uint64

var (
	bigP = Big(P)
	// square is 2^512 modulo p.
	square = reduced(new(big.Int).Lsh(big.NewInt(1), 512))
	one    = enter([4]uint64{1})
)

// Big is the number of words.
func Big(words [4]uint64) *big.Int {
	n := new(big.Int)
	for i := 3; i >= 0; i-- {
		n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(words[i]))
	}
	return n
}

// Words are those of a number below 2^256.
func Words(n *big.Int) (words [4]uint64) {
	rest, mask := new(big.Int).Set(n), new(big.Int).SetUint64(^uint64(0))
	for i := range words {
		words[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, 64)
	}
	return words
}

func reduced(n *big.Int) number { return number(Words(new(big.Int).Mod(n, bigP))) }

// Less says whether a is below b.
func Less(a, b [4]uint64) bool {
	var borrow uint64
	for i := range a {
		_, borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return borrow == 1
}

// enter is the number of words that are below p.
func enter(words [4]uint64) number { return number(words).mul(square) }

// leave is what enter was given.
func (a number) leave() [4]uint64 { return [4]uint64(a.mul(number{1})) }

// mul is the product divided by 2^256, by Montgomery's method: p leaves the highest bit free, so that no carry is lost.
func (a number) mul(b number) number {
	var t [5]uint64
	for i := range b {
		var high uint64
		for j := range a {
			h, l := bits.Mul64(a[j], b[i])
			var carry uint64
			l, carry = bits.Add64(l, t[j], 0)
			h += carry
			l, carry = bits.Add64(l, high, 0)
			t[j], high = l, h+carry
		}
		top, over := bits.Add64(t[4], high, 0)
		m := t[0] * inverse
		h, l := bits.Mul64(m, P[0])
		_, carry := bits.Add64(l, t[0], 0)
		high = h + carry
		for j := 1; j < 4; j++ {
			h, l = bits.Mul64(m, P[j])
			l, carry = bits.Add64(l, t[j], 0)
			h += carry
			l, carry = bits.Add64(l, high, 0)
			t[j-1], high = l, h+carry
		}
		t[3], carry = bits.Add64(top, high, 0)
		t[4] = over + carry
	}
	return number{t[0], t[1], t[2], t[3]}.once()
}

// once takes p off where it can.
func (a number) once() number {
	if Less(a, P) {
		return a
	}
	return number(Minus(a, P))
}

// Minus is a - b modulo 2^256.
func Minus(a, b [4]uint64) (d [4]uint64) {
	var borrow uint64
	for i := range a {
		d[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return d
}

// Plus is a + b modulo 2^256.
func Plus(a, b [4]uint64) (s [4]uint64) {
	var carry uint64
	for i := range a {
		s[i], carry = bits.Add64(a[i], b[i], carry)
	}
	return s
}

func (a number) add(b number) number { return number(Plus(a, b)).once() }

func (a number) sub(b number) number {
	if Less(a, b) {
		return number(Plus(Minus(a, b), P))
	}
	return number(Minus(a, b))
}

func (a number) neg() number { return number{}.sub(a) }

// invert is the inverse; none of zero.
func (a number) invert() number { return enter(Words(new(big.Int).ModInverse(Big(a.leave()), bigP))) }

func (a number) isSquare() bool { return big.Jacobi(Big(a.leave()), bigP) >= 0 }

// root is a square root of a square.
func (a number) root() number { return enter(Words(new(big.Int).ModSqrt(Big(a.leave()), bigP))) }

// isHigh says whether the number is above (p - 1) / 2.
func (a number) isHigh() bool { return Less(a.neg().leave(), a.leave()) }

func small(n uint64) number { return enter([4]uint64{n}) }
