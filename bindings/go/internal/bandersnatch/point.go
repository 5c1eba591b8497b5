package bandersnatch

import "encoding/binary"

// Point is a point of odd order in extended coordinates (X : Y : Z : T), each below p, in words: X Y = Z T. The zero value
// is the neutral element.
type Point [16]uint64

// point is the same as numbers.
type point struct{ x, y, z, t number }

// The curve is a x^2 + y^2 = 1 + d x^2 y^2 with a = -5; s is a square root of a d.
var (
	minusA = small(5)
	d      = enter([4]uint64{0xb369_f2f5_188d_58e7, 0xcb66_6771_77e5_4f92, 0xc66e_3bf8_6be3_b6d8, 0x6389_c126_33c2_67cb})
	s      = enter([4]uint64{0x59b4_f97a_8c46_ac76, 0x65b3_33b8_bbf2_a7c9, 0xe337_1dfc_35f1_db6c, 0x31c4_e093_19e1_33e5})
)

// Generator is the generator of the group.
var Generator = affine(
	enter([4]uint64{0xe1e7_1866_a252_ae18, 0x2b79_c022_ad99_8465, 0x7437_1177_7bbe_42f3, 0x29c1_32cc_2c0b_34c5}),
	enter([4]uint64{0x5e31_67b6_cc97_4166, 0x358c_ad81_eee4_6460, 0x157d_8b50_badc_d586, 0x2a6c_669e_da12_3e0f}),
).words()

func affine(x, y number) point { return point{x, y, one, x.mul(y)} }

func (p Point) numbers() point {
	if p == (Point{}) {
		return affine(number{}, one)
	}
	at := func(i int) number { return enter([4]uint64(p[4*i : 4*i+4])) }
	return point{at(0), at(1), at(2), at(3)}
}

func (p point) words() (w Point) {
	for i, n := range [4]number{p.x, p.y, p.z, p.t} {
		words := n.leave()
		copy(w[4*i:], words[:])
	}
	return w
}

// add is the sum of any two points of odd order (Hisil, Wong, Carter and Dawson, 2008, section 3.1).
func (p point) add(q point) point {
	a, b, c, e := p.x.mul(q.x), p.y.mul(q.y), p.t.mul(q.t).mul(d), p.z.mul(q.z)
	m := p.x.add(p.y).mul(q.x.add(q.y)).sub(a).sub(b)
	f, g, h := e.sub(c), e.add(c), b.add(minusA.mul(a))
	return point{m.mul(f), g.mul(h), f.mul(g), m.mul(h)}
}

func (p point) neg() point { return point{p.x.neg(), p.y, p.z, p.t.neg()} }

// Add is the sum.
func (p Point) Add(q Point) Point { return p.numbers().add(q.numbers()).words() }

// Neg is the negative.
func (p Point) Neg() Point { return p.numbers().neg().words() }

// Equal says whether two points are the same.
func (p Point) Equal(q Point) bool {
	a, b := p.numbers(), q.numbers()
	return a.x.mul(b.y) == b.x.mul(a.y)
}

// Mul is the point times a number.
func (p Point) Mul(scalar [4]uint64) Point {
	return NewMultiples([]Point{p}).Sum([]int{0}, [][4]uint64{scalar})
}

// Multiples are those of points from 0 to 15, from which sums are computed again and again.
type Multiples [][16]point

// NewMultiples computes them.
func NewMultiples(points []Point) Multiples {
	multiples := make(Multiples, len(points))
	for i, p := range points {
		multiples[i][0] = affine(number{}, one)
		for j := 1; j < 16; j++ {
			multiples[i][j] = multiples[i][j-1].add(p.numbers())
		}
	}
	return multiples
}

