//! a P + b G for public inputs.
//!
//! a is split by the endomorphism into halves for P and lambda P, b into its low and high 128 bits for G and 2^128 G;
//! the four non-adjacent forms share one chain of doublings (Straus, with interleaved digits). The generator's
//! multiples are committed, P's are made affine on a model of the curve (`isomorphic_curve`).

use super::one_row::double_mul_row;
use crate::mul::{Unit, isomorphic_curve::IsomorphicTable};
use crate::{
    Scalar,
    glv::Half,
    group::{Affine, Fe, Group, Jacobian, Secp256k1},
};
use phalanx_engine::{
    field::Field,
    recode::{WNAF_DIGITS, wnaf_for_each_vartime},
    word::Mask1,
};

/// A group, and how a P + b G is computed in it.
pub(crate) trait Combine: Group {
    /// The multiples of the point among which digits choose.
    type Multiples: OddMultiples;

    /// a P + b G, of a finite point P. Variable time.
    fn double_mul_vartime(_: Unit, a: &Self::Scalar, point: &Affine, b: &Self::Scalar) -> Jacobian {
        one_lane::<Self>(a, point, Some(b))
    }

    /// a P, of a finite point P of any curve with A = 0. If P has an order up to 32,
    /// as no point of secp256k1 has, the result is arbitrary. Variable time.
    fn mul_vartime(a: &Self::Scalar, point: &Affine) -> Jacobian {
        one_lane::<Self>(a, point, None)
    }
}

/// The odd multiples, affine on one model of the curve, of the two points that the halves of a scalar belong to.
pub(crate) trait OddMultiples: Sized {
    /// The multiples and the model's scale. Variable time.
    fn of<G: Group>(point: &Affine) -> (Self, Fe);

    /// (2 index + 1) times the point of a half.
    fn get(&self, half: usize, index: usize) -> Affine;
}

/// N multiples of P, and as many of lambda P: for digits of the width log2(N) + 2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endomorphism<const N: usize>([[Affine; N]; 2]);

impl<const N: usize> OddMultiples for Endomorphism<N> {
    #[inline(always)]
    fn of<G: Group>(point: &Affine) -> (Self, Fe) {
        let IsomorphicTable { points, scale, .. } = IsomorphicTable::odd_multiples(point);
        // A loop: `map` of an array is a call for each point.
        let mut images = points;
        images.iter_mut().for_each(|image| image.x = Affine::endomorphism_of_x::<G>(image.x));
        (Self([points, images]), scale)
    }

    #[inline(always)]
    fn get(&self, half: usize, index: usize) -> Affine {
        self.0[half][index]
    }
}

impl Combine for Secp256k1 {
    type Multiples = Endomorphism<8>;

    fn double_mul_vartime(unit: Unit, a: &Scalar, point: &Affine, b: &Scalar) -> Jacobian {
        match unit {
            Unit::OneLane => one_lane::<Self>(a, point, Some(b)),
            Unit::Ifma(machine) => double_mul_row(machine, a, point, b),
        }
    }
}

#[cfg(test)]
impl<const ORDER: u64> Combine for crate::group::tiny::Tiny<ORDER> {
    type Multiples = Endomorphism<1>;
}

/// a P + b G, or a P alone.
fn one_lane<G: Combine>(a: &G::Scalar, point: &Affine, b: Option<&G::Scalar>) -> Jacobian {
    // Of each position the digits of P, lambda P, G and 2^128 G.
    let mut digits = [[0i16; 4]; WNAF_DIGITS];
    let mut used = 0;
    let mut recode = |term: usize, half: Half, width: u32| {
        let tell = |at: usize, digit: i16| digits[at][term] = if half.neg != 0 { -digit } else { digit };
        used = used.max(wnaf_for_each_vartime(half.magnitude, width, tell));
    };
    let [p, lambda_p] = G::halves(a);
    recode(0, p, G::POINT_WIDTH);
    recode(1, lambda_p, G::POINT_WIDTH);
    if let Some(b) = b {
        let [low, high] = G::low_high(b);
        recode(2, Half { neg: 0, magnitude: low }, G::GENERATOR_WIDTH);
        recode(3, Half { neg: 0, magnitude: high }, G::GENERATOR_WIDTH);
    }

    let (multiples, scale) = G::Multiples::of::<G>(point);

    let mut sum = Jacobian::infinity();
    for digits in digits[..used].iter().rev() {
        sum = sum.double();
        let mut terms = digits.iter().rev().fold(0, |terms, digit| terms << 16 | u64::from(*digit as u16));
        while terms != 0 {
            let shift = terms.trailing_zeros() & !15;
            let (term, digit) = (shift as usize / 16, (terms >> shift) as i16);
            terms &= !(0xffff << shift);
            let index = usize::from(digit.unsigned_abs() / 2);
            // The generator's multiples are not on the model.
            let (addend, scale) = if term < 2 {
                (multiples.get(term, index), None)
            } else {
                (G::generator_odd_multiple(term - 2, index), Some(&scale))
            };
            let addend = negate_if(addend, digit < 0);
            if !add(&mut sum, &addend, scale) {
                sum = exceptional(sum, addend, scale.map_or(Fe::one(), |scale| *scale));
            }
        }
    }
    sum.z = sum.z.mul(scale);
    sum
}

/// Adds in place, where that is not exceptional; says whether it was not. Limbs go from registers to where they are
/// read one by one: a copy in wider words would wait for them.
#[inline(never)]
fn add(sum: &mut Jacobian, addend: &Affine, scale: Option<&Fe>) -> bool {
    let z = scale.map_or(sum.z, |scale| sum.z.mul(*scale));
    let (next, _) = sum.add_mixed_over(*addend, z);
    let valid = !next.z.is_zero_vartime();
    if valid {
        *sum = next;
    }
    valid
}

#[inline(always)]
fn negate_if(point: Affine, negate: bool) -> Affine {
    // Signs are random: a branch would be mispredicted.
    Affine { x: point.x, y: Fe::select(Mask1::from_bit(negate.into()), point.y.negate(1), point.y).carry() }
}

/// The sum where the points are equal or negatives of each other or the first is infinity, with a point that has still
/// to be brought to the model of the curve with this scale.
#[cold]
#[inline(never)]
fn exceptional(sum: Jacobian, point: Affine, scale: Fe) -> Jacobian {
    let square = scale.square();
    let point = Affine { x: point.x.mul(square), y: point.y.mul(square.mul(scale)) };
    if sum.z.is_zero_vartime() { point.to_jacobian() } else { sum.add_mixed_any::<Secp256k1>(point) }
}
