//! Numbers and points of eight lanes in memory: the engine's, for secp256k1; and what this crate keeps in them.

use crate::{
    Scalar,
    field::P256k1,
    group::{Coordinates, Secp256k1},
    tables::LookupWindow,
    wipe::Zero,
};
use phalanx_engine::{
    curve::Affine,
    field::{self, Field, FieldX8, Montgomery, MontgomeryPrime},
    lanes,
    word::{Kernel, Table32, Word},
};

pub(crate) use crate::wipe::overwrite as wipe;
pub(crate) use phalanx_engine::{
    arena::Numbers,
    lanes::{LaneWords, U256x8, read_entries, write_entries},
    word::{CacheLine, Machine},
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
    let index = code.and(W::splat(31));
    let [x0, x1, x2, x3, x4, y0, y1, y2, y3, y4] = &window.0;
    // The entries are carried, of magnitude 1: a committed table is canonical, and others come from `to_memory`.
    let word = |entries| W::kernel(Choose { entries, index });
    let x = FeX8::from_memory([word(x0), word(x1), word(x2), word(x3), word(x4)]);
    let y = FeX8::from_memory([word(y0), word(y1), word(y2), word(y3), word(y4)]);
    Affine { x, y: y.negate_where(code.less(W::splat(32)), 1) }
}

/// The word of each lane's entry.
struct Choose<'a, W> {
    entries: &'a Table32,
    index: W,
}

impl<W: Word> Kernel for Choose<'_, W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        W::lookup32(self.entries, self.index)
    }
}
