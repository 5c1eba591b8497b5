//! What [`SumEquation`] proves of a key by its x, for every x of a field of 43 numbers, on the curve and off it: every
//! multiple of its image, every other point, every r, both parities.
//!
//! The curve y^2 = x^3 + 7 has 31 points there, and its twist 57: points of the orders 3, 19 and 57.

use crate::secp256k1::Secp256k1;
use phalanx_engine::curve::{Affine, AskedOfY, ImageByX, Jacobian, SumEquation};
use phalanx_engine::field::Field;
use phalanx_engine::word::Mask;

const P: u64 = 43;

/// A number modulo 43.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Small(u64);

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Truth(bool);

impl Mask for Truth {
    const NONE: Self = Truth(false);
    const ALL: Self = Truth(true);
    fn and(self, other: Self) -> Self {
        Truth(self.0 & other.0)
    }
    fn or(self, other: Self) -> Self {
        Truth(self.0 | other.0)
    }
    fn xor(self, other: Self) -> Self {
        Truth(self.0 ^ other.0)
    }
    fn not(self) -> Self {
        Truth(!self.0)
    }
    fn any(self) -> bool {
        self.0
    }
    fn lane(self, _: usize) -> bool {
        self.0
    }
}

impl Field for Small {
    type Mask = Truth;
    type Product = Small;

    fn zero() -> Self {
        Small(0)
    }
    fn one() -> Self {
        Small(1)
    }
    fn constant([number, above @ ..]: [u64; 4]) -> Self {
        assert_eq!(above, [0; 3]);
        Small(number % P)
    }
    fn add(self, other: Self) -> Self {
        Small((self.0 + other.0) % P)
    }
    fn negate(self, _: u64) -> Self {
        Small((P - self.0) % P)
    }
    fn scale(self, factor: u64) -> Self {
        Small(self.0 * factor % P)
    }
    fn carry(self) -> Self {
        self
    }
    fn weaken(self) -> Self {
        self
    }
    fn difference(self, other: Self, magnitude: u64) -> Self {
        self.sub(other, magnitude)
    }
    fn mul(self, other: Self) -> Self {
        Small(self.0 * other.0 % P)
    }
    fn square(self) -> Self {
        self.mul(self)
    }
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.mul(other).scale(K)
    }
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul(other).scale(K)
    }
    fn square_scaled<const K: u64>(self) -> Self {
        self.square().scale(K)
    }
    fn mul_add(self, other: Self, addend: Self) -> Self {
        self.mul(other).add(addend)
    }
    fn square_add(self, addend: Self) -> Self {
        self.square().add(addend)
    }
    fn minus_product(self, other: Self, magnitude: u64) -> Small {
        self.mul(other).negate(magnitude)
    }
    fn minus_square<const K: u64>(self, magnitude: u64) -> Small {
        self.square().scale(K).negate(magnitude)
    }
    fn mul_plus(self, other: Self, product: Small) -> Self {
        self.mul(other).add(product)
    }
    fn square_plus(self, product: Small) -> Self {
        self.square().add(product)
    }
    fn normalize(self) -> Self {
        self
    }
    fn is_zero(self) -> Truth {
        Truth(self.0 == 0)
    }
    fn is_odd(self) -> Truth {
        Truth(self.0 % 2 == 1)
    }
    fn select(mask: Truth, if_set: Self, if_clear: Self) -> Self {
        if mask.0 { if_set } else { if_clear }
    }
    fn invert(self) -> Self {
        (0..P - 2).fold(Small(1), |power, _| power.mul(self))
    }
}

/// A point by its coordinates, none for infinity.
type Plain = Option<(u64, u64)>;

fn inverse(number: u64) -> u64 {
    (1..P).find(|other| number * other % P == 1).expect("zero has no inverse")
}

/// The sum by chord and tangent, on any curve with A = 0 and without points of order two.
fn sum(a: Plain, b: Plain) -> Plain {
    let (Some((x, y)), Some((u, v))) = (a, b) else { return a.or(b) };
    if x == u && (y + v) % P == 0 {
        return None;
    }
    let slope = if x == u { 3 * x * x * inverse(2 * y % P) } else { (v + P - y) * inverse((u + P - x) % P) } % P;
    let third = (slope * slope + 2 * P - x - u) % P;
    Some((third, (slope * (x + P - third) + P - y) % P))
}

fn points() -> Vec<(u64, u64)> {
    let all = (0..P).flat_map(|x| (0..P).map(move |y| (x, y)));
    all.filter(|(x, y)| y * y % P == (x * x * x + 7) % P).collect()
}

fn affine((x, y): (u64, u64)) -> Affine<Small> {
    Affine { x: Small(x), y: Small(y) }
}

