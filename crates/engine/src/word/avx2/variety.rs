//! How four lanes multiply 52 bits, and the functions that are compiled for each way.

use super::{Kernel, Op, Pair256, ReducedProduct};
use crate::word::doubles;
use core::arch::x86_64::__m256i;

/// A number of five limbs, where it lies in memory.
pub(super) type Number<'a, V> = &'a [Pair256<V>; 5];

/// What a word multiplies by, and the functions that are compiled for it.
///
/// All of them pass through a function that is compiled for any CPU, and so is neither inlined itself nor has the other
/// inlined into it: `#[inline(never)]` is lost on functions with features of their own (rustc 1.95). For roots this
/// matters in programs that are compiled for one CPU, whose own functions have the features: only a call keeps what
/// computes on the right side of the change of state.
pub(super) trait Variety: Copy + 'static {
    /// The name of the backend whose words multiply so.
    const NAME: &'static str;

    /// Whether numbers modulo a prime near 2^256 are in doubles (see [`crate::word::Word::IN_DOUBLES`]).
    const IN_DOUBLES: bool;
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

    /// The same without the change of state, as a call.
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn call_root<O: Op>(op: O) -> O::Output;

    /// A kernel (see [`crate::word::Word::kernel`]).
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn kernel<K: Kernel>(kernel: K) -> K::Output;

    /// A kernel as a call (see [`crate::word::Word::call`]).
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn call<K: Kernel>(kernel: K) -> K::Output;

    /// A product as a call (see [`crate::word::Word::product`]).
    ///
    /// # Safety
    /// The CPU must have the instructions of the variety.
    unsafe fn product<P: ReducedProduct<N>, const N: usize>(
        a: Number<Self>,
        b: Number<Self>,
        c: Number<Self>,
        d: Number<Self>,
    ) -> [Pair256<Self>; N];
}

/// Declares a variety: its functions are named, because tests find them in the symbol table, and compiled for the
/// features.
macro_rules! variety {
    (
        $variety:ident = $name:literal, $features:literal, $state:expr, $in_doubles:literal, $doubles:ty;
        $root:ident, $kernel:ident, $call:ident, $product:ident;
        $madd_lo:path, $madd_hi:path
    ) => {
        #[target_feature(enable = $features)]
        fn $root<O: Op>(op: O) -> O::Output {
            op.call::<Pair256<$variety>>()
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn $kernel<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }

        #[target_feature(enable = $features)]
        fn $call<K: Kernel>(kernel: K) -> K::Output {
            $kernel(kernel)
        }

        #[target_feature(enable = $features)]
        fn $product<P: ReducedProduct<N>, const N: usize>(operands: [Number<$variety>; 4]) -> [Pair256<$variety>; N] {
            P::run(operands)
        }

        impl Variety for $variety {
            const NAME: &'static str = $name;
            const IN_DOUBLES: bool = $in_doubles;
            type Doubles = $doubles;

            #[inline(always)]
            fn madd_lo(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: a `Pair256` of this variety is only worked on where the CPU has its instructions (see
                // `Pair256`), and this works on registers only.
                unsafe { $madd_lo(sum, a, b) }
            }
            #[inline(always)]
            fn madd_hi(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
                // SAFETY: as above.
                unsafe { $madd_hi(sum, a, b) }
            }
            #[inline(always)]
            unsafe fn root<O: Op>(op: O) -> O::Output {
                let _state = $state;
                // What the call starts from is known after the state is set, and what it gives before it is given back.
                // SAFETY: the caller promises that the CPU has the instructions.
                let output = unsafe { Self::call_root(core::hint::black_box(op)) };
                core::hint::black_box(&output);
                output
            }
            #[inline(never)]
            unsafe fn call_root<O: Op>(op: O) -> O::Output {
                // SAFETY: as above.
                unsafe { $root(op) }
            }
            #[inline(always)]
            unsafe fn kernel<K: Kernel>(kernel: K) -> K::Output {
                // SAFETY: as above.
                unsafe { $kernel(kernel) }
            }
            #[inline(never)]
            unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
                // SAFETY: as above.
                unsafe { $call(kernel) }
            }
            #[inline(never)]
            unsafe fn product<P: ReducedProduct<N>, const N: usize>(
                a: Number<Self>,
                b: Number<Self>,
                c: Number<Self>,
                d: Number<Self>,
            ) -> [Pair256<Self>; N] {
                // SAFETY: as above.
                unsafe { $product::<P, N>([a, b, c, d]) }
            }
        }
    };
}

pub(super) use variety;