// Sum is the sum of the points at these positions times scalars, by windows of four bits.
func (m Multiples) Sum(positions []int, scalars [][4]uint64) Point {
	sum := affine(number{}, one)
	for window := 63; window >= 0; window-- {
		for range 4 {
			sum = sum.add(sum)
		}
		for i, scalar := range scalars {
			if digit := scalar[window/16] >> (window % 16 * 4) & 15; digit != 0 {
				sum = sum.add(m[positions[i]][digit])
			}
		}
	}
	return sum.words()
}

// A Fault is why bytes are no point.
type Fault int

// The faults, by the numbers of the image.
const (
	None Fault = iota
	NotCanonical
	NotOnCurve
	NotInGroup
)

func bigEndian(bytes []byte) (words [4]uint64) {
	for i := range words {
		words[i] = binary.BigEndian.Uint64(bytes[24-8*i:])
	}
	return words
}

func putBigEndian(bytes []byte, words [4]uint64) {
	for i, word := range words {
		binary.BigEndian.PutUint64(bytes[24-8*i:], word)
	}
}

func coordinate(bytes []byte) (number, bool) {
	words := bigEndian(bytes)
	return enter(words), Less(words, P)
}

// member says whether points with this x belong to the group.
func member(x number) bool { return one.add(minusA.mul(x.mul(x))).isSquare() }

// odd is the one of (x, y) and (-x, -y) that has odd order: 2 (1 - y) ((a - s) + (s - d) y) is a square.
func odd(x, y number) point {
	factor := s.sub(d).mul(y).sub(s.add(minusA))
	if other := one.sub(y); other.add(other).mul(factor).isSquare() {
		return affine(x, y)
	}
	return affine(x.neg(), y.neg())
}

// Decode is the point of 32 bytes: x, of the point whose y is above (p - 1) / 2.
func Decode(bytes []byte) (Point, Fault) {
	x, ok := coordinate(bytes)
	if !ok {
		return Point{}, NotCanonical
	}
	xx := x.mul(x)
	u, v := one.add(minusA.mul(xx)), one.sub(d.mul(xx))
	switch {
	case !u.isSquare() && !v.isSquare():
		return Point{}, NotInGroup
	case u.isSquare() != v.isSquare():
		return Point{}, NotOnCurve
	}
	y := u.mul(v).root().mul(v.invert())
	if !y.isHigh() {
		y = y.neg()
	}
	return odd(x, y).words(), None
}

// DecodeUncompressed is the point of x and y.
func DecodeUncompressed(bytes []byte) (Point, Fault) {
	x, okX := coordinate(bytes)
	y, okY := coordinate(bytes[32:])
	if !okX || !okY {
		return Point{}, NotCanonical
	}
	xx, yy := x.mul(x), y.mul(y)
	if yy.sub(minusA.mul(xx)) != one.add(d.mul(xx).mul(yy)) {
		return Point{}, NotOnCurve
	}
	if !member(x) {
		return Point{}, NotInGroup
	}
	return odd(x, y).words(), None
}

// Encode is what Decode reads.
func (p Point) Encode() (bytes [32]byte) {
	n := p.numbers()
	inverse := n.z.invert()
	x, y := n.x.mul(inverse), n.y.mul(inverse)
	if !y.isHigh() {
		x = x.neg()
	}
	putBigEndian(bytes[:], x.leave())
	return bytes
}

// EncodeUncompressed is x and y of the point of odd order.
func (p Point) EncodeUncompressed() (bytes [64]byte) {
	n := p.numbers()
	inverse := n.z.invert()
	putBigEndian(bytes[:32], n.x.mul(inverse).leave())
	putBigEndian(bytes[32:], n.y.mul(inverse).leave())
	return bytes
}

// Map is x / y, a number modulo p, modulo the order of the group.
func (p Point) Map() [4]uint64 {
	n := p.numbers()
	return ReduceScalar(n.x.mul(n.y.invert()).leave())
}

// ReduceScalar is a number modulo the order of the group.
func ReduceScalar(words [4]uint64) [4]uint64 {
	for !Less(words, R) {
		words = Minus(words, R)
	}
	return words
}
