//! What limbs are made of.
//!
//! Two traits, because kinds of machine multiply differently. A [`Digit`] is one 64-bit integer with every bit in use,
//! which carries from sum to sum and whose product has 128 bits. A [`Word`] is eight 64-bit integers side by side whose
//! products are accumulated as the low and the high 52 bits, as AVX-512 IFMA does. It has an implementor made of
//! intervals ([`interval`]): running a kernel once on intervals proves for every input that no limb leaves its width.
//!
//! This room holds machine operations only; it knows no field.

mod absent;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod carries;
#[cfg(not(target_arch = "x86_64"))]
mod carries {
    pub(super) use crate::limbs::{borrowing_sub, carrying_add};
    pub(super) type Flag = bool;
    pub(super) const NONE: Flag = false;
}
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod checked;
mod digit;
pub mod doubles;
mod emulated;
#[cfg(feature = "std")]
mod emulated_doubles;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod ifma;
pub mod interval;
#[cfg(feature = "std")]
pub mod interval_doubles;
mod machine;
mod memory;
mod narrow;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors"))]
mod neon;
mod prefetch;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod shadow;
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod state;
mod tracked;

pub use crate::mask::{Mask, Mask1, Mask8};

#[cfg(not(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors")))]
pub use absent::Neon;
#[cfg(not(all(target_arch = "x86_64", feature = "vectors")))]
pub use absent::{Fma, Ifma};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use avx2::Fma;
pub use digit::Digit;
pub use emulated::Emulated;
#[cfg(feature = "std")]
pub use emulated_doubles::EmulatedDoubles;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub use ifma::Ifma;
pub use machine::{Emulation, Machine, Tracking, VectorUnit};
pub use memory::{CacheLine, PointPair, PointRef};
pub use narrow::{EmulatedNarrow, NARROW_LANES, Narrow};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors"))]
pub use neon::Neon;
pub use prefetch::{prefetch_for_later, prefetch_soon};
pub use tracked::Tracked;

/// Whether this crate is compiled with optimisation. Without it nothing is inlined, each operation of a word goes through
/// memory, and a root of eight lanes wants more stack than a thread has: whoever chooses a machine then takes one lane.
pub const OPTIMISED: bool = !cfg!(unoptimised);

/// The number of lanes of every [`Word`].
pub const LANES: usize = 8;

