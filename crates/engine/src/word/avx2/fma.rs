//! The machine that multiplies doubles.

use super::{Kernel, Op, Pair256, ReducedProduct, Word, floats::Half};
use crate::word::{doubles::halves52::Halves52, state::DefaultState};
use core::{
    arch::{asm, x86_64::*},
    hint::black_box,
    mem::MaybeUninit,
};

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
        let there = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi2");
        there.then_some(Self(()))
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
        Pair256::root(op)
    }
}

/// A number of five limbs, where it lies in memory.
type Number<'a> = &'a [Pair256; 5];

// The functions that are compiled for the instructions. Tests find them by their names in the symbol table.

#[target_feature(enable = "avx2,fma,bmi2")]
fn fma_root<O: Op>(op: O) -> O::Output {
    op.call::<Pair256>()
}

/// A root of integers alone.
#[target_feature(enable = "avx2,fma,bmi2")]
fn fma_root_of_integers<O: Op>(op: O) -> O::Output {
    op.call::<Pair256>()
}

/// A kernel (see [`Word::kernel`]).
#[inline]
#[target_feature(enable = "avx2,fma,bmi2")]
pub(super) fn fma_kernel<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[target_feature(enable = "avx2,fma,bmi2")]
fn fma_call<K: Kernel>(kernel: K) -> K::Output {
    fma_kernel(kernel)
}

#[target_feature(enable = "avx2,fma,bmi2")]
fn fma_product<P: ReducedProduct<N>, const N: usize>(operands: [Number; 4]) -> [Pair256; N] {
    P::run(operands)
}

// What they are called through is compiled for any CPU, and so is neither inlined itself nor has the other inlined into
// it: `#[inline(never)]` is lost on functions with features of their own (rustc 1.95). For roots this matters in programs
// that are compiled for one CPU, whose own functions have the features: only a call keeps what computes on the right side
// of the change of state.

/// The function that every root is an instance of.
///
/// # Safety
/// The CPU must have AVX2, FMA and BMI2.
#[inline(always)]
pub(super) unsafe fn root<O: Op>(op: O) -> O::Output {
    let _state = (!O::INTEGERS).then(DefaultState::enter);
    // What the call starts from is known after the state is set, and what it gives before it is given back.
    // SAFETY: the caller promises that the CPU has the instructions.
    let output = unsafe { between_root(black_box(op)) };
    black_box(&output);
    output
}

/// The same without the change of state, as a call.
///
/// # Safety
/// As for [`root`].
#[inline(never)]
unsafe fn between_root<O: Op>(op: O) -> O::Output {
    if const { O::PLACED && !O::INTEGERS && cfg!(feature = "std") } {
        keep_on_stack(&MaybeUninit::<Page>::uninit());
        // SAFETY: as above.
        unsafe { placed(op) }
    } else {
        // SAFETY: as above.
        unsafe { if const { O::INTEGERS } { fma_root_of_integers(op) } else { fma_root(op) } }
    }
}

/// A frame that holds one is aligned to a page, and so is the top of the stack below it.
#[repr(align(4096))]
struct Page(#[allow(dead_code, reason = "it takes room")] u8);

/// Keeps memory that nobody uses on the stack. A `black_box` would take another page, for the address.
#[inline(always)]
fn keep_on_stack<T>(memory: &MaybeUninit<T>) {
    // SAFETY: a comment does nothing.
    unsafe { asm!("/* {0} */", in(reg) memory, options(readonly, nostack, preserves_flags)) }
}

/// How many bytes below the start of a page the stack of a [`Placed`](crate::word::Placed) root begins.
///
/// A load waits for an earlier store where the last twelve bits of both addresses are equal. Roots spill many numbers, so
/// their speed depends on the page offset of their frame, which the caller would decide. On a Xeon of family 6 model 207 a
/// verification takes up to 1.66 times as long by it, and a sum of 48 products 1.31 times. `lab/trials.md` has the
/// offsets that were tried. Without the standard library a stack may be small, and stays as it is.
const BELOW_PAGE: usize = 2880;

/// # Safety
/// As for [`root`].
#[inline(never)]
unsafe fn placed<O: Op>(op: O) -> O::Output {
    keep_on_stack(&MaybeUninit::<[u8; BELOW_PAGE]>::uninit());
    // SAFETY: as above.
    unsafe { fma_root(op) }
}

/// A kernel as a call (see [`Word::call`]).
///
/// # Safety
/// As for [`root`].
#[inline(never)]
pub(super) unsafe fn between_call<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: as above.
    unsafe { fma_call(kernel) }
}

/// A product as a call (see [`Word::product`]).
///
/// # Safety
/// As for [`root`].
#[inline(never)]
pub(super) unsafe fn between_product<P: ReducedProduct<N>, const N: usize>(
    a: Number,
    b: Number,
    c: Number,
    d: Number,
) -> [Pair256; N] {
    // SAFETY: as above.
    unsafe { fma_product::<P, N>([a, b, c, d]) }
}

/// `sum + low52(a * b)`, where only the low 52 bits of `a` and `b` take part.
///
/// Inlined when the optimiser has made it simple, as kernels are: products of scalars have 50 of these.
#[inline]
#[target_feature(enable = "avx2,fma,bmi2")]
pub(super) fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi64(sum, Halves52::of::<Half>(a, b).low())
}

/// `sum + ((a * b) >> 52)`, where only the low 52 bits of `a` and `b` take part.
#[inline]
#[target_feature(enable = "avx2,fma,bmi2")]
pub(super) fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
    Halves52::of::<Half>(a, b).add_high(sum)
}
