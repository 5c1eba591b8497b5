//! The words that limbs are made of. Each kind of word is a trait, because machines multiply differently.
//!
//! - A [`Digit`] is one 64-bit integer with every bit in use. Sums carry from digit to digit, and a product has 128
//!   bits.
//! - A [`Word`] is eight 64-bit integers side by side. The low and the high 52 bits of products are accumulated apart,
//!   as AVX-512 IFMA does.
//! - A [`doubles::Double`] is several floating-point numbers side by side, used as integers.
//! - A [`Narrow`] is sixteen 32-bit integers side by side, on which hash functions compute.
//!
//! The folder `proof`, of the feature `internals`, has the words of tests and proofs: one run of a kernel on intervals
//! (`interval`) proves for every input that no limb leaves its width. All else is for the machines that programs run on.
//!
//! This room holds machine operations only. It knows no field.

mod absent;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod avx512;
// MemorySanitizer refuses unknown operands of the instructions that carry.
#[cfg(all(target_arch = "x86_64", not(phalanx_msan)))]
mod carries;
#[cfg(any(not(target_arch = "x86_64"), phalanx_msan))]
mod carries {
    pub(super) use crate::limbs::{borrowing_sub, carrying_add};
    pub(super) type Flag = bool;
    pub(super) const NONE: Flag = false;
    #[inline(always)]
    pub(super) fn top_bit(word: u64) -> Flag {
        word >> 63 != 0
    }
}
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod checked;
mod digit;
pub mod doubles;
mod emulated;
mod machine;
mod memory;
mod narrow;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors"))]
mod neon;
mod prefetch;
#[cfg(feature = "internals")]
pub mod proof;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod shadow;
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod state;

pub use crate::mask::{Mask, Mask1, Mask8};

#[cfg(not(all(target_arch = "x86_64", feature = "vectors", feature = "std")))]
pub use absent::Fma512;
#[cfg(not(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors")))]
pub use absent::Neon;
#[cfg(not(all(target_arch = "x86_64", feature = "vectors")))]
pub use absent::{Fma, Ifma};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use avx2::Fma;
#[cfg(all(target_arch = "x86_64", feature = "vectors", feature = "std"))]
pub use avx512::Fma512;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use avx512::Ifma;
pub use digit::Digit;
pub use emulated::Emulated;
pub use machine::{Emulation, Machine, VectorUnit};
pub use memory::{CacheLine, PointPair, PointRef};
pub use narrow::{EmulatedNarrow, NARROW_LANES, Narrow};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors"))]
pub use neon::Neon;
pub use prefetch::{prefetch_for_later, prefetch_soon};

/// Whether this crate is compiled with optimisation. Without it nothing is inlined, each operation of a word goes
/// through memory, and a root of eight lanes wants more stack than a thread has: whoever chooses a machine then takes
/// one lane.
pub const OPTIMISED: bool = !cfg!(unoptimised);

/// The number of lanes of every [`Word`].
pub const LANES: usize = 8;

/// Thirty-two integers: the lower halves of all, then the upper halves. So one register of a vector unit has the halves
/// of as many integers as it can choose among.
pub type Table32 = [[u32; 32]; 2];

