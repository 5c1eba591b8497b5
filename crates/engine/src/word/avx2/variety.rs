//! How four lanes multiply 52 bits, and the functions that are compiled for each way.

use super::{Op, Pair256, Product, floats, madd52::Halves52, state::DefaultState};
use crate::word::doubles::{self, NoDoubles};
use core::arch::x86_64::*;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a word multiplies by.
pub(super) trait Variety: Copy + 'static {
    /// The name of the backend whose words multiply so.
    const NAME: &'static str;

    /// Whether numbers modulo a prime near 2^256 are in doubles (see [`crate::word::Word::IN_DOUBLES`]).
    const IN_DOUBLES: bool = false;
    /// Eight doubles, or none.
    type Doubles: doubles::Doubles<Word = Pair256<Self>>;

    /// `sum + low52(a * b)`, where only the low 52 bits of `a` and `b` take part.
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i;

    /// `sum + ((a * b) >> 52)`, where only the low 52 bits of `a` and `b` take part.
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i;

    /// The function that every root is an instance of; where there is none, part of the code around it.
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    #[inline(always)]
    unsafe fn root<O: Op>(op: O) -> O::Output {
        op.call::<Pair256<Self>>()
    }

    /// A product as a call (see [`crate::word::Word::product`]); where there is none, part of the code around it.
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    #[inline(always)]
    unsafe fn product<P: Product<N>, const N: usize>(
        a: Number<Self>,
        b: Number<Self>,
        c: Number<Self>,
        d: Number<Self>,
    ) -> [Pair256<Self>; N] {
        P::run([a, b, c, d])
    }
}

/// A number of five limbs, where it lies in memory.
type Number<'a, V> = &'a [Pair256<V>; 5];

/// AVX2 and FMA, without integer products of 52 bits: [`super::madd52`] makes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubles;

/// The instructions of IFMA, in one encoding or the other, for products; AVX2 and FMA for the rest, so that one copy of
/// each root serves both encodings, and a machine with either tests it. The few multiplications that are part of no
/// product are those of [`Doubles`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Ifma256;

/// Within products: the instructions in the encoding of AVX-512, and AVX2 around them.
///
/// The code is that of [`Vex`] but for this encoding, so that a CPU with AVX-512 runs and tests what others will run:
/// the compiler knows of AVX2 only, has sixteen registers and no masks, and moves nothing in registers of 512 bits. So
/// the instructions are assembly, for which it needs not know them.
#[derive(Clone, Copy, Debug)]
struct Evex;

/// Within products: the same two instructions in the encoding of AVX2, which AVX-IFMA has.
#[derive(Clone, Copy, Debug)]
struct Vex;

/// Whether products take the encoding of AVX2. Set where a token is made, and only where detection found AVX-IFMA and no
/// AVX-512 IFMA.
pub(super) static VEX: AtomicBool = AtomicBool::new(false);

/// A function of products. Numbers of one variety are those of another: the same halves.
macro_rules! product {
    ($name:ident, $features:literal, $from:ident as $to:ident) => {
        #[target_feature(enable = $features)]
        fn $name<P: Product<N>, const N: usize>(
            a: Number<$from>,
            b: Number<$from>,
            c: Number<$from>,
            d: Number<$from>,
        ) -> [Pair256<$from>; N] {
            P::run([Pair256::cast(a), Pair256::cast(b), Pair256::cast(c), Pair256::cast::<$to>(d)]).map(Pair256::of)
        }
    };
}

product!(fma_product, "avx2,fma,bmi2,adx", Doubles as Doubles);
product!(vex_product, "avxifma,fma,bmi2,adx", Ifma256 as Vex);
#[cfg(not(phalanx_msan))]
product!(evex_product, "avx2,fma,bmi2,adx", Ifma256 as Evex);
// MemorySanitizer sees through no assembly.
#[cfg(phalanx_msan)]
product!(evex_product, "avx512f,avx512vl,avx512ifma,fma,bmi2,adx", Ifma256 as Evex);

/// The function that every root on words of a variety is an instance of.
#[target_feature(enable = "avx2,fma,bmi2,adx")]
fn pair_root<V: Variety, O: Op>(op: O) -> O::Output {
    op.call::<Pair256<V>>()
}

