//! Rounds of additions, eight side by side.

use super::{
    inversion::{Stage, divide},
    memory::{Element, Fe8, Machine, read_entries, write_weak_entries},
};
use crate::{
    group::{Jacobian, Secp256k1},
    rounds::{Apart, Arithmetic, Complete, InPlace, Memory, Ordinary, Parallel, Round, lend},
    tables::Entry,
};
use alloc::vec::Vec;
use core::cell::Cell;
use phalanx_engine::{
    curve::Affine,
    field::Field,
    msm::{Additions, Pair, Part, Reference, Workspace, WorkspaceOf},
    word::{LANES, Mask, Mask8, Op, Word},
};

impl<W: Word> Parallel for Fe8<W> {
    const LANES: usize = LANES;
    type Stored = Element;
    const FILLER: Element = Element::ZERO;

    #[inline(always)]
    fn stored(self) -> Element {
        let mut element = Element::ZERO;
        element.store(self);
        element
    }
    #[inline(always)]
    fn load(stored: &Element) -> Self {
        stored.load()
    }
    #[inline(always)]
    fn gather(memory: &[Entry], pairs: &[Pair]) -> [Affine<Self>; 2] {
        let last;
        let pairs = match pairs.first_chunk() {
            Some(pairs) => pairs,
            None => {
                last = padded(pairs);
                &last
            }
        };
        let ([first, second], [no_first, no_second]) = (W::gather(memory, pairs), W::opposites(pairs));
        [point(first, no_first), point(second, no_second)]
    }
    #[inline(always)]
    fn gather_x(memory: &[Entry], pairs: &[Pair]) -> [Self; 2] {
        let last;
        let pairs = match pairs.first_chunk() {
            Some(pairs) => pairs,
            None => {
                last = padded(pairs);
                &last
            }
        };
        let [first, second] = W::gather_half(memory, pairs);
        [Fe8::from_words(first), Fe8::from_words(second)]
    }
    #[inline(always)]
    fn prefetch(memory: &[Entry], pairs: &[Pair]) {
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
    fn scatter_to_firsts(point: Affine<Self>, memory: &mut [Entry], pairs: &[Pair]) {
        let mut all = [Entry([0; 8]); LANES];
        write_weak_entries(point, &mut all, 1);
        for ([first, _], entry) in pairs.iter().zip(all) {
            memory[first.index()] = entry;
        }
    }
}

/// Fewer than eight pairs, and the last one again.
#[inline(always)]
fn padded(pairs: &[Pair]) -> [Pair; LANES] {
    let mut all = [pairs[pairs.len() - 1]; LANES];
    all[..pairs.len()].copy_from_slice(pairs);
    all
}

/// The points of eight rows, or the opposite ones.
#[inline(always)]
fn point<W: Word>([x0, x1, x2, x3, y0, y1, y2, y3]: [W; LANES], opposite: Mask8) -> Affine<Fe8<W>> {
    let (x, y) = (Fe8::from_words([x0, x1, x2, x3]), Fe8::from_words([y0, y1, y2, y3]));
    Affine { x, y: Fe8::select(opposite, y.negate(1), y) }
}

/// Eight lanes on a machine.
pub(crate) struct EightLanes<M>(pub(crate) M);

/// The memory of one thread's rounds.
#[derive(Default)]
pub(crate) struct Work {
    kept: Vec<Element>,
    /// Some result so far was infinity.
    infinity: bool,
}

impl<M: Machine> Additions for EightLanes<M> {
    type Entry = Entry;
    type Work = Work;

    const FILLER: Entry = Entry([0; 8]);

    fn run<O: Op>(&self, op: O) -> O::Output {
        self.0.run(op)
    }

    fn begin(work: &mut Work) {
        work.infinity = false;
    }

    fn add(&self, memory: &[Entry], pairs: &[Pair], out: &mut [Entry], doublings: bool, work: &mut Work) {
        self.round(Apart { points: memory, sums: out }, pairs, doublings, work);
    }

    fn add_in_place(&self, memory: &mut [Entry], pairs: &[Pair], work: &mut Work) {
        self.round(InPlace(memory), pairs, false, work);
    }

    #[inline(always)]
    fn prefetch(&self, memory: &[Entry], reference: Reference) {
        self.0.prefetch(memory, reference);
    }
}

impl<M: Machine> EightLanes<M> {
    fn round(&self, memory: impl Memory, pairs: &[Pair], doublings: bool, work: &mut Work) {
        let count = work.kept.len().max(pairs.len().div_ceil(LANES));
        work.kept.resize(count, Element::ZERO);
        let mut round = Round { memory, pairs, kept: &mut work.kept };
        if doublings || work.infinity || divide(self.0, &mut Ordinary(&mut round)).any() {
            let void = divide(self.0, &mut Complete { round: &mut round, infinity: &mut work.infinity });
            debug_assert!(!void.any(), "no denominator of a complete addition is zero");
        }
    }
}

impl<'a, M: Memory> Stage for Ordinary<'_, 'a, M, Element> {
    type On<'b, W: Word>
        = Ordinary<'b, 'a, M, Element>
    where
        Self: 'b;
    const ALL_OR_NOTHING: bool = true;

    #[inline(always)]
    fn on<W: Word>(&mut self) -> Ordinary<'_, 'a, M, Element> {
        Ordinary(&mut *self.0)
    }
    fn is_empty(&self) -> bool {
        self.0.pairs.is_empty()
    }
}

impl<'a, M: Memory> Stage for Complete<'_, 'a, M, Element> {
    type On<'b, W: Word>
        = Complete<'b, 'a, M, Element>
    where
        Self: 'b;
    #[inline(always)]
    fn on<W: Word>(&mut self) -> Complete<'_, 'a, M, Element> {
        Complete { round: &mut *self.round, infinity: &mut *self.infinity }
    }
    fn is_empty(&self) -> bool {
        self.round.pairs.is_empty()
    }
}

std::thread_local! {
    static WORKSPACE: Cell<Workspace<Entry, Work>> = Cell::default();
}

impl<M: Machine> Arithmetic for EightLanes<M> {
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T {
        lend(&WORKSPACE, work)
    }

    fn images(&self, points: &[Entry], out: &mut [Entry]) {
        self.0.run(Images { points, out });
    }

    fn last_chain(&self, parts: &[Part<Entry>]) -> Jacobian {
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
            let point: Affine<Fe8<W>> = read_entries([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
            Parallel::scatter(point.endomorphism::<Secp256k1>(), out);
        }
    }
}

mod stretches;
#[cfg(test)]
mod tests;