/// Eight 64-bit integers side by side.
///
/// Arithmetic is modulo 2^64 in each lane. The callers' bounds keep it exact; the interval implementor proves them.
pub trait Word: Copy + 'static {
    /// The name of the backend whose words these are.
    const NAME: &'static str;

    /// Twice as many integers of half the size, on the same machine.
    type Narrow: Narrow;

    /// Whether [`Self::product`] is a call, and not inlined.
    const PRODUCTS_ARE_CALLS: bool = false;

    /// Whether a word is several registers. Each operation then is several that do not wait for each other, so that
    /// nothing is gained where two chains of operations stand side by side.
    const SEVERAL_REGISTERS: bool = false;

    /// Whether this machine multiplies numbers modulo a prime near 2^256 as [`Self::Doubles`], instead of by
    /// [`Self::madd_lo`] and [`Self::madd_hi`].
    const IN_DOUBLES: bool = false;
    /// Eight doubles on the same machine. [`doubles::NoDoubles`] stands for a machine that computes nothing in doubles.
    type Doubles: doubles::Doubles<Word = Self>;

    /// The same value in every lane.
    fn splat(value: u64) -> Self;
    /// One value per lane.
    fn from_lanes(lanes: [u64; LANES]) -> Self;
    /// The value of each lane.
    fn to_lanes(self) -> [u64; LANES];

    /// `self + other`.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// `self + other` modulo 2^64, as hash functions add. The interval refuses an [`Word::add`] that may reach 2^64.
    #[must_use]
    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        self.add(other)
    }
    /// `self - other`. It may be below zero only if the caller reads it as two's complement ([`Word::sar`]).
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// Bitwise and.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// Shift left by a constant. Bits that leave the word are dropped.
    #[must_use]
    fn shl<const BITS: u32>(self) -> Self;
    /// `self * 2^BITS` within the word, signed or unsigned. The caller's bound ensures that the shift drops no bit.
    #[must_use]
    #[inline(always)]
    fn mul_pow2<const BITS: u32>(self) -> Self {
        self.shl::<BITS>()
    }
    /// Shift right by a constant, filling with zeros.
    #[must_use]
    fn shr<const BITS: u32>(self) -> Self;
    /// Shift right by a constant, filling with copies of the sign bit.
    #[must_use]
    fn sar<const BITS: u32>(self) -> Self;
    /// Rotation to the right by a constant, 1 to 63.
    #[must_use]
    fn rotate_right<const BITS: u32>(self) -> Self;
    /// Shift right. Each lane has its own number of bits, 0 to 63.
    #[must_use]
    fn shr_lanes(self, bits: Self) -> Self;
    /// Shift left. Each lane has its own number of bits, 0 to 63.
    #[must_use]
    fn shl_lanes(self, bits: Self) -> Self;
    /// Declares that a product uses only the low 52 bits of this word. A machine does nothing. The interval keeps only
    /// these bits; without the declaration it refuses a factor of 2^52 or more.
    #[must_use]
    #[inline(always)]
    fn low52_intended(self) -> Self {
        self
    }
    /// Declares that the word lies from 0 to `largest`. The caller writes the proof at the call, because ranges alone
    /// do not prove it. A machine does nothing, the emulation checks the values, and the interval takes on the range.
    #[must_use]
    #[inline(always)]
    fn proved_at_most(self, _largest: u64) -> Self {
        self
    }
    /// Declares that the word is never above `largest`. A machine does nothing, the emulation checks the values, and
    /// the interval checks the range.
    #[must_use]
    #[inline(always)]
    fn expect_at_most(self, _largest: u64) -> Self {
        self
    }
    /// `self + low52(a * b)`. Only the low 52 bits of `a` and `b` are multiplied.
    #[must_use]
    fn madd_lo(self, a: Self, b: Self) -> Self;
    /// `self + a * b`. The caller's bound keeps the product below 2^52.
    #[must_use]
    #[inline(always)]
    fn madd(self, a: Self, b: Self) -> Self {
        self.madd_lo(a, b)
    }
    /// `self + high52(a * b)`, which is `self + ((a * b) >> 52)`. Only the low 52 bits of `a` and `b` are multiplied.
    #[must_use]
    fn madd_hi(self, a: Self, b: Self) -> Self;

    /// The same words. Instructions that use the results come after all instructions whose results went through earlier
    /// calls.
    ///
    /// A compiler that sees a whole formula at once reorders it to save registers. It then puts instructions that wait
    /// for each other close together. The order of the operations in the source is better. This call keeps that order,
    /// at no cost.
    #[must_use]
    #[inline(always)]
    fn keep_source_order(words: [Self; 5]) -> [Self; 5] {
        words
    }

    /// The lanes in which the two are equal.
    fn equal(self, other: Self) -> Mask8;
    /// The lanes in which `self < other`, unsigned.
    fn less(self, other: Self) -> Mask8;
    /// The lanes whose top bit is set. In two's complement they are below zero.
    fn negative(self) -> Mask8;
    /// `if_set` in the lanes of the mask, `if_clear` elsewhere, without a branch.
    #[must_use]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self;
    /// The table's integer of that index in each lane, for an index below 32. No address depends on the index.
    ///
    /// A secret may choose among values by this operation. The MemorySanitizer run declares it exempt.
    fn lookup32(table: &Table32, index: Self) -> Self;
    /// Lane `index[i]` in lane `i`, for indices below 8. No address depends on the indices, so they may be secret.
    #[must_use]
    fn permute(self, index: Self) -> Self;
    /// The transpose of eight rows of eight integers: lane `i` of output `j` is `rows[i][j]`.
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES];
    /// The transposes of two sets of eight rows: the first row of each lane's pair, and the second row.
    ///
    /// # Panics
    /// If a reference is not to one of the rows.
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES]; 2] {
        [0, 1].map(|which| Self::transpose(pairs.each_ref().map(|pair| &rows[pair[which].index()].0)))
    }
    /// The first half of each row of [`Self::gather`].
    ///
    /// # Panics
    /// If a reference is not to one of the rows.
    #[inline(always)]
    fn gather_half(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES / 2]; 2] {
        Self::gather(rows, pairs).map(|[a, b, c, d, ..]| [a, b, c, d])
    }
    /// The lanes whose first reference is negated, and the lanes whose second reference is negated.
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let bit = |lane: usize, which: usize| u8::from(pairs[lane][which].is_negated()) << lane;
        [0, 1].map(|which| Mask8((0..LANES).fold(0, |mask, lane| mask | bit(lane, which))))
    }

    /// Runs a kernel. The optimiser may shorten the kernel before it inlines it. The code before that is ten times as
    /// long, and a root has hundreds of kernels. The emulation keeps a kernel as a call.
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }

    /// Runs a long kernel that seldom runs, inlined into the code around it. Where a word is several registers, the
    /// kernel stays a call, and one copy serves all roots.
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        Self::kernel(kernel)
    }

    /// Runs a product with its reduction. Where this work needs more registers than the machine has, it stays a call.
    /// Its operands are in memory anyway, and the code of each root is shorter.
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Self; 5],
        b: &[Self; 5],
        c: &[Self; 5],
        d: &[Self; 5],
    ) -> [Self; N] {
        P::run([a, b, c, d])
    }

    /// Calls `op` in a function of its own, compiled for this word's instruction set.
    ///
    /// Everything that `op` calls must be inlined into it (`#[inline(always)]`). The function bounds the size of code,
    /// and names the root in the symbol table.
    fn root<O: Op>(op: O) -> O::Output;
}

