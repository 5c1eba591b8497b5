//! How four lanes multiply 52 bits, and the functions that are compiled for each variety.

use super::{Op, Pair256, Product, floats, madd52::Halves52, state::DefaultState};
use crate::word::doubles::{self, NoDoubles};
use core::arch::x86_64::*;

/// A kind of CPU: what it multiplies by, and for what its code is compiled.
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

    /// The function that every root is an instance of.
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn root<O: Op>(op: O) -> O::Output;

    /// A product as a call (see [`crate::word::Word::product`]).
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn product<P: Product<Pair256<Self>>>(
        a: Number<Self>,
        b: Number<Self>,
        c: Number<Self>,
        d: Number<Self>,
    ) -> P::Output;
}

/// A number of five limbs, where it lies in memory.
type Number<'a, V> = &'a [Pair256<V>; 5];

/// AVX-512 IFMA on registers of 256 bits: the two instructions in the encoding of AVX-512, and AVX2 around them.
///
/// The code is that of [`Vex`] but for this encoding, so that a CPU with AVX-512 runs and tests what others will run:
/// the compiler knows of AVX2 only, has sixteen registers and no masks, and moves nothing in registers of 512 bits. So
/// the instructions are assembly, for which it needs not know them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evex;

/// AVX-IFMA: the same two instructions in the encoding of AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vex;

/// AVX2 and FMA, without integer products of 52 bits: [`super::madd52`] makes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubles;

/// The functions compiled for a variety. What is inlined into them is compiled for its instructions.
macro_rules! compiled {
    ($features:literal, $root:ident, $product:ident) => {
        #[target_feature(enable = $features)]
        fn $root<O: Op>(op: O) -> O::Output {
            op.call::<Pair256<Self>>()
        }

        #[target_feature(enable = $features)]
        fn $product<P: Product<Pair256<Self>>>(
            a: Number<Self>,
            b: Number<Self>,
            c: Number<Self>,
            d: Number<Self>,
        ) -> P::Output {
            P::run([a, b, c, d])
        }
    };
}

/// The calls of the same. That of a product passes through a function that is compiled for any CPU, and so is neither
/// inlined itself nor has the other inlined into it: `#[inline(never)]` is lost on functions with features of their own
/// (rustc 1.95).
macro_rules! calls {
    ($root:ident, $product:ident $(, $state:expr)?) => {
        #[inline(always)]
        unsafe fn root<O: Op>(op: O) -> O::Output {
            $(let _state = $state;)?
            // SAFETY: the caller promises that the CPU has the instructions.
            unsafe { Self::$root(op) }
        }
        #[inline(never)]
        unsafe fn product<P: Product<Pair256<Self>>>(
            a: Number<Self>,
            b: Number<Self>,
            c: Number<Self>,
            d: Number<Self>,
        ) -> P::Output {
            // SAFETY: the caller promises that the CPU has the instructions.
            unsafe { Self::$product::<P>(a, b, c, d) }
        }
    };
}

impl Evex {
    #[cfg(not(phalanx_msan))]
    compiled!("avx2,bmi2,adx", evex_root, evex_product);
    // MemorySanitizer sees through no assembly.
    #[cfg(phalanx_msan)]
    compiled!("avx512f,avx512vl,avx512ifma,bmi2,adx", evex_root, evex_product);
}

impl Vex {
    compiled!("avxifma,bmi2,adx", vex_root, vex_product);
}

impl Doubles {
    compiled!("avx2,fma,bmi2,adx", fma_root, fma_product);
}

impl Variety for Evex {
    const NAME: &'static str = "avx-ifma";
    type Doubles = NoDoubles<Pair256<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a `Pair256<Evex>` is only worked on where the CPU has the instruction.
        unsafe { evex::madd_lo(sum, a, b) }
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { evex::madd_hi(sum, a, b) }
    }
    calls!(evex_root, evex_product);
}

impl Variety for Vex {
    const NAME: &'static str = "avx-ifma";
    type Doubles = NoDoubles<Pair256<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the instruction works on registers only; a `Pair256<Vex>` is only worked on where the CPU has it.
        unsafe { _mm256_madd52lo_avx_epu64(sum, a, b) }
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_madd52hi_avx_epu64(sum, a, b) }
    }
    calls!(vex_root, vex_product);
}

impl Variety for Doubles {
    const NAME: &'static str = "fma";
    const IN_DOUBLES: bool = true;
    type Doubles = floats::Pair;

    #[inline(always)]
    fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        let product = Halves52::of(a, b);
        intrinsic!(_mm256_add_epi64(sum, product.low()))
    }
    #[inline(always)]
    fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Halves52::of(a, b).add_high(sum)
    }
    calls!(fma_root, fma_product, DefaultState::enter());
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