/// Calls of roots. Doubles are computed with in all of them.
macro_rules! root {
    () => {
        #[inline(always)]
        unsafe fn root<O: Op>(op: O) -> O::Output {
            let _state = DefaultState::enter();
            // SAFETY: the caller promises that the CPU has the instructions.
            unsafe { pair_root::<Self, O>(op) }
        }
    };
}

/// Calls of products pass through a function that is compiled for any CPU, and so is neither inlined itself nor has the
/// other inlined into it: `#[inline(never)]` is lost on functions with features of their own (rustc 1.95).
impl Variety for Doubles {
    const NAME: &'static str = "fma";
    const IN_DOUBLES: bool = true;
    type Doubles = floats::Pair;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        intrinsic!(_mm256_add_epi64(sum, Halves52::of(a, b).low()))
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Halves52::of(a, b).add_high(sum)
    }
    root!();
    #[inline(never)]
    unsafe fn product<P: Product<N>, const N: usize>(
        a: Number<Self>,
        b: Number<Self>,
        c: Number<Self>,
        d: Number<Self>,
    ) -> [Pair256<Self>; N] {
        // SAFETY: the caller promises that the CPU has the instructions.
        unsafe { fma_product::<P, N>(a, b, c, d) }
    }
}

/// As of [`Doubles`]; the same function chooses the encoding.
impl Variety for Ifma256 {
    const NAME: &'static str = "avx-ifma";
    type Doubles = NoDoubles<Pair256<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Doubles::madd_lo(sum, a, b)
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Doubles::madd_hi(sum, a, b)
    }
    root!();
    #[inline(never)]
    unsafe fn product<P: Product<N>, const N: usize>(
        a: Number<Self>,
        b: Number<Self>,
        c: Number<Self>,
        d: Number<Self>,
    ) -> [Pair256<Self>; N] {
        if VEX.load(Relaxed) {
            // SAFETY: the caller promises that the CPU has the instructions in one encoding, and `VEX` says this one.
            unsafe { vex_product::<P, N>(a, b, c, d) }
        } else {
            // SAFETY: as above, of the other encoding.
            unsafe { evex_product::<P, N>(a, b, c, d) }
        }
    }
}

impl Variety for Evex {
    const NAME: &'static str = Ifma256::NAME;
    type Doubles = NoDoubles<Pair256<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a `Pair256<Evex>` is only worked on in `evex_product`, so the CPU has the instruction.
        unsafe { evex::madd_lo(sum, a, b) }
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { evex::madd_hi(sum, a, b) }
    }
}

impl Variety for Vex {
    const NAME: &'static str = Ifma256::NAME;
    type Doubles = NoDoubles<Pair256<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a `Pair256<Vex>` is only worked on in `vex_product`, so the CPU has the instruction, which works on
        // registers only.
        unsafe { _mm256_madd52lo_avx_epu64(sum, a, b) }
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_madd52hi_avx_epu64(sum, a, b) }
    }
}

/// The instructions of [`Evex`].
#[cfg(not(phalanx_msan))]
mod evex {
    use core::arch::{asm, x86_64::__m256i};

    /// Declares an instruction. The assembler gives it the encoding of AVX-512 where none is asked for.
    macro_rules! instruction {
        ($name:ident, $template:literal) => {
            /// # Safety
            /// The CPU must have AVX-512 VL and IFMA.
            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) unsafe fn $name(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
                let mut sum = sum;
                // SAFETY: the one instruction, which the CPU has by the caller's promise, reads its three registers and
                // writes the first: no memory, no stack and no flags, as the options say.
                unsafe {
                    asm!($template, inout(ymm_reg) sum, in(ymm_reg) a, in(ymm_reg) b,
                        options(pure, nomem, nostack, preserves_flags));
                }
                sum
            }
        };
    }

    instruction!(madd_lo, "vpmadd52luq {}, {}, {}");
    instruction!(madd_hi, "vpmadd52huq {}, {}, {}");
}

/// The same where the compiler must know the instructions.
#[cfg(phalanx_msan)]
mod evex {
    pub(super) use core::arch::x86_64::{_mm256_madd52hi_epu64 as madd_hi, _mm256_madd52lo_epu64 as madd_lo};
}
