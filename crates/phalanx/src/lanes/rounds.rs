//! Rounds of additions, eight side by side.

use super::{
    inversion::{BatchStep, divide},
    memory::{FeX8, FeX8Mem, Machine, read_entries},
};
use crate::{
    group::{Jacobian, Secp256k1},
    rounds::{Apart, Arithmetic, Complete, InPlace, Memory, Ordinary, Parallel, Round},
    tables::Entry,
};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::Cell;
use phalanx_engine::{
    curve::Affine,
    field::Field,
    lanes::write_weak_entries,
    msm::{AffineAdder, PointPair, PointRef, ShiftedPoint, WorkspaceOf},
    word::{LANES, Mask, Mask8, Op, Word},
};

impl<W: Word> Parallel for FeX8<W> {
    const LANES: usize = LANES;
    type Stored = FeX8Mem;
    const FILLER: FeX8Mem = FeX8Mem::ZERO;

    #[inline(always)]
    fn stored(self) -> FeX8Mem {
        let mut element = FeX8Mem::ZERO;
        element.store(self);
        element
    }
    #[inline(always)]
    fn load(stored: &FeX8Mem) -> Self {
        stored.load()
    }
    #[inline(always)]
    fn gather(memory: &[Entry], pairs: &[PointPair]) -> [Affine<Self>; 2] {
        let last;
        let pairs = match pairs.first_chunk() {
            Some(pairs) => pairs,
            None => {
                last = padded(pairs);
                &last
            }
        };
        let ([first, second], [no_first, no_second]) = (W::gather(memory, pairs), W::negations(pairs));
        [point(first, no_first), point(second, no_second)]
    }
    #[inline(always)]
    fn gather_x(memory: &[Entry], pairs: &[PointPair]) -> [Self; 2] {
        let last;
        let pairs = match pairs.first_chunk() {
            Some(pairs) => pairs,
            None => {
                last = padded(pairs);
                &last
            }
        };
        let [first, second] = W::gather_half(memory, pairs);
        [FeX8::from_words(first), FeX8::from_words(second)]
    }
    #[inline(always)]
    fn prefetch(memory: &[Entry], pairs: &[PointPair]) {
        if let Some(pairs) = pairs.first_chunk::<LANES>() {
            for [first, second] in pairs {
                W::prefetch(memory, *first);
                W::prefetch(memory, *second);
            }
        }
    }
    #[inline(always)]
    fn scatter(point: Affine<Self>, entries: &mut [Entry]) {
        if entries.len() == LANES {
            write_weak_entries(point, entries, 1);
        } else {
            let mut all = [Entry([0; 8]); LANES];
            write_weak_entries(point, &mut all, 1);
            entries.copy_from_slice(&all[..entries.len()]);
        }
    }
    #[inline(always)]
    fn scatter_to_firsts(point: Affine<Self>, memory: &mut [Entry], pairs: &[PointPair]) {
        let mut all = [Entry([0; 8]); LANES];
        write_weak_entries(point, &mut all, 1);
        for ([first, _], entry) in pairs.iter().zip(all) {
            memory[first.index()] = entry;
        }
    }
}

/// Fewer than eight pairs, and the last one again.
#[inline(always)]
fn padded(pairs: &[PointPair]) -> [PointPair; LANES] {
    let mut all = [pairs[pairs.len() - 1]; LANES];
    all[..pairs.len()].copy_from_slice(pairs);
    all
}

/// The points of eight rows, or their negatives.
#[inline(always)]
fn point<W: Word>([x0, x1, x2, x3, y0, y1, y2, y3]: [W; LANES], negated: Mask8) -> Affine<FeX8<W>> {
    let (x, y) = (FeX8::from_words([x0, x1, x2, x3]), FeX8::from_words([y0, y1, y2, y3]));
    Affine { x, y: FeX8::select(negated, y.negate(1), y) }
}

/// Eight lanes on a machine.
pub(crate) struct EightLanes<M>(pub(crate) M);

