//! The proofs that the CPU has the instructions of a 256-bit word.

use super::{
    CacheLine, Op, Pair256, PointRef, Word,
    variety::{Doubles, Evex, Vex},
};
use core::arch::x86_64::*;

/// Asks for a row that will be read before long: into the level-2 cache.
#[inline(always)]
fn prefetch(rows: &[CacheLine], reference: PointRef) {
    // SAFETY: a prefetch reads nothing and takes any address, and every CPU of this architecture has it.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(rows.as_ptr().wrapping_add(reference.index()).cast()) };
}

/// Proof that the CPU multiplies 52 bits in 256-bit registers, in one encoding of the instructions or the other:
/// [`AvxIfma::detect`] makes one, or a caller of [`AvxIfma::assume`], who answers for it.
#[derive(Clone, Copy, Debug)]
pub struct AvxIfma(Encoding);

/// The encoding of the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// That of AVX-512.
    Evex,
    /// That of AVX2, which the extension AVX-IFMA has.
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
        if !(std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")) {
            return None;
        }
        if std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512ifma")
        {
            return Some(Self(Encoding::Evex));
        }
        std::is_x86_feature_detected!("avxifma").then_some(Self(Encoding::Vex))
    }

    /// The token of the AVX-512 encoding without asking the CPU, for callers that have asked it themselves.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX-512 F, VL and IFMA, BMI2 and ADX.
    pub const unsafe fn assume() -> Self {
        Self(Encoding::Evex)
    }

    /// Whether this form of the code has run on a CPU and been tested there: that in the encoding of AVX-512. The other
    /// has been compiled and disassembled, no more.
    pub fn is_tested(self) -> bool {
        self.0 == Encoding::Evex
    }

    /// Runs the work on pairs of 256-bit words.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        match self.0 {
            Encoding::Evex => Pair256::<Evex>::root(op),
            Encoding::Vex => Pair256::<Vex>::root(op),
        }
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
