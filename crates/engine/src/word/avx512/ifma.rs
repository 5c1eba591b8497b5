//! The machine that multiplies 52 bits.

use super::{Kernel, Multiplier, Op, ReducedProduct, Word512};
use crate::word::doubles::NoDoubles;
use core::arch::x86_64::*;

/// Proof that the CPU has the instructions of this backend: [`Ifma::detect`] makes one, or a caller of
/// [`Ifma::assume`], who answers for it.
#[derive(Clone, Copy, Debug)]
pub struct Ifma(());

impl Ifma {
    /// Without the standard library nobody asks the CPU: none.
    #[cfg(not(feature = "std"))]
    pub fn detect() -> Option<Self> {
        None
    }

    /// Asks the CPU, by its feature bits.
    #[cfg(feature = "std")]
    pub fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512ifma")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("adx"))
        .then_some(Self(()))
    }

    /// The token without asking the CPU, for callers that have asked it themselves.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX-512 F, DQ, BW, VL and IFMA, BMI2 and ADX.
    pub const unsafe fn assume() -> Self {
        Self(())
    }

    /// Runs the work on vector words.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        Products52::root(op)
    }
}

/// Products of 52 bits by the instructions of IFMA.
#[derive(Clone, Copy, Debug)]
struct Products52;

/// The function that every root is an instance of: what is inlined into it is compiled for the vector unit.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512dq,avx512bw,avx512vl,bmi2,adx")]
fn vector_root<O: Op>(op: O) -> O::Output {
    op.call::<Word512<Products52>>()
}

/// A kernel. The optimiser makes it simple before it inlines it, and then it is short; inlined as it is written it is
/// some twenty times as long, and roots have hundreds of them. Under the sanitizer it stays a call: checks would make
/// roots grow until they no longer compile.
#[cfg_attr(phalanx_msan, inline(never))]
#[cfg_attr(not(phalanx_msan), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512dq,avx512bw,avx512vl,bmi2,adx")]
fn vector_kernel<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

impl Multiplier for Products52 {
    const NAME: &'static str = "ifma";
    const PRODUCTS_ARE_CALLS: bool = false;
    const IN_DOUBLES: bool = false;
    type Doubles = NoDoubles<Word512<Self>>;

    #[inline(always)]
    fn madd_lo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        intrinsic!(_mm512_madd52lo_epu64(sum, a, b))
    }
    #[inline(always)]
    fn madd_hi(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        intrinsic!(_mm512_madd52hi_epu64(sum, a, b))
    }
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `Word512`: we are under `Ifma::run`, so the CPU has the features.
        unsafe { vector_kernel(kernel) }
    }
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        Self::kernel(kernel)
    }
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Word512<Self>; 5],
        b: &[Word512<Self>; 5],
        c: &[Word512<Self>; 5],
        d: &[Word512<Self>; 5],
    ) -> [Word512<Self>; N] {
        P::run([a, b, c, d])
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        // SAFETY: see `Word512`: we are under `Ifma::run`, so the CPU has the features.
        unsafe { vector_root(op) }
    }
}
