//! a P + b G for public a, b and P.
//!
//! The sums of a P as in [`super::point`]; then each lane adds four of the 32 digits of b, from a table that holds the
//! multiples of all places.
//!
//! # Exceptional additions
//!
//! The lanes' sums of a P are those of [`super::point`], where no addition is exceptional. Whoever chooses scalars and
//! keys can have a later addition meet equal points, negatives or infinity. Z is then zero, and stays zero. So where Z
//! is zero in the end, b G is computed apart, as for a secret b, where no addition is exceptional either, and the lanes'
//! four sums of two are added up by complete additions in one lane.

use crate::{
    Scalar,
    group::{self, Secp256k1},
    lanes::memory::{FeX8, JacobianX8, LaneWords, Machine, read_entries},
    mul::{
        digits::{GENERATOR_WIDTH, GENERATOR_WINDOWS, code, generator_words},
        fold::{deal, fold, window},
        generator::{eight_rows::with_sign, one_row_ct::mul_generator_row_ct},
        point::one_row_ct as point,
    },
    tables::G_ODD_COMB_8,
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{LANES, Op, Word},
};

/// Entries of a window.
const ENTRIES: usize = 1 << (GENERATOR_WIDTH - 1);
/// Windows of a lane.
const STEPS: usize = GENERATOR_WINDOWS / LANES;

/// a P + b G for a finite point P. Variable time.
pub(crate) fn double_mul_row<M: Machine>(machine: M, a: &Scalar, point: &group::Affine, b: &Scalar) -> group::Jacobian {
    let words = generator_words(b);
    let windows =
        core::array::from_fn(|step| deal(|lane| window::<GENERATOR_WIDTH>(&words, LANES, LANES * step + lane)));
    let sums = point::sums(machine, point, &point::digits(a));
    let [even, odd] = fold(machine, &machine.run(AddGenerator { sums: &sums, windows: &windows }));
    let sum = even.add(odd).0;
    if !sum.z.is_zero_vartime() {
        return sum;
    }
    let [even, odd] = fold(machine, &sums);
    let product = even.add_any::<Secp256k1>(odd);
    if bool::from(b.is_zero()) {
        return product;
    }
    let [even, odd] = mul_generator_row_ct(machine, b);
    product.add_any::<Secp256k1>(even.add_any::<Secp256k1>(odd))
}

/// The sums with the terms of b G added.
struct AddGenerator<'a> {
    sums: &'a JacobianX8,
    windows: &'a [LaneWords; STEPS],
}

impl Op for AddGenerator<'_> {
    type Output = JacobianX8;

    #[inline(always)]
    fn call<W: Word>(self) -> JacobianX8 {
        let mut sum: Jacobian<FeX8<W>> = self.sums.load();
        for (step, windows) in self.windows.iter().enumerate() {
            sum = sum.add_mixed(read(LANES * step, code::<W, GENERATOR_WIDTH>(windows.load(), 0))).0;
        }
        let mut sums = JacobianX8::ZERO;
        sums.store(sum);
        sums
    }
}

/// The entry of each lane's window for its code, with the code's sign.
#[inline(always)]
fn read<W: Word>(first: usize, codes: W) -> Affine<FeX8<W>> {
    let at = codes.to_lanes();
    let entry = |lane: usize| &G_ODD_COMB_8[ENTRIES * (first + lane)..][at[lane] as usize & (ENTRIES - 1)];
    let point = read_entries([entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7)]);
    let Affine { x, y } = with_sign(point, codes.less(W::splat(ENTRIES as u64)));
    Affine { x, y: y.weaken() }
}
