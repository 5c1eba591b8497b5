//! The proofs that the CPU has the instructions of a 256-bit word.

use super::{
    CacheLine, Op, Pair256, PointRef, Word,
    variety::{Doubles, Ifma256, VEX},
};
use core::{arch::x86_64::*, sync::atomic::Ordering::Relaxed};

/// Asks for a row that will be read before long: into the level-2 cache.
#[inline(always)]
fn prefetch(rows: &[CacheLine], reference: PointRef) {
    // SAFETY: a prefetch reads nothing and takes any address, and every CPU of this architecture has it.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(rows.as_ptr().wrapping_add(reference.index()).cast()) };
}

/// Proof that the CPU multiplies 52 bits in 256-bit registers, in one encoding of the instructions or the other:
/// [`AvxIfma::detect`] makes one, or a caller of [`AvxIfma::assume`], who answers for it.
#[derive(Clone, Copy, Debug)]
pub struct AvxIfma(());

impl AvxIfma {
    /// Without the standard library nobody asks the CPU: none.
    #[cfg(not(feature = "std"))]
    pub fn detect() -> Option<Self> {
        None
    }

    /// Asks the CPU, by its feature bits: for the encoding of AVX-512 first, because that form has run and been tested.
    #[cfg(feature = "std")]
    pub fn detect() -> Option<Self> {
        Fma::detect()?;
        let evex = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512ifma");
        if !evex {
            if !std::is_x86_feature_detected!("avxifma") {
                return None;
            }
            VEX.store(true, Relaxed);
        }
        Some(Self(()))
    }

    /// The token for the AVX-512 encoding without asking the CPU, for callers that have asked it themselves.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX-512 F, VL and IFMA, AVX2, FMA, BMI2 and ADX.
    pub const unsafe fn assume() -> Self {
        Self(())
    }

    /// Whether all of this form of the code has run on a CPU and been tested there, as it has with products in the
    /// encoding of AVX-512. Products in the other have been compiled and disassembled, no more.
    pub fn is_tested(self) -> bool {
        !VEX.load(Relaxed)
    }

    /// Runs the work on pairs of 256-bit words.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        Pair256::<Ifma256>::root(op)
    }

    /// Asks for a row that will be read before long.
    #[inline(always)]
    pub fn prefetch(self, rows: &[CacheLine], reference: PointRef) {
        prefetch(rows, reference);
    }
}

/// Proof that the CPU has AVX2 and FMA: [`Fma::detect`] makes one, or a caller of [`Fma::assume`], who answers for it.
#[derive(Clone, Copy, Debug)]
pub struct Fma(());

impl Fma {
    /// Without the standard library nobody asks the CPU: none.
    #[cfg(not(feature = "std"))]
    pub fn detect() -> Option<Self> {
        None
    }

    /// Asks the CPU, by its feature bits.
    #[cfg(feature = "std")]
    pub fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("adx"))
        .then_some(Self(()))
    }

    /// The token without asking the CPU, for callers that have asked it themselves.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX2, FMA, BMI2 and ADX.
    pub const unsafe fn assume() -> Self {
        Self(())
    }

    /// Runs the work on pairs of 256-bit words, which multiply integers by way of doubles.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        Pair256::<Doubles>::root(op)
    }

    /// Asks for a row that will be read before long.
    #[inline(always)]
    pub fn prefetch(self, rows: &[CacheLine], reference: PointRef) {
        prefetch(rows, reference);
    }
}
