//! Numbers and points of eight lanes in memory: the engine's, for secp256k1; and what this crate keeps in them.

use crate::{
    Scalar,
    field::P256k1,
    group::{Coordinates, Secp256k1},
    tables::{Entry, LookupWindow},
    wipe::Zero,
};
use phalanx_engine::{
    arena::{Numbers, lines_for},
    curve::Affine,
    field::{self, Field, FieldX8, Montgomery, MontgomeryPrime},
    lanes,
    word::{Kernel, Mask8, Word},
};

pub(crate) use crate::wipe::overwrite as wipe;
pub(crate) use phalanx_engine::{
    lanes::{LaneWords, U256x8, read_entries, write_entries},
    word::Machine,
};

/// The group order as the modulus of lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order;

impl MontgomeryPrime for Order {
    const MODULUS: [u64; 4] = Scalar::ORDER;
}

/// A number modulo the group order in each of eight lanes, in memory.
pub(super) type ScalarX8Mem = lanes::FeX8Mem<Montgomery<Order>>;
/// A field element in each of eight lanes.
pub(crate) type FeX8<W> = field::FeX8<P256k1, W>;
/// A field element of eight lanes as its limbs.
pub(crate) type FeX8Mem = lanes::FeX8Mem<Coordinates>;
/// A finite point of each lane.
pub(crate) type AffineX8 = lanes::AffineX8<Secp256k1>;
/// A point or infinity in each lane.
pub(crate) type JacobianX8 = lanes::JacobianX8<Secp256k1>;
/// A finite point of each lane, for one lane to set and get.
pub(crate) type AffineLanes = lanes::AffineLanes<Secp256k1>;
/// A point or infinity in each lane, for one lane to get.
pub(crate) type JacobianLanes = lanes::JacobianLanes<Secp256k1>;

impl Zero for U256x8 {
    const ZERO: U256x8 = U256x8::ZERO;
}

impl Zero for JacobianX8 {
    const ZERO: JacobianX8 = JacobianX8::ZERO;
}

/// The entry of a window that all lanes share for each lane's code, of six bits, with the code's sign; y is not
/// carried, and of magnitude 2. The whole window is read, and the code chooses within registers. Constant time.
#[inline(always)]
pub(crate) fn lookup<W: Word>(window: &LookupWindow, code: W) -> Affine<FeX8<W>> {
    let upper = code.and(W::splat(16)).equal(W::splat(16));
    let index = code.and(W::splat(15));
    let [x0, x1, x2, x3, x4, y0, y1, y2, y3, y4] = &window.0;
    // The entries are carried, of magnitude 1: a committed table is canonical, and others come from `to_table`.
    let limb = |entries| W::kernel(Choose { entries, index, upper });
    let x = FeX8::from_table([limb(x0), limb(x1), limb(x2), limb(x3), limb(x4)]);
    let y = FeX8::from_table([limb(y0), limb(y1), limb(y2), limb(y3), limb(y4)]);
    Affine { x, y: FeX8::select(code.less(W::splat(32)), y.negate(1), y) }
}

/// The limb of each lane's entry.
struct Choose<'a, W> {
    entries: &'a [u64; 32],
    index: W,
    upper: Mask8,
}

impl<W: Word> Kernel for Choose<'_, W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        let (halves, _) = self.entries.as_chunks::<16>();
        W::select(self.upper, W::lookup16(&halves[1], self.index), W::lookup16(&halves[0], self.index))
    }
}

/// Memory that the stages of one chunk write to and read from. What it holds when a stage begins does not matter.
pub(crate) struct Scratch<'a> {
    /// Partial sums of the generator's multiples.
    pub(crate) partial: &'a mut [AffineX8],
    /// Products of denominators.
    pub(crate) products: &'a mut [FeX8Mem],
    /// Products of denominators modulo the group order.
    pub(super) denominators: &'a mut [ScalarX8Mem],
    /// Odd multiples and doubles of the points, eight lanes at a time.
    pub(crate) multiples: &'a mut [AffineX8],
    /// The odd multiples of the points, a lane at a time.
    pub(crate) entries: &'a mut [Entry],
}

/// How much of each kind of memory work takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScratchSize {
    pub(crate) partial: usize,
    pub(crate) products: usize,
    pub(crate) denominators: usize,
    pub(crate) multiples: usize,
    pub(crate) entries: usize,
}

impl ScratchSize {
    pub(crate) const NONE: ScratchSize =
        ScratchSize { partial: 0, products: 0, denominators: 0, multiples: 0, entries: 0 };

    /// Enough for either of two pieces of work.
    pub(crate) fn either(self, other: ScratchSize) -> ScratchSize {
        ScratchSize {
            partial: self.partial.max(other.partial),
            products: self.products.max(other.products),
            denominators: self.denominators.max(other.denominators),
            multiples: self.multiples.max(other.multiples),
            entries: self.entries.max(other.entries),
        }
    }

    /// The number of cache lines.
    pub(crate) fn lines(self) -> usize {
        lines_for::<AffineX8>(self.partial + self.multiples)
            + lines_for::<FeX8Mem>(self.products)
            + lines_for::<ScalarX8Mem>(self.denominators)
            + lines_for::<Entry>(self.entries)
    }
}

impl<'a> Scratch<'a> {
    /// Takes the memory from `numbers`.
    pub(crate) fn new(size: ScratchSize, numbers: &mut Numbers<'a>) -> Self {
        Scratch {
            partial: numbers.take(size.partial),
            products: numbers.take(size.products),
            denominators: numbers.take(size.denominators),
            multiples: numbers.take(size.multiples),
            entries: numbers.take(size.entries),
        }
    }
}
