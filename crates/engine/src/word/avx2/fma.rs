//! The machine that multiplies doubles.

use super::{
    Kernel, Op, Pair256, ReducedProduct, Word,
    floats::{Eight, FmaDoubles, Half},
    variety::{Number, Variety},
};
use crate::word::{doubles::halves52::Halves52, state::DefaultState};
use core::arch::x86_64::*;

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
        (super::has_256_bits() && std::is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    /// The token without asking the CPU, for callers that have asked it themselves.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX2, FMA and BMI2.
    #[allow(unsafe_code)]
    pub const unsafe fn assume() -> Self {
        Self(())
    }

    /// Runs the work on pairs of 256-bit words, which multiply integers by way of doubles.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        Pair256::<FmaDoubles>::root(op)
    }
}

super::variety::variety! {
    FmaDoubles = "fma", "avx2,fma,bmi2", DefaultState::enter(), true, Eight;
    fma_root, fma_kernel, fma_call, fma_product;
    by_doubles::madd_lo, by_doubles::madd_hi
}

/// The products of [`FmaDoubles`]: what of numbers modulo n, and of carries, multiplies 52 bits.
mod by_doubles {
    use super::{__m256i, _mm256_add_epi64, Half, Halves52};

    /// Inlined when the optimiser has made it simple, as kernels are: products of scalars have 50 of these.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi2")]
    pub(super) fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi64(sum, Halves52::of::<Half>(a, b).low())
    }

    /// As [`madd_lo`].
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi2")]
    pub(super) fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        Halves52::of::<Half>(a, b).add_high(sum)
    }
}
