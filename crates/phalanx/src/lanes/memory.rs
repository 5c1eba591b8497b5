//! Numbers and points of eight lanes in memory: the engine's, for secp256k1; and what this crate keeps in them.

use crate::{
    field::P256k1,
    group::{Coordinates, Secp256k1},
    tables::{Entry, LookupWindow},
    wipe::Zero,
};
use alloc::vec::Vec;
use phalanx_engine::{
    curve::Affine,
    field::{self, Field},
    lanes,
    word::{Mask8, Word},
};

pub(crate) use crate::wipe::overwrite as wipe;
pub(crate) use phalanx_engine::{
    lanes::{LaneWords, U256x8, read_entries, write_entries},
    word::Machine,
};

/// A field element in each of eight lanes.
pub(crate) type FeX8<W> = field::FeX8<P256k1, W>;
/// A field element of eight lanes as its limbs.
pub(crate) type FeX8Mem = lanes::FeX8Mem<Coordinates>;
/// A finite point of each lane.
pub(crate) type AffineX8 = lanes::AffineX8<Secp256k1>;
/// A point or infinity in each lane.
pub(crate) type JacobianX8 = lanes::JacobianX8<Secp256k1>;

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
    let x = FeX8::from_limbs(lookup_limbs([x0, x1, x2, x3, x4], upper, index));
    let y = FeX8::from_limbs(lookup_limbs([y0, y1, y2, y3, y4], upper, index));
    Affine { x, y: FeX8::select(code.less(W::splat(32)), y.negate(1), y) }
}

/// The limbs of a coordinate. The entries are carried, of magnitude 1: a committed table is canonical, and others come
/// from memory that checks them.
#[inline(always)]
fn lookup_limbs<W: Word>([a, b, c, d, e]: [&[u64; 32]; 5], upper: Mask8, index: W) -> [W; 5] {
    let [max_a, max_b, max_c, max_d, max_e] = lanes::LARGEST_LIMBS;
    [
        lookup32(a, upper, index).proved_at_most(max_a),
        lookup32(b, upper, index).proved_at_most(max_b),
        lookup32(c, upper, index).proved_at_most(max_c),
        lookup32(d, upper, index).proved_at_most(max_d),
        lookup32(e, upper, index).proved_at_most(max_e),
    ]
}

/// The entry of the upper or the lower half that the index points to.
#[inline(always)]
fn lookup32<W: Word>(entries: &[u64; 32], upper: Mask8, index: W) -> W {
    let (halves, _) = entries.as_chunks::<16>();
    W::select(upper, W::lookup16(&halves[1], index), W::lookup16(&halves[0], index))
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