/// Eight 64-bit integers side by side.
///
/// Arithmetic is modulo 2^64 in each lane; the callers' bounds (proved by the interval implementor) keep it exact.
pub trait Word: Copy + 'static {
    /// The name of the backend whose words these are.
    const NAME: &'static str;

    /// Twice as many integers of half the size, on the same machine.
    type Narrow: Narrow;

    /// Whether [`Self::product`] stays a call.
    const PRODUCTS_ARE_CALLS: bool = false;

    /// Whether numbers modulo a prime near 2^256 are multiplied as [`Self::Doubles`] on this machine, and not by
    /// [`Self::madd_lo`] and [`Self::madd_hi`].
    const IN_DOUBLES: bool = false;
    /// Eight doubles on the same machine; [`doubles::NoDoubles`] where nothing is computed in them.
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
    /// `self - other`. It may be below zero only where the caller reads it as two's complement ([`Word::sar`]).
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
    /// Shift left by a constant; bits that leave the word are dropped.
    #[must_use]
    fn shl<const BITS: u32>(self) -> Self;
    /// `self * 2^BITS` within the word, signed or unsigned: a shift that the caller's bound keeps from dropping
    /// anything.
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
    /// Shift right by a number of bits of its own in each lane, 0 to 63.
    #[must_use]
    fn shr_lanes(self, bits: Self) -> Self;
    /// Shift left by a number of bits of its own in each lane, 0 to 63.
    #[must_use]
    fn shl_lanes(self, bits: Self) -> Self;
    /// Declares that as a factor only the low 52 bits of this word are meant: nothing happens on a machine, and the
    /// interval keeps just these bits where it would otherwise refuse a factor of 52 bits or more.
    #[must_use]
    #[inline(always)]
    fn low52_intended(self) -> Self {
        self
    }
    /// Declares that the word lies from 0 to `largest` by a proof written where this is called, since it rests on more
    /// than ranges: nothing happens on a machine, the emulation checks it, and the interval takes it on.
    #[must_use]
    #[inline(always)]
    fn proved_at_most(self, _largest: u64) -> Self {
        self
    }
    /// Declares that the word never goes beyond `largest`, by bounds that this project's runs check: nothing happens on
    /// a machine, the emulation checks its values, and the interval its range.
    #[must_use]
    #[inline(always)]
    fn expect_at_most(self, _largest: u64) -> Self {
        self
    }
    /// `self + low52(a * b)`, where only the low 52 bits of `a` and `b` take part.
    #[must_use]
    fn madd_lo(self, a: Self, b: Self) -> Self;
    /// `self + a * b` for a product that the caller's bound keeps below 2^52.
    #[must_use]
    #[inline(always)]
    fn madd(self, a: Self, b: Self) -> Self {
        self.madd_lo(a, b)
    }
    /// `self + high52(a * b)`, that is `(a * b) >> 52`, where only the low 52 bits of `a` and `b` take part.
    #[must_use]
    fn madd_hi(self, a: Self, b: Self) -> Self;

    /// The same words. Instructions that use the results stay behind all that went through earlier calls.
    ///
    /// A compiler that sees a whole formula at once reorders it to save registers, and puts instructions that wait for
    /// each other close together. The order of the operations in the source is better; this keeps it, at no cost.
    #[must_use]
    #[inline(always)]
    fn keep_source_order(words: [Self; 5]) -> [Self; 5] {
        words
    }

    /// The lanes in which the two are equal.
    fn equal(self, other: Self) -> Mask8;
    /// The lanes in which `self < other`, unsigned.
    fn less(self, other: Self) -> Mask8;
    /// The lanes whose top bit is set: as two's complement, those below zero.
    fn negative(self) -> Mask8;
    /// `if_set` in the lanes of the mask, `if_clear` elsewhere, without a branch.
    #[must_use]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self;
    /// `table[index]` a lane for an index below 16, without an address that depends on it.
    ///
    /// This is the one operation by which a secret may choose among values; the MemorySanitizer run declares it exempt.
    fn lookup16(table: &[u64; 16], index: Self) -> Self;
    /// Lane `index[i]` in lane `i`, for indices below 8, without an address that depends on them: a secret may be an
    /// index.
    #[must_use]
    fn permute(self, index: Self) -> Self;
    /// Eight rows of eight words become eight words of eight lanes: lane `i` of output `j` is `rows[i][j]`.
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES];
    /// The rows that are the first of each lane's pair, and those that are the second, each as by [`Self::transpose`].
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
    /// The lanes whose first reference is to a negative, and those whose second one is.
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let bit = |lane: usize, which: usize| u8::from(pairs[lane][which].is_negated()) << lane;
        [0, 1].map(|which| Mask8((0..LANES).fold(0, |mask, lane| mask | bit(lane, which))))
    }

    /// Runs a kernel. The optimiser may make it simple before it inlines it: written out it is ten times as long, and a
    /// root has hundreds of kernels. The emulation keeps it as a call.
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }

    /// Runs a long kernel that is seldom run, as part of the code around it. Where a word is several registers, it
    /// stays a call: one copy of it serves all roots.
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        Self::kernel(kernel)
    }

    /// Runs a product with its reduction. Where such work fills more registers than there are, it stays a call: its
    /// operands are in memory anyway, and each root is smaller by all its products.
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
    /// Everything under it must be inlined into it (`#[inline(always)]`); it bounds code size and names the root in
    /// the symbol table.
    fn root<O: Op>(op: O) -> O::Output;
}

/// Work that a word may keep as a call: the part of a field operation that makes most of its code (see
/// [`Word::kernel`]), or a long one that is seldom run (see [`Word::call`]).
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
    /// The work. Implementors mark it `#[inline(always)]`.
    fn call<W: Word>(self) -> Self::Output;
}
