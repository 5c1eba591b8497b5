//! k P for a secret k.
//!
//! k is split into two odd halves (`digits_ct`), of 26 digits each. Lanes 0 to 3 take the digits of the first
//! half, from the lowest up 6, 6, 7 and 7 of them; lanes 4 to 7 those of the second in the same way, and their sums are
//! multiplied by lambda in the end. After 30 doublings with the digits in between, each lane's sum is doubled as often
//! as its lowest digit's place asks, 95 times at most; in all as often as one chain.
//!
//! # No exceptional addition can occur
//!
//! Every sum on the way is (a + b lambda) P for integers a, b; it is zero modulo n exactly when (a, b) lies in the
//! lattice of `docs/inside/glv.md`, whose non-zero vectors have a coordinate of at least 2^125 in absolute value.
//!
//! - Within a lane 32 a, with a odd and below 2^30, meets an odd digit d below 32: 32 a - d and 32 a + d are not zero,
//!   and far below 2^125.
//! - The sums of lane l and lane l + 4 are a 2^s P and b 2^s lambda P for the same s, with odd a and b below 2^35. (a,
//!   b) and (a, -b) are no lattice vectors, nor are they times 2^s, since 2^s is invertible modulo n.
//! - Of lanes 0 and 2, with 4 and 6: the first coordinate is a + 2^60 c or a - 2^60 c, odd and below 2^96. Of lanes 1
//!   and 3, with 5 and 7: 2^30 times a number a + 2^65 c or a - 2^65 c, odd and below 2^101.
//!
//! The last sum of two is k P or twice a point; it is left to the caller.

use crate::{
    Scalar,
    group::{self, Secp256k1},
    lanes::memory::{FeX8, JacobianX8, LaneWords, Machine, wipe},
    mul::{
        digits::{POINT_WIDTH, WINDOWS_A_WORD, code},
        digits_ct::point_words,
        fold::{choose, deal, fold, window},
        row_multiples::{RowMultiples, Table},
    },
};
use core::slice;
use phalanx_engine::{
    curve::{Affine, GlvCurve, Jacobian},
    field::Field,
    word::{LANES, Mask8, Op, Word},
};
use zeroize::Zeroize;

/// The place of the lowest digit of a lane.
pub(crate) const LOWEST: [usize; LANES] = [0, 6, 12, 19, 0, 6, 12, 19];
/// The digits of the lanes that have most.
pub(crate) const STEPS: usize = 7;
/// The lanes that have one digit less.
const SHORT: u8 = 0x33;
/// The lanes of the second half.
const SECOND_HALF: Mask8 = Mask8(0xf0);
/// After the last digits: how many doublings, and in which lanes they count.
const DOUBLINGS: [(usize, u8); 3] = [(35, 0x88), (30, 0xcc), (30, 0xee)];

/// Two points that add up to k P, for a finite point P. Constant time.
pub(crate) fn mul_point_row_ct<M: Machine>(machine: M, point: &group::Affine, k: &Scalar) -> [group::Jacobian; 2] {
    let mut digits = digits(k);
    let mut sums = sums(machine, point, &digits);
    let points = fold(machine, &sums);
    wipe(&mut digits, LaneWords::ZERO);
    wipe(slice::from_mut(&mut sums), JacobianX8::ZERO);
    points
}

/// The windows that each lane takes at each step, the highest first. Constant time.
pub(crate) fn digits(k: &Scalar) -> [LaneWords; STEPS] {
    let mut halves = point_words(k);
    let digits = core::array::from_fn(|step| {
        deal(|lane| window::<POINT_WIDTH>(&halves[lane / 4], WINDOWS_A_WORD, LOWEST[lane] + STEPS - 1 - step))
    });
    halves.zeroize();
    digits
}

/// A point in each lane, which add up to k P for the k of these digits.
pub(crate) fn sums<M: Machine>(machine: M, point: &group::Affine, digits: &[LaneWords; STEPS]) -> JacobianX8 {
    machine.run(RowChains { multiples: &RowMultiples::of(machine, point), digits })
}

struct RowChains<'a> {
    multiples: &'a RowMultiples,
    digits: &'a [LaneWords; STEPS],
}

impl RowChains<'_> {
    /// The multiple that each lane's digit of this step means.
    #[inline(always)]
    fn read<W: Word>(&self, table: &Table<W>, step: usize) -> Affine<FeX8<W>> {
        table.read(code::<W, POINT_WIDTH>(self.digits[step].load(), 0))
    }
}

impl Op for RowChains<'_> {
    type Output = JacobianX8;

    #[inline(always)]
    fn call<W: Word>(self) -> JacobianX8 {
        let table = self.multiples.load::<W>();
        let mut sum = self.read(&table, 0).to_jacobian();
        // One loop, so that there is one copy of the doubling.
        for step in 1..STEPS + DOUBLINGS.len() {
            let (doublings, counting) = if step < STEPS { (POINT_WIDTH, 0) } else { DOUBLINGS[step - STEPS] };
            let mut doubled = sum;
            for _ in 0..doublings {
                doubled = doubled.double();
            }
            if step >= STEPS {
                sum = choose(counting, doubled, sum);
                continue;
            }
            let multiple = self.read(&table, step);
            sum = doubled.add_mixed(multiple).0;
            if step == 1 {
                // The lanes with one digit less begin here.
                sum = choose(SHORT, multiple.to_jacobian(), sum);
            }
        }
        let image = sum.x.mul(FeX8::constant(Secp256k1::BETA));
        let mut sums = JacobianX8::ZERO;
        sums.store(Jacobian { x: FeX8::select(SECOND_HALF, image, sum.x), y: sum.y, z: sum.z.mul(table.scale) });
        sums
    }
}
