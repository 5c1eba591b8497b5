//! Numbers and points of eight lanes in memory, independent of the words they are worked on with.

use crate::{
    field::P256k1,
    group::{self, Secp256k1},
    tables::{Entry, LookupWindow},
    wipe::Zero,
};
use alloc::vec::Vec;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{self, Field},
    word::{LANES, Word},
};

pub(crate) use crate::wipe::overwrite as wipe;
pub(crate) use phalanx_engine::word::Machine;

/// A field element in each of eight lanes.
pub(crate) type FeX8<W> = field::FeX8<P256k1, W>;

/// One 64-bit word of each lane, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct LaneWords(pub(crate) [u64; LANES]);

impl LaneWords {
    pub(crate) const ZERO: LaneWords = LaneWords([0; LANES]);

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> W {
        W::from_lanes(self.0)
    }

    #[inline(always)]
    pub(crate) fn store<W: Word>(&mut self, word: W) {
        self.0 = word.to_lanes();
    }
}

/// A 256-bit number in each lane as four 64-bit words, least significant first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct U256x8(pub(crate) [LaneWords; 4]);

impl Zero for U256x8 {
    const ZERO: U256x8 = U256x8([LaneWords::ZERO; 4]);
}

impl U256x8 {
    pub(crate) const ZERO: U256x8 = <U256x8 as Zero>::ZERO;

    pub(crate) fn set(&mut self, lane: usize, number: [u64; 4]) {
        for (line, word) in self.0.iter_mut().zip(number) {
            line.0[lane] = word;
        }
    }

    pub(crate) fn get(&self, lane: usize) -> [u64; 4] {
        self.0.map(|line| line.0[lane])
    }

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> [W; 4] {
        let [a, b, c, d] = &self.0;
        [a.load(), b.load(), c.load(), d.load()]
    }

    #[inline(always)]
    pub(crate) fn store<W: Word>(&mut self, [a, b, c, d]: [W; 4]) {
        let lines = &mut self.0;
        lines[0].store(a);
        lines[1].store(b);
        lines[2].store(c);
        lines[3].store(d);
    }
}

/// A field element of eight lanes as its limbs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeX8Mem([LaneWords; 5]);

impl FeX8Mem {
    pub(crate) const ZERO: FeX8Mem = FeX8Mem([LaneWords::ZERO; 5]);

    #[inline(always)]
    fn get(&self, lane: usize) -> group::Fe {
        let [a, b, c, d, e] = &self.0;
        group::Fe::from_limbs([a.0[lane], b.0[lane], c.0[lane], d.0[lane], e.0[lane]])
    }

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> FeX8<W> {
        let [a, b, c, d, e] = &self.0;
        FeX8::from_limbs([a.load(), b.load(), c.load(), d.load(), e.load()])
    }

    #[inline(always)]
    pub(crate) fn store<W: Word>(&mut self, element: FeX8<W>) {
        let [a, b, c, d, e] = element.limbs();
        let lines = &mut self.0;
        lines[0].store(a);
        lines[1].store(b);
        lines[2].store(c);
        lines[3].store(d);
        lines[4].store(e);
    }
}

/// A finite point of each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AffineX8 {
    pub(crate) x: FeX8Mem,
    pub(crate) y: FeX8Mem,
}

impl AffineX8 {
    pub(crate) const ZERO: AffineX8 = AffineX8 { x: FeX8Mem::ZERO, y: FeX8Mem::ZERO };

    /// The generator in every lane.
    pub(crate) fn generator() -> AffineX8 {
        let mut lines = Self::ZERO;
        (0..LANES).for_each(|lane| lines.set(lane, &group::Affine::generator::<Secp256k1>()));
        lines
    }

    /// Puts a point into a lane.
    pub(crate) fn set(&mut self, lane: usize, point: &group::Affine) {
        for (element, value) in [(&mut self.x, point.x), (&mut self.y, point.y)] {
            for (line, limb) in element.0.iter_mut().zip(value.limbs()) {
                line.0[lane] = limb;
            }
        }
    }

    /// The point of a lane.
    pub(crate) fn get(&self, lane: usize) -> group::Affine {
        Affine { x: self.x.get(lane), y: self.y.get(lane) }
    }

    /// A limb of every lane: of x, or from 5 on of y.
    #[inline(always)]
    pub(crate) fn limb(&self, limb: usize) -> &[u64; LANES] {
        let (element, limb) = if limb < 5 { (&self.x, limb) } else { (&self.y, limb - 5) };
        &element.0[limb].0
    }

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> Affine<FeX8<W>> {
        Affine { x: self.x.load(), y: self.y.load() }
    }

    #[inline(always)]
    pub(crate) fn store<W: Word>(&mut self, point: Affine<FeX8<W>>) {
        self.x.store(point.x);
        self.y.store(point.y);
    }
}

/// A point or infinity in each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JacobianX8 {
    pub(crate) x: FeX8Mem,
    pub(crate) y: FeX8Mem,
    pub(crate) z: FeX8Mem,
}

