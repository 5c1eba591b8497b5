//! Numbers and points of eight lanes in memory: the engine's, for secp256k1; and what this crate keeps in them.

use crate::{
    Scalar,
    field::P256k1,
    group::{Coordinates, Secp256k1},
    tables::{LookupWindow, WideWindow},
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

/// The x of the entry of a window that all lanes share for each lane's code, of six bits. The whole window is read, and
/// the code chooses within registers. Constant time.
#[inline(always)]
pub(crate) fn lookup_x<W: Word>(window: &LookupWindow, code: W) -> FeX8<W> {
    chosen(&window.0[..5], code)
}

/// The y, with the code's sign: not carried, and of magnitude 2.
#[inline(always)]
pub(crate) fn lookup_y<W: Word>(window: &LookupWindow, code: W) -> FeX8<W> {
    chosen(&window.0[5..], code).negate_where(code.less(W::splat(32)), 1)
}

/// As [`lookup_x`], for codes of seven bits.
#[inline(always)]
pub(crate) fn lookup_wide_x<W: Word>([lower, upper]: &WideWindow, code: W) -> FeX8<W> {
    chosen_of_two([&lower.0[..5], &upper.0[..5]], code)
}

/// As [`lookup_y`], for codes of seven bits.
#[inline(always)]
pub(crate) fn lookup_wide_y<W: Word>([lower, upper]: &WideWindow, code: W) -> FeX8<W> {
    chosen_of_two([&lower.0[5..], &upper.0[5..]], code).negate_where(code.less(W::splat(64)), 1)
}

/// The entry of a window in limbs of 52 bits, with the code's sign, for one row in all lanes; otherwise as [`lookup_x`]
/// and [`lookup_y`].
#[inline(always)]
pub(crate) fn lookup_limbs<W: Word>(window: &LookupWindow, code: W) -> Affine<FeX8<W>> {
    let [x0, x1, x2, x3, x4, y0, y1, y2, y3, y4] = &window.0;
    let word = |entries| W::kernel(Choose { entries, code });
    let x = of_limbs([word(x0), word(x1), word(x2), word(x3), word(x4)]);
    let y = of_limbs([word(y0), word(y1), word(y2), word(y3), word(y4)]);
    Affine { x, y: y.negate_where(code.less(W::splat(32)), 1) }
}

/// The number of canonical limbs.
#[inline(always)]
fn of_limbs<W: Word>(limbs: [W; 5]) -> FeX8<W> {
    if !W::IN_DOUBLES {
        return FeX8::from_limbs(limbs);
    }
    let [a, b, c, d, e] = limbs;
    FeX8::from_words([
        a.or(b.shl::<52>()),
        b.shr::<12>().or(c.shl::<40>()),
        c.shr::<24>().or(d.shl::<28>()),
        d.shr::<36>().or(e.shl::<16>()),
    ])
}

/// The number that the lowest five bits of each lane's code choose. The entries are carried, of magnitude 1: a committed
/// table is, and others come from `to_memory`.
#[inline(always)]
fn chosen<W: Word>(tables: &[Table32], code: W) -> FeX8<W> {
    let mut words = [W::splat(0); 5];
    // In a loop: word beside word, this takes more registers than there are.
    for (word, entries) in words.iter_mut().zip(tables) {
        *word = W::kernel(Choose { entries, code });
    }
    FeX8::from_memory(words)
}

/// The same for the lowest six bits.
#[inline(always)]
fn chosen_of_two<W: Word>([lower, upper]: [&[Table32]; 2], code: W) -> FeX8<W> {
    let above = code.and(W::splat(32)).equal(W::splat(32));
    let mut words = [W::splat(0); 5];
    for (word, (lower, upper)) in words.iter_mut().zip(lower.iter().zip(upper)) {
        let [lower, upper] = [W::kernel(Choose { entries: lower, code }), W::kernel(Choose { entries: upper, code })];
        *word = W::select(above, upper, lower);
    }
    FeX8::from_memory(words)
}

/// The word of each lane's entry.
struct Choose<'a, W> {
    entries: &'a Table32,
    code: W,
}

impl<W: Word> Kernel for Choose<'_, W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        W::lookup32(self.entries, self.code.and(W::splat(31)))
    }
}
