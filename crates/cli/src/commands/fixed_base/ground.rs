//! A curve with a basis, and what computes on it.

use phalanx::{Scalar as OrderN, Secp256k1};
use phalanx_banderwagon::{Bandersnatch, Basis, Scalar as OrderR};
use phalanx_engine::affine_add::{AffineAdder, OneLane};
use phalanx_engine::curve::{Affine, Curve};
use phalanx_engine::field::{BaseField, FieldX1};
use phalanx_engine::lanes::write_entry;
use phalanx_engine::msm::{Method, Plan, SignedInt, Sum, sum_of_products};
use phalanx_engine::word::{CacheLine, Mask};

/// Numbers that look random, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Random {
        Random(0)
    }

    /// The generator splitmix64; Steele, Lea and Flood, OOPSLA 2014.
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below the order. The order's highest word is not zero.
    pub(super) fn below(&mut self, order: &[u64; 4]) -> [u64; 4] {
        loop {
            let mut number = [0; 4].map(|_: u64| self.word());
            number[3] &= u64::MAX >> order[3].leading_zeros();
            if number.iter().rev().lt(order.iter().rev()) {
                return number;
            }
        }
    }
}

/// An element of the field of a curve's coordinates.
type Element<C> = <<C as Curve>::Field as BaseField>::X1;

/// A curve, a basis and its order, and what adds points.
pub(super) struct Ground<A> {
    pub(super) adder: A,
    pub(super) basis: Vec<CacheLine>,
    pub(super) order: [u64; 4],
}

impl<A: AffineAdder<Curve = Bandersnatch>> Ground<A> {
    /// The first points of the Verkle basis, and for a longer one those that its seed gives behind them.
    pub(super) fn banderwagon(adder: A, points: usize) -> Ground<A> {
        let basis = Basis::draw(Basis::VERKLE_SEED, points);
        Ground { adder, basis: basis.rows().to_vec(), order: OrderR::ORDER }
    }
}

impl<A: AffineAdder<Curve = Secp256k1>> Ground<A> {
    /// Random multiples of the generator.
    pub(super) fn secp256k1(adder: A, points: usize, random: &mut Random) -> Ground<A> {
        let order = OrderN::ORDER;
        let generator = write_entry(&Affine::<Element<Secp256k1>>::generator::<Secp256k1>());
        let mut multiple = || row::<Secp256k1>(products::<Secp256k1>(&[random.below(&order)], &[generator]));
        let basis = (0..points).map(|_| multiple()).collect();
        Ground { adder, basis, order }
    }
}

impl<A: AffineAdder> Ground<A> {
    /// Whether a sum of the first points times these scalars is right, by Straus' method on one lane, without tables.
    pub(super) fn is_right(&self, scalars: &[[u64; 4]], sum: Sum<A::Curve>) -> bool {
        sum.equals(products::<A::Curve>(scalars, &self.basis[..scalars.len()])) == Mask::ALL
    }
}

fn products<C: Curve>(scalars: &[[u64; 4]], points: &[CacheLine]) -> Sum<C> {
    let numbers: Vec<_> = scalars.iter().map(|scalar| SignedInt { magnitude: *scalar, negative: false }).collect();
    let plan = Plan { method: Method::Straus, width: 5 };
    sum_of_products(&OneLane::<C>::new(), plan, 256, &numbers, points, &mut Default::default())
}

/// A finite sum as a row.
fn row<C: Curve>(sum: Sum<C>) -> CacheLine {
    let inverse = <C::Field as BaseField>::invert_vartime(&sum.z.to_words());
    write_entry(&sum.to_affine_with(Element::<C>::from_words(inverse)).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_below_the_order() {
        let mut random = Random::new();
        let order = [3, 0, 0, 1];
        let numbers: Vec<_> = (0..1000).map(|_| random.below(&[u64::MAX, 0, 0, 5])).collect();
        assert!(numbers.iter().all(|number| number[3] <= 5) && numbers.iter().any(|number| number[3] == 4));
        assert!((0..100).all(|_| random.below(&order)[3] == 0));
    }

    #[test]
    fn wrong_sums_are_seen() {
        let ground = Ground::secp256k1(OneLane::<Secp256k1>::new(), 2, &mut Random::new());
        let sum = products::<Secp256k1>(&[[3, 0, 0, 0]], &ground.basis[..1]);
        assert!(ground.is_right(&[[3, 0, 0, 0]], sum) && !ground.is_right(&[[4, 0, 0, 0]], sum));
        assert!(!ground.is_right(&[[3, 0, 0, 0], [1, 0, 0, 0]], sum));
    }
}
