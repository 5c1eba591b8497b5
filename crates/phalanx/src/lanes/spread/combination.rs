//! a P + b G for public a, b and P.
//!
//! The sums of a P as in [`super::point`]; then each lane adds four of the 32 digits of b, from a table that holds the multiples
//! of all places.
//!
//! Whoever chooses scalars and keys can bring about an exceptional addition. Its Z is zero, and every later Z too.

use super::{
    super::{
        digits::{GENERATOR_WIDTH, GENERATOR_WINDOWS, code, generator_words},
        generator::with_sign,
        memory::{Fe8, JacobianLines, Line, Machine, read_entries},
    },
    lines::{deal, fold, window},
    point,
};
use crate::{Scalar, group, tables::ODD_WINDOWS};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{LANES, Op, Word},
};

/// Entries of a window.
const ENTRIES: usize = 1 << (GENERATOR_WIDTH - 1);
/// Windows of a lane.
const STEPS: usize = GENERATOR_WINDOWS / LANES;

/// a P + b G for a finite point P, unless an addition on the way was exceptional or the sum is infinity: then Z is zero.
/// Variable time.
pub(crate) fn combination<M: Machine>(machine: M, a: &Scalar, point: &group::Affine, b: &Scalar) -> group::Jacobian {
    let words = generator_words(b);
    let windows =
        core::array::from_fn(|step| deal(|lane| window::<GENERATOR_WIDTH>(&words, LANES, LANES * step + lane)));
    let mut sums = point::sums(machine, point, &point::digits(a));
    machine.run(AddGenerator { sums: &mut sums, windows: &windows });
    let [even, odd] = fold(machine, &sums);
    even.add(odd).0
}

struct AddGenerator<'a> {
    sums: &'a mut JacobianLines,
    windows: &'a [Line; STEPS],
}

impl Op for AddGenerator<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let mut sum: Jacobian<Fe8<W>> = self.sums.load();
        for (step, windows) in self.windows.iter().enumerate() {
            sum = sum.add_mixed(read(LANES * step, code::<W, GENERATOR_WIDTH>(windows.load(), 0))).0;
        }
        self.sums.store(sum);
    }
}

/// The entry of each lane's window for its code, with the code's sign.
#[inline(always)]
fn read<W: Word>(first: usize, codes: W) -> Affine<Fe8<W>> {
    let at = codes.to_lanes();
    let entry = |lane: usize| &ODD_WINDOWS[ENTRIES * (first + lane)..][at[lane] as usize & (ENTRIES - 1)];
    let point = read_entries([entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7)]);
    let Affine { x, y } = with_sign(point, codes.less(W::splat(ENTRIES as u64)));
    Affine { x, y: y.weaken() }
}
