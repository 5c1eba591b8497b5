//! Machines on which one operation lies: the emulation, but for the lowest bit of one lane of what that operation gives.
//!
//! One machine multiplies 52 bits, as `ifma` does. The other computes in doubles, as `fma` and `neon` do.

mod doubles;
mod narrow;

use doubles::FaultyDoubles;
use narrow::FaultyNarrow;
use phalanx_engine::word::{CacheLine, Emulated, LANES, Machine, Mask8, Op, PointPair, ReducedProduct, Table32, Word};
use std::cell::Cell;

/// How often an operation lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Often {
    Never,
    Always,
    /// Once in so many times.
    OnceIn(usize),
}

std::thread_local! {
    /// The operation that lies.
    static LIAR: Cell<Option<(&'static str, Often)>> = const { Cell::new(None) };
    /// How often it was asked, and how many lies were told.
    static ASKED: Cell<usize> = const { Cell::new(0) };
    static TOLD: Cell<usize> = const { Cell::new(0) };
}

/// The functions of these traits that cannot lie, and why.
pub(super) const NO_LIARS: [(&str, &str); 12] = [
    ("Word low52_intended", "a declaration: no machine does anything there"),
    ("Word proved_at_most", "a declaration: no machine does anything there"),
    ("Word expect_at_most", "a declaration: no machine does anything there"),
    ("Word kernel", "runs code as it is, and knows nothing of what that gives"),
    ("Word call", "runs code as it is, and knows nothing of what that gives"),
    ("Word root", "runs code as it is, and knows nothing of what that gives"),
    ("Doubles apply", "runs code as it is; each of its operations may lie"),
    ("Doubles apply_to_one", "runs code as it is; each of its operations may lie"),
    ("Doubles apply_formula", "runs code as it is; each of its operations may lie"),
    ("Doubles select", "numbers in doubles are chosen as words, by `Word::select`"),
    ("Double minus_product: coarse", "nothing reads it: of what was taken away a column reads the sum and the rest"),
    ("Double plus: coarse", "nothing reads it: the small number is split for its rest and for the sum"),
];

/// What came of a run: its result, how often the operation was asked, and how many lies were told.
pub(super) struct Said<T> {
    pub(super) result: T,
    pub(super) asked: usize,
    pub(super) told: usize,
}

/// Runs something while the operation lies.
pub(super) fn with<T>(operation: &'static str, often: Often, run: impl FnOnce() -> T) -> Said<T> {
    LIAR.set(Some((operation, often)));
    ASKED.set(0);
    TOLD.set(0);
    let result = run();
    LIAR.set(None);
    Said { result, asked: ASKED.get(), told: TOLD.get() }
}

/// Whether the operation's answer is to be wrong.
fn lies(operation: &'static str) -> bool {
    let Some((faulty_word, often)) = LIAR.get() else { return false };
    if faulty_word != operation {
        return false;
    }
    let asked = ASKED.replace(ASKED.get() + 1);
    let lies = match often {
        Often::Never => false,
        Often::Always => true,
        Often::OnceIn(times) => asked % times == times / 2,
    };
    TOLD.set(TOLD.get() + usize::from(lies));
    lies
}

/// The bit by which the operation's answer is wrong.
fn lie(operation: &'static str) -> u64 {
    u64::from(lies(operation))
}

/// The lane that is wrong.
const LANE: usize = 5;

/// A machine. It computes in doubles, or does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Faulty<const IN_DOUBLES: bool>;

impl<const IN_DOUBLES: bool> Machine for Faulty<IN_DOUBLES> {
    fn run<O: Op>(self, op: O) -> O::Output {
        FaultyWord::<IN_DOUBLES>::root(op)
    }
}

#[derive(Clone, Copy, Debug)]
struct FaultyWord<const IN_DOUBLES: bool>(Emulated);

impl<const IN_DOUBLES: bool> FaultyWord<IN_DOUBLES> {
    fn told(operation: &'static str, truth: Emulated) -> Self {
        let mut lanes = truth.to_lanes();
        lanes[LANE] ^= lie(operation);
        Self(Emulated::from_lanes(lanes))
    }

    /// Of several words the first one may be wrong.
    fn told_first<const N: usize>(operation: &'static str, truths: [Emulated; N]) -> [Self; N] {
        let mut words = truths.map(Self);
        words[0] = Self::told(operation, truths[0]);
        words
    }
}

fn told_mask(operation: &'static str, Mask8(truth): Mask8) -> Mask8 {
    Mask8(truth ^ (lie(operation) as u8) << LANE)
}

/// Declares operations that may lie, as those of the emulation.
macro_rules! operations {
    ($($name:ident $(<$bits:ident>)? ($($operand:ident),*);)*) => {$(
        #[inline(never)]
        fn $name $(<const $bits: u32>)? (self $(, $operand: Self)*) -> Self {
            Self::told(concat!("Word ", stringify!($name)), self.0.$name $(::<$bits>)? ($($operand.0),*))
        }
    )*};
}

/// Declares those that answer yes or no.
macro_rules! questions {
    ($($name:ident($($operand:ident),*);)*) => {$(
        fn $name(self $(, $operand: Self)*) -> Mask8 {
            told_mask(concat!("Word ", stringify!($name)), self.0.$name($($operand.0),*))
        }
    )*};
}

impl<const IN_DOUBLES: bool> Word for FaultyWord<IN_DOUBLES> {
    const NAME: &'static str = "lying";
    // As on the machines that it stands for.
    const PRODUCTS_ARE_CALLS: bool = IN_DOUBLES;
    const SEVERAL_REGISTERS: bool = IN_DOUBLES;
    const IN_DOUBLES: bool = IN_DOUBLES;

    type Narrow = FaultyNarrow;
    type Doubles = FaultyDoubles<IN_DOUBLES>;

    fn splat(value: u64) -> Self {
        Self::told("Word splat", Emulated::splat(value))
    }
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        Self::told("Word from_lanes", Emulated::from_lanes(lanes))
    }
    fn to_lanes(self) -> [u64; LANES] {
        Self::told("Word to_lanes", self.0).0.to_lanes()
    }
    operations! {
        add(other);
        sub(other);
        and(other);
        or(other);
        xor(other);
        shl<BITS>();
        mul_pow2<BITS>();
        shr<BITS>();
        sar<BITS>();
        wrapping_add(other);
        rotate_right<BITS>();
        shr_lanes(bits);
        shl_lanes(bits);
        madd_lo(a, b);
        madd(a, b);
        madd_hi(a, b);
        permute(index);
    }
    questions! {
        equal(other);
        less(other);
        negative();
    }
    fn keep_source_order(words: [Self; 5]) -> [Self; 5] {
        Self::told_first("Word keep_source_order", words.map(|word| word.0))
    }
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::told("Word select", Emulated::select(mask, if_set.0, if_clear.0))
    }
    fn lookup32(table: &Table32, index: Self) -> Self {
        Self::told("Word lookup32", Emulated::lookup32(table, index.0))
    }
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        Self::told_first("Word transpose", Emulated::transpose(rows))
    }
    fn gather(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES]; 2] {
        let [first, second] = Emulated::gather(rows, pairs);
        [first.map(Self), Self::told_first("Word gather", second)]
    }
    fn gather_half(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES / 2]; 2] {
        let [first, second] = Emulated::gather_half(rows, pairs);
        [first.map(Self), Self::told_first("Word gather_half", second)]
    }
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let [first, second] = Emulated::negations(pairs);
        [first, told_mask("Word negations", second)]
    }
    #[inline(never)]
    fn kernel<K: phalanx_engine::word::Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[inline(never)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Self; 5],
        b: &[Self; 5],
        c: &[Self; 5],
        d: &[Self; 5],
    ) -> [Self; N] {
        Self::told_first("Word product", P::run([a, b, c, d]).map(|word| word.0))
    }
    #[inline(never)]
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}
