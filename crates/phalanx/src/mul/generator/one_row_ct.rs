//! k G for a secret k.
//!
//! k is a sum of 43 odd digits d_i 64^i (`digits_ct`). Lane l takes the windows l, l + 8, l + 16, ... The whole of
//! each window is read, and the digit chooses within registers.
//!
//! # No exceptional addition can occur
//!
//! As `eight_rows_ct.rs` shows, the points of two disjoint sets of windows are neither equal nor negatives of each
//! other unless the sets together hold all windows from 22 to 42. Those of a lane do not, nor do those of the even
//! lanes, or of the odd ones. The last sum of two is left to the caller.

use super::eight_rows_ct::choose as choose_generator_multiple;
use crate::{
    Scalar, group,
    lanes::memory::{FeX8, JacobianX8, LaneWords, Machine, wipe},
    mul::{
        digits::code,
        digits_ct::{GENERATOR_WIDTH, GENERATOR_WINDOWS, generator_words},
        fold::{choose, deal, fold, window},
    },
};
use core::slice;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{LANES, Mask8, Op, Word},
};
use zeroize::Zeroize;

/// Windows in a word of the scalar.
const A_WORD: usize = 10;
/// The windows of the lanes that have most.
const STEPS: usize = GENERATOR_WINDOWS.div_ceil(LANES);
/// The lanes that have as many.
const LONG: u8 = (1 << (GENERATOR_WINDOWS % LANES)) - 1;

/// Two points that add up to k G, for a k that is not zero. Constant time.
pub(crate) fn mul_generator_row_ct<M: Machine>(machine: M, k: &Scalar) -> [group::Jacobian; 2] {
    let mut words = generator_words(k);
    let mut digits: [LaneWords; STEPS] = core::array::from_fn(|step| {
        deal(|lane| window::<GENERATOR_WIDTH>(&words, A_WORD, (LANES * step + lane).min(GENERATOR_WINDOWS - 1)))
    });
    words.zeroize();
    let mut sums = machine.run(Sums(&digits));
    let points = fold(machine, &sums);
    wipe(&mut digits, LaneWords::ZERO);
    wipe(slice::from_mut(&mut sums), JacobianX8::ZERO);
    points
}

struct Sums<'a>(&'a [LaneWords; STEPS]);

impl Op for Sums<'_> {
    type Output = JacobianX8;

    #[inline(always)]
    fn call<W: Word>(self) -> JacobianX8 {
        let mut sum = Jacobian::infinity();
        for (step, windows) in self.0.iter().enumerate() {
            let multiple = read::<W>(step, windows);
            let next = sum.add_mixed(multiple).0;
            let next = if step == 0 { multiple.to_jacobian() } else { next };
            sum = if step == STEPS - 1 { choose(LONG, next, sum) } else { next };
        }
        let mut sums = JacobianX8::ZERO;
        sums.store(sum);
        sums
    }
}

/// The multiple of each lane's window; in lanes that have none at this step, any point.
#[inline(always)]
fn read<W: Word>(step: usize, windows: &LaneWords) -> Affine<FeX8<W>> {
    let codes = code::<W, GENERATOR_WIDTH>(windows.load(), 0);
    let first = LANES * step;
    let mut chosen = choose_generator_multiple::<W>(first, codes);
    for lane in 1..LANES.min(GENERATOR_WINDOWS - first) {
        chosen = Affine::select(Mask8(1 << lane), choose_generator_multiple(first + lane, codes), chosen);
    }
    Affine { x: chosen.x, y: chosen.y.weaken() }
}
