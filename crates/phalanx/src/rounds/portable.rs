//! Additions one after another, on any CPU.

use super::{Apart, Arithmetic, Complete, InPlace, Memory, Ordinary, Parallel, Round};
use crate::{
    field::invert_vartime,
    group::{self, Fe, Secp256k1},
    tables::Entry,
};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::Cell;
use phalanx_engine::{
    field::{
        Field,
        batch_inversion::{BatchInverted, backward_inverses, forward_products},
    },
    msm::{AffineAdder, PointPair, WorkspaceOf},
    word::{Emulated, Op, Word},
};

/// One lane.
pub(crate) struct OneLane;

/// The memory of one thread's rounds.
#[derive(Default)]
pub(crate) struct Work {
    kept: Vec<Fe>,
    /// Some result so far was infinity.
    infinity: bool,
}

impl AffineAdder for OneLane {
    type Entry = Entry;
    type Work = Work;

    const FILLER: Entry = Entry([0; 8]);

    fn run<O: Op>(&self, op: O) -> O::Output {
        Emulated::root(op)
    }

    fn begin(work: &mut Work) {
        work.infinity = false;
    }

    fn add(&self, memory: &[Entry], pairs: &[PointPair], out: &mut [Entry], doublings: bool, work: &mut Work) {
        round(Apart { points: memory, sums: out }, pairs, doublings, work);
    }

    fn add_in_place(&self, memory: &mut [Entry], pairs: &[PointPair], work: &mut Work) {
        round(InPlace(memory), pairs, false, work);
    }
}

fn round(memory: impl Memory, pairs: &[PointPair], doublings: bool, work: &mut Work) {
    let count = work.kept.len().max(pairs.len());
    work.kept.resize(count, <Fe as Parallel>::FILLER);
    let mut round = Round { memory, pairs, kept: &mut work.kept };
    if doublings || work.infinity || !divide(&mut Ordinary(&mut round)) {
        let divided = divide(&mut Complete { round: &mut round, infinity: &mut work.infinity });
        debug_assert!(divided, "no denominator of a complete addition is zero");
    }
}

/// Runs all divisions, unless some denominator is zero.
fn divide(divisions: &mut impl BatchInverted<Fe>) -> bool {
    let [a, b] = forward_products(divisions);
    let product = a.mul(b);
    if product.is_zero_vartime() {
        return false;
    }
    let inverse = invert_vartime(product);
    backward_inverses(divisions, [inverse.mul(b), inverse.mul(a)]);
    true
}

#[cfg(feature = "std")]
std::thread_local! {
    static WORKSPACE: Cell<WorkspaceOf<OneLane>> = Cell::default();
}

impl Arithmetic for OneLane {
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T {
        #[cfg(feature = "std")]
        return super::lend(&WORKSPACE, work);
        #[cfg(not(feature = "std"))]
        work(&mut WorkspaceOf::<Self>::default())
    }

    fn images(&self, points: &[Entry], out: &mut [Entry]) {
        for (point, out) in points.iter().zip(out) {
            *out = group::entry(&group::affine(point).endomorphism::<Secp256k1>().normalize());
        }
    }
}
