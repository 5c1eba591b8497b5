//! k G for a secret k.
//!
//! k is a sum of 43 odd digits d_i 64^i (`digits_ct`). Lane l takes the windows l, l + 8, l + 16, ... The whole of
//! each window is read, and the digit chooses within registers.
//!
//! # No exceptional addition can occur
//!
//! The proof of `eight_rows_ct.rs` holds for 43 windows of six bits, too: then |t| <= 4, the windows below 22 add less
//! than 2^132, those from 22 on make t 2^124 + c, and 124 to 126 have no multiple of 6 but 126 = 6 * 21, which would be
//! window 43. So the points of two disjoint sets of windows are neither equal nor negatives of each other unless the
//! sets together hold all windows from 22 to 42. Those of a lane do not, nor do those of the even lanes, or of the odd
//! ones. The last sum of two is left to the caller.

use crate::{
    Scalar, group,
    lanes::memory::{FeX8, JacobianX8, LaneWords, Machine, lookup_limbs, wipe},
    mul::{
        digits::code,
        digits_ct::{generator_words, windows_a_word},
        fold::{choose, deal, fold, window},
    },
    tables::{G_ODD_COMB_6_LIMBS, G_ODD_COMB_6_WIDTH},
};
use core::slice;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{LANES, Mask8, Op, Word},
};
use zeroize::Zeroize;

/// Bits of a window of the scalar.
const WIDTH: usize = G_ODD_COMB_6_WIDTH as usize;
/// Windows of the scalar: 258 bits.
const WINDOWS: usize = G_ODD_COMB_6_LIMBS.len();
/// The windows of the lanes that have most.
const STEPS: usize = WINDOWS.div_ceil(LANES);
/// The lanes that have as many.
const LONG: u8 = (1 << (WINDOWS % LANES)) - 1;

/// The scalar whose digits are others: none, since zero is even.
const NO_SCALAR: [u64; 4] = [0; 4];

/// Two points that add up to k G, for a k that is not zero. Constant time.
pub(crate) fn mul_generator_row_ct<M: Machine>(machine: M, k: &Scalar) -> [group::Jacobian; 2] {
    let mut words = generator_words::<WIDTH, WINDOWS>(k, &NO_SCALAR);
    let mut digits: [LaneWords; STEPS] = core::array::from_fn(|step| {
        deal(|lane| window::<WIDTH>(&words, windows_a_word(WIDTH), (LANES * step + lane).min(WINDOWS - 1)))
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
    let codes = code::<W, WIDTH>(windows.load(), 0);
    let first = LANES * step;
    let mut chosen = lookup_limbs::<W>(&G_ODD_COMB_6_LIMBS[first], codes);
    for lane in 1..LANES.min(WINDOWS - first) {
        chosen = Affine::select(Mask8(1 << lane), lookup_limbs(&G_ODD_COMB_6_LIMBS[first + lane], codes), chosen);
    }
    Affine { x: chosen.x, y: chosen.y.weaken() }
}