/// The memory of one thread's rounds.
#[derive(Default)]
pub(crate) struct Work {
    kept: Vec<FeX8Mem>,
    /// Some result so far was infinity.
    infinity: bool,
}

impl<M: Machine> AffineAdder for EightLanes<M> {
    type Entry = Entry;
    type Work = Work;

    const FILLER: Entry = Entry([0; 8]);

    fn run<O: Op>(&self, op: O) -> O::Output {
        self.0.run(op)
    }

    fn begin(work: &mut Work) {
        work.infinity = false;
    }

    fn add(&self, memory: &[Entry], pairs: &[PointPair], out: &mut [Entry], doublings: bool, work: &mut Work) {
        self.round(Apart { points: memory, sums: out }, pairs, doublings, work);
    }

    fn add_in_place(&self, memory: &mut [Entry], pairs: &[PointPair], work: &mut Work) {
        self.round(InPlace(memory), pairs, false, work);
    }

    #[inline(always)]
    fn prefetch(&self, memory: &[Entry], reference: PointRef) {
        self.0.prefetch(memory, reference);
    }
}

impl<M: Machine> EightLanes<M> {
    fn round(&self, memory: impl Memory, pairs: &[PointPair], doublings: bool, work: &mut Work) {
        let count = work.kept.len().max(pairs.len().div_ceil(LANES));
        work.kept.resize(count, FeX8Mem::ZERO);
        let mut round = Round { memory, pairs, kept: &mut work.kept };
        if doublings || work.infinity || divide(self.0, &mut Ordinary(&mut round)).any() {
            let zero_denominator = divide(self.0, &mut Complete { round: &mut round, infinity: &mut work.infinity });
            debug_assert!(!zero_denominator.any(), "no denominator of a complete addition is zero");
        }
    }
}

impl<'a, M: Memory> BatchStep for Ordinary<'_, 'a, M, FeX8Mem> {
    type ForWord<'b, W: Word>
        = Ordinary<'b, 'a, M, FeX8Mem>
    where
        Self: 'b;
    const ALL_OR_NOTHING: bool = true;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Ordinary<'_, 'a, M, FeX8Mem> {
        Ordinary(&mut *self.0)
    }
    fn is_empty(&self) -> bool {
        self.0.pairs.is_empty()
    }
}

impl<'a, M: Memory> BatchStep for Complete<'_, 'a, M, FeX8Mem> {
    type ForWord<'b, W: Word>
        = Complete<'b, 'a, M, FeX8Mem>
    where
        Self: 'b;
    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Complete<'_, 'a, M, FeX8Mem> {
        Complete { round: &mut *self.round, infinity: &mut *self.infinity }
    }
    fn is_empty(&self) -> bool {
        self.round.pairs.is_empty()
    }
}

#[cfg(feature = "std")]
std::thread_local! {
    static WORKSPACE: Cell<phalanx_engine::msm::Workspace<Entry, Work>> = Cell::default();
}

impl<M: Machine> Arithmetic for EightLanes<M> {
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T {
        #[cfg(feature = "std")]
        return crate::rounds::lend(&WORKSPACE, work);
        #[cfg(not(feature = "std"))]
        work(&mut WorkspaceOf::<Self>::default())
    }

    fn images(&self, points: &[Entry], out: &mut [Entry]) {
        self.0.run(Images { points, out });
    }

    fn last_chain(&self, parts: &[ShiftedPoint<Entry>]) -> Jacobian {
        stretches::sum(self.0, parts)
    }
}

struct Images<'a> {
    points: &'a [Entry],
    out: &'a mut [Entry],
}

impl Op for Images<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (points, out) in self.points.chunks(LANES).zip(self.out.chunks_mut(LANES)) {
            let at = |lane: usize| &points[lane.min(points.len() - 1)];
            let point: Affine<FeX8<W>> = read_entries([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
            Parallel::scatter(point.endomorphism::<Secp256k1>(), out);
        }
    }
}

mod stretches;
#[cfg(test)]
mod tests;