/// Work that a word may keep as a call: the longest part of a field operation (see [`Word::kernel`]), or long work that
/// seldom runs (see [`Word::call`]).
pub trait Kernel {
    /// What the work gives back.
    type Output;
    /// The work. Implementors mark it `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Declares functions of words whose body is a [`Kernel`] of their arguments.
macro_rules! kernels {
    ($($(#[$doc:meta])* $visible:vis fn $name:ident<$word:ident>($($argument:ident: $type:ty),*) -> $output:ty $body:block)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        $visible fn $name<$word: Word>($($argument: $type),*) -> $output {
            struct Arguments<$word>($($type),*);
            impl<$word: Word> Kernel for Arguments<$word> {
                type Output = $output;

                #[inline(always)]
                fn run(self) -> $output {
                    let Self($($argument),*) = self;
                    $body
                }
            }
            $word::kernel(Arguments($($argument),*))
        }
    )*};
}
pub(crate) use kernels;

/// A product with its reduction (see [`Word::product`]): from at most four numbers of five limbs to `N` words, lane by
/// lane.
pub trait ReducedProduct<const N: usize> {
    /// The work. Implementors mark it `#[inline(always)]`.
    fn run<W: Word>(operands: [&[W; 5]; 4]) -> [W; N];
}

/// A piece of work generic over words, to be compiled as a root of its own (see [`Word::root`]).
pub trait Op {
    /// What the work gives back.
    type Output;
    /// Whether the work computes with integers alone, and so runs in the caller's floating-point state. Such work uses
    /// no [`Word::Doubles`], no [`Word::madd_lo`] or [`Word::madd_hi`], and no product.
    const INTEGERS: bool = false;
    /// Whether `fma` starts its stack frame at a fixed page offset (see [`Placed`]).
    const PLACED: bool = false;
    /// The work. Implementors mark it `#[inline(always)]`.
    fn call<W: Word>(self) -> Self::Output;
}

/// Long work on public data. `fma` starts its stack frame at a fixed page offset, since its speed depends on that; other
/// units run it as it is.
///
/// It takes up to 15 KiB more stack. Work on secrets must not use it: only a known depth of its stack is overwritten.
pub struct Placed<O>(pub O);

impl<O: Op> Op for Placed<O> {
    type Output = O::Output;
    const INTEGERS: bool = O::INTEGERS;
    const PLACED: bool = true;

    #[inline(always)]
    fn call<W: Word>(self) -> O::Output {
        self.0.call::<W>()
    }
}