impl Zero for JacobianX8 {
    const ZERO: JacobianX8 = JacobianX8 { x: FeX8Mem::ZERO, y: FeX8Mem::ZERO, z: FeX8Mem::ZERO };
}

impl JacobianX8 {
    pub(crate) const ZERO: JacobianX8 = <JacobianX8 as Zero>::ZERO;

    /// The point of a lane.
    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> group::Jacobian {
        Jacobian { x: self.x.get(lane), y: self.y.get(lane), z: self.z.get(lane) }
    }

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> Jacobian<FeX8<W>> {
        Jacobian { x: self.x.load(), y: self.y.load(), z: self.z.load() }
    }

    #[inline(always)]
    pub(crate) fn store<W: Word>(&mut self, point: Jacobian<FeX8<W>>) {
        self.x.store(point.x);
        self.y.store(point.y);
        self.z.store(point.z);
    }
}

/// Reads a table's entry for each lane.
#[inline(always)]
pub(crate) fn read_entries<W: Word>(entries: [&Entry; LANES]) -> Affine<FeX8<W>> {
    let [a, b, c, d, e, f, g, h] = entries;
    let [x0, x1, x2, x3, y0, y1, y2, y3] = W::transpose([&a.0, &b.0, &c.0, &d.0, &e.0, &f.0, &g.0, &h.0]);
    Affine { x: FeX8::from_words([x0, x1, x2, x3]), y: FeX8::from_words([y0, y1, y2, y3]) }
}

/// The entry of a window that all lanes share for each lane's code, of six bits, with the code's sign; y is not carried, and
/// of magnitude 2. The whole window is read, and the code chooses within registers. Constant time.
#[inline(always)]
pub(crate) fn lookup<W: Word>(window: &LookupWindow, code: W) -> Affine<FeX8<W>> {
    let upper = code.and(W::splat(16)).equal(W::splat(16));
    let index = code.and(W::splat(15));
    let [x0, x1, x2, x3, x4, y0, y1, y2, y3, y4] = &window.0;
    let limb = |entries: &[u64; 32]| {
        let (halves, _) = entries.as_chunks::<16>();
        W::select(upper, W::lookup16(&halves[1], index), W::lookup16(&halves[0], index))
    };
    let x = FeX8::from_limbs([limb(x0), limb(x1), limb(x2), limb(x3), limb(x4)]);
    let y = FeX8::from_limbs([limb(y0), limb(y1), limb(y2), limb(y3), limb(y4)]);
    Affine { x, y: FeX8::select(code.less(W::splat(32)), y.negate(1), y) }
}

/// Writes a point of each lane as that lane's entry, lane `i` at `entries[i * stride]`, with canonical coordinates.
#[inline(always)]
pub(crate) fn write_entries<W: Word>(point: Affine<FeX8<W>>, entries: &mut [Entry], stride: usize) {
    write_words(point.normalize(), entries, stride);
}

/// As [`write_entries`], with coordinates below 2^256 that need not be below p, of a point whose coordinates are sums of products
/// that have been reduced, or weakened. For public points.
///
/// Such a coordinate is below 2^256 + 2^216: its reduction clears the top limb from bit 48 on before it carries. So it is seldom
/// 2^256 or more, and then weakening leaves it below: what is below the bits to be folded is less than 2^216.
#[inline(always)]
pub(crate) fn write_weak_entries<W: Word>(point: Affine<FeX8<W>>, entries: &mut [Entry], stride: usize) {
    let fits = point.x.has_words() & point.y.has_words();
    let point = if fits { point } else { Affine { x: point.x.weaken(), y: point.y.weaken() } };
    write_words(point, entries, stride);
}

#[inline(always)]
fn write_words<W: Word>(point: Affine<FeX8<W>>, entries: &mut [Entry], stride: usize) {
    let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (point.x.to_words(), point.y.to_words());
    let words = [x0.to_lanes(), x1.to_lanes(), x2.to_lanes(), x3.to_lanes()];
    let others = [y0.to_lanes(), y1.to_lanes(), y2.to_lanes(), y3.to_lanes()];
    let ([a, b, c, d], [e, f, g, h]) = (&words, &others);
    let rows = W::transpose([a, b, c, d, e, f, g, h]);
    for (lane, row) in rows.into_iter().enumerate() {
        entries[lane * stride].0 = row.to_lanes();
    }
}

/// Memory that the stages of one chunk write to and read from, kept from chunk to chunk.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Partial sums of the generator's multiples.
    pub(crate) partial: Vec<AffineX8>,
    /// Products of denominators.
    pub(crate) products: Vec<FeX8Mem>,
    /// Odd multiples and doubles of the points, eight lanes at a time.
    pub(crate) multiples: Vec<AffineX8>,
    /// The odd multiples of the points, a lane at a time.
    pub(crate) entries: Vec<Entry>,
}

/// At least so many elements; what they hold does not matter.
pub(crate) fn at_least<T: Copy>(memory: &mut Vec<T>, count: usize, filler: T) -> &mut [T] {
    if memory.len() < count {
        memory.resize(count, filler);
    }
    &mut memory[..count]
}
