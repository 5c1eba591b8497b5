//! Products of 52 bits by the instructions of IFMA in registers of 256 bits.

use super::{
    Kernel, Op, Pair256, ReducedProduct, Word,
    variety::{Number, Variety},
};
use crate::word::doubles::NoDoubles;
use core::arch::x86_64::*;

/// Proof that the CPU multiplies 52 bits in 256-bit registers, in one encoding of the instructions or the other:
/// only [`AvxIfma::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct AvxIfma(Encoding);

/// How the instructions are encoded.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    /// As AVX-512 has them.
    Evex,
    /// As AVX-IFMA has them.
    Vex,
}

impl AvxIfma {
    /// Without the standard library nobody asks the CPU: none.
    #[cfg(not(feature = "std"))]
    pub fn detect() -> Option<Self> {
        None
    }

    /// Asks the CPU, by its feature bits: for the encoding of AVX-512 first, because that form has run and been tested.
    #[cfg(feature = "std")]
    pub fn detect() -> Option<Self> {
        if !super::has_256_bits() {
            return None;
        }
        let evex = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512ifma");
        let vex = std::is_x86_feature_detected!("avxifma");
        evex.then_some(Self(Encoding::Evex)).or(vex.then_some(Self(Encoding::Vex)))
    }

    /// Whether this form of the code has run on a CPU and been tested there, as the one in the encoding of AVX-512 has.
    /// The other has been compiled and disassembled, no more.
    pub fn is_tested(self) -> bool {
        matches!(self.0, Encoding::Evex)
    }

    /// Runs the work on pairs of 256-bit words.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        match self.0 {
            Encoding::Evex => Pair256::<Evex>::root(op),
            Encoding::Vex => Pair256::<Vex>::root(op),
        }
    }
}

/// The instructions of IFMA in the encoding of AVX-512, and AVX2 around them.
///
/// The code is that of [`Vex`] but for this encoding, so that a CPU with AVX-512 runs and tests what others will run:
/// the compiler knows of AVX2 only, has sixteen registers and no masks, and moves nothing in registers of 512 bits. So
/// the instructions are assembly, for which it needs not know them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evex;

/// The same two instructions in the encoding of AVX2, which AVX-IFMA has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vex;

#[cfg(not(phalanx_msan))]
super::variety::variety! {
    Evex = "avx-ifma", "avx2,bmi2", (), false, NoDoubles<Pair256<Evex>>;
    evex_root, evex_kernel, evex_call, evex_product;
    evex::madd_lo, evex::madd_hi
}

// MemorySanitizer sees through no assembly.
#[cfg(phalanx_msan)]
super::variety::variety! {
    Evex = "avx-ifma", "avx512f,avx512vl,avx512ifma,bmi2", (), false, NoDoubles<Pair256<Evex>>;
    evex_root, evex_kernel, evex_call, evex_product;
    _mm256_madd52lo_epu64, _mm256_madd52hi_epu64
}

super::variety::variety! {
    Vex = "avx-ifma", "avxifma,bmi2", (), false, NoDoubles<Pair256<Vex>>;
    vex_root, vex_kernel, vex_call, vex_product;
    _mm256_madd52lo_avx_epu64, _mm256_madd52hi_avx_epu64
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