/// What the equation proves of a key by its x, given the image of a multiple of it.
fn proved(product: Jacobian<Small>, d: Small, odd: bool, other: (u64, u64), r: u64, even: bool) -> bool {
    let (other, r) = (affine(other), Small(r));
    let equation = SumEquation::new(product, d, other, r);
    let denominator = equation.denominator();
    let asked = AskedOfY { product_y: product.y, d, odd: Truth(odd), other, r, even };
    denominator != Small(0) && equation.holds(&asked, denominator.invert()).0
}

/// Whether the chord from a multiple of a key to the other point leads to this x, and to the y that is asked.
fn is_so(multiple: Plain, other: (u64, u64), r: u64, even: bool) -> bool {
    let Some((x, _)) = multiple else { return false };
    let Some((sum_x, sum_y)) = sum(multiple, Some(other)) else { return false };
    x != other.0 && sum_x == r && (!even || sum_y % 2 == 0)
}

/// 0, the point, twice the point, and so on, by addition after addition.
fn multiples(point: (u64, u64)) -> impl Iterator<Item = Plain> {
    std::iter::successors(Some(None), move |multiple| Some(sum(*multiple, Some(point))))
}

#[test]
fn the_curve_is_what_is_said() {
    assert_eq!(points().len() + 1, 31);
    assert!((0..P).all(|x| (x * x * x + 7) % P != 0));
}

/// Every key by its x: those of the curve, and those of the twist, whose image has an order that divides 57.
#[test]
fn exactly_the_true_sums_are_proved() {
    let points = points();
    let (mut proofs, mut off) = (0, 0);
    for x in 0..P {
        let ImageByX { point, d } = ImageByX::new::<Secp256k1>(Small(x));
        let keys = [false, true].map(|odd| points.iter().copied().find(|(u, y)| *u == x && (y % 2 == 1) == odd));
        let known: Vec<Vec<Plain>> =
            keys.iter().map(|key| key.map_or(vec![None; 57], |key| multiples(key).take(57).collect())).collect();
        let mut product = Jacobian::<Small>::infinity();
        for a in 0..57 {
            // Over another denominator each time.
            let z = Small(1 + (x + a as u64) % (P - 1));
            let zz = z.square();
            let over = Jacobian { x: product.x.mul(zz), y: product.y.mul(zz.mul(z)), z: product.z.mul(z) };
            for (odd, multiples) in [false, true].into_iter().zip(&known) {
                for other in &points {
                    for (r, even) in (0..P).flat_map(|r| [(r, false), (r, true)]) {
                        let expected = is_so(multiples[a], *other, r, even);
                        let found = proved(over, d, odd, *other, r, even);
                        assert_eq!(found, expected, "x {x}, {a} times, {odd}, {other:?}, {r}, {even}");
                        proofs += u32::from(found);
                        off += u32::from(keys == [None; 2]);
                    }
                }
            }
            product = product.add_mixed_complete(point);
        }
    }
    assert!(proofs > 10_000 && off > 1_000_000, "{proofs} proofs, {off} off the curve");
}

/// A key whose y is known is its own image, with d = 1 and a y of 1.
#[test]
fn keys_whose_y_is_known_are_the_case_of_d_one() {
    let points = points();
    for key in points.iter().step_by(3) {
        let mut product = Jacobian::<Small>::infinity();
        for multiple in multiples(*key).take(31) {
            for other in &points {
                for (r, even) in (0..P).flat_map(|r| [(r, false), (r, true)]) {
                    let expected = is_so(multiple, *other, r, even);
                    assert_eq!(proved(product, Small(1), true, *other, r, even), expected);
                    // With an even y, which is -1, the key is the other point with this x.
                    let negated = multiple.map(|(x, y)| (x, (P - y) % P));
                    let expected = is_so(negated, *other, r, even);
                    assert_eq!(proved(product, Small(1), false, *other, r, even), expected);
                }
            }
            product = product.add_mixed_complete(affine(*key));
        }
    }
}

/// Where no point has this x, nothing is proved, whatever stands for the multiple.
#[test]
fn nothing_is_proved_off_the_curve() {
    let points = points();
    for x in (0..P).filter(|x| points.iter().all(|(u, _)| u != x)) {
        let d = ImageByX::new::<Secp256k1>(Small(x)).d;
        for (x, y) in (0..P).flat_map(|x| (0..P).map(move |y| (x, y))) {
            let product = Jacobian { x: Small(x), y: Small(y), z: Small(1 + (x + y) % 42) };
            for other in points.iter().step_by(4) {
                for (r, odd) in (0..P).flat_map(|r| [(r, false), (r, true)]) {
                    assert!(!proved(product, d, odd, *other, r, false));
                }
            }
        }
    }
}
