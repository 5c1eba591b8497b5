//! A machine on which one operation lies: the emulation, but for one lane of what that operation gives.

use phalanx_engine::word::{
    Emulated, EmulatedNarrow, LANES, Machine, Mask8, NARROW_LANES, Narrow, Op, Word, doubles::NoDoubles,
};
use std::cell::Cell;

/// How often an operation lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Often {
    Always,
    /// Where the lowest twelve bits of the truth are all ones.
    Seldom,
}

std::thread_local! {
    /// The operation that lies.
    static LIAR: Cell<Option<(&'static str, Often)>> = const { Cell::new(None) };
    /// How many lies were told.
    static TOLD: Cell<usize> = const { Cell::new(0) };
}

/// The operations of words that the known answers need, in the order of the trait.
pub(super) const OPERATIONS: [&str; 21] = [
    "splat",
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "shl",
    "shr",
    "sar",
    "shr_lanes",
    "madd_lo",
    "madd_hi",
    "equal",
    "less",
    "negative",
    "select",
    "lookup16",
    "permute",
    "transpose",
    "narrow add",
    "narrow rotate_right",
];

/// Runs something on a machine on which the operation lies. Gives also how many lies were told.
pub(super) fn with<T>(operation: &'static str, often: Often, run: impl FnOnce(Lying) -> T) -> (T, usize) {
    LIAR.set(Some((operation, often)));
    TOLD.set(0);
    let result = run(Lying);
    LIAR.set(None);
    (result, TOLD.get())
}

/// The bit by which the operation's answer is wrong.
fn lie(operation: &'static str, truth: u64) -> u64 {
    let lies = match LIAR.get() {
        Some((liar, Often::Always)) => liar == operation,
        Some((liar, Often::Seldom)) => liar == operation && truth & 0xfff == 0xfff,
        None => false,
    };
    TOLD.set(TOLD.get() + usize::from(lies));
    u64::from(lies)
}

/// The lane that is wrong.
const LANE: usize = 5;

/// The machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lying;

impl Machine for Lying {
    fn run<O: Op>(self, op: O) -> O::Output {
        LyingWord::root(op)
    }
}

#[derive(Clone, Copy, Debug)]
struct LyingWord(Emulated);

fn word(operation: &'static str, truth: Emulated) -> LyingWord {
    let mut lanes = truth.to_lanes();
    lanes[LANE] ^= lie(operation, lanes[LANE]);
    LyingWord(Emulated::from_lanes(lanes))
}

fn mask(operation: &'static str, Mask8(truth): Mask8) -> Mask8 {
    Mask8(truth ^ (lie(operation, u64::from(truth)) as u8) << LANE)
}

/// Declares operations that may lie, as those of the emulation.
macro_rules! operations {
    ($($name:ident $(<$bits:ident>)? ($($operand:ident),*);)*) => {$(
        #[inline(never)]
        fn $name $(<const $bits: u32>)? (self $(, $operand: Self)*) -> Self {
            word(stringify!($name), self.0.$name $(::<$bits>)? ($($operand.0),*))
        }
    )*};
}

/// Declares those that answer yes or no.
macro_rules! questions {
    ($($name:ident($($operand:ident),*);)*) => {$(
        fn $name(self $(, $operand: Self)*) -> Mask8 {
            mask(stringify!($name), self.0.$name($($operand.0),*))
        }
    )*};
}

impl Word for LyingWord {
    const NAME: &'static str = "lying";

    type Narrow = LyingNarrow;
    type Doubles = NoDoubles<Self>;

    fn splat(value: u64) -> Self {
        word("splat", Emulated::splat(value))
    }
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        Self(Emulated::from_lanes(lanes))
    }
    fn to_lanes(self) -> [u64; LANES] {
        self.0.to_lanes()
    }
    operations! {
        add(other);
        sub(other);
        and(other);
        or(other);
        xor(other);
        shl<BITS>();
        shr<BITS>();
        sar<BITS>();
        shr_lanes(bits);
        madd_lo(a, b);
        madd_hi(a, b);
        permute(index);
    }
    questions! {
        equal(other);
        less(other);
        negative();
    }
    fn shl_lanes(self, bits: Self) -> Self {
        Self(self.0.shl_lanes(bits.0))
    }
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        word("select", Emulated::select(mask, if_set.0, if_clear.0))
    }
    fn lookup16(table: &[u64; 16], index: Self) -> Self {
        word("lookup16", Emulated::lookup16(table, index.0))
    }
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        Emulated::transpose(rows).map(|truth| word("transpose", truth))
    }
    #[inline(never)]
    fn kernel<K: phalanx_engine::word::Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[inline(never)]
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}

#[derive(Clone, Copy, Debug)]
struct LyingNarrow(EmulatedNarrow);

fn narrow(operation: &'static str, truth: EmulatedNarrow) -> LyingNarrow {
    let mut lanes = truth.to_lanes();
    lanes[LANE] ^= lie(operation, u64::from(lanes[LANE])) as u32;
    LyingNarrow(EmulatedNarrow::from_lanes(lanes))
}

impl Narrow for LyingNarrow {
    fn splat(value: u32) -> Self {
        Self(EmulatedNarrow::splat(value))
    }
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        Self(EmulatedNarrow::from_lanes(lanes))
    }
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        self.0.to_lanes()
    }
    fn add(self, other: Self) -> Self {
        narrow("narrow add", self.0.add(other.0))
    }
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }
    fn shl<const BITS: u32>(self) -> Self {
        Self(self.0.shl::<BITS>())
    }
    fn shr<const BITS: u32>(self) -> Self {
        Self(self.0.shr::<BITS>())
    }
    fn rotate_right<const BITS: i32>(self) -> Self {
        narrow("narrow rotate_right", self.0.rotate_right::<BITS>())
    }
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        Self(EmulatedNarrow::xor3(a.0, b.0, c.0))
    }
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        Self(self.0.choose(if_set.0, if_clear.0))
    }
    fn majority(a: Self, b: Self, c: Self) -> Self {
        Self(EmulatedNarrow::majority(a.0, b.0, c.0))
    }
}
