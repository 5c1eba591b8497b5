//! The machine that multiplies doubles, for CPUs with AVX-512 and without IFMA. Without the standard library nobody
//! asks the CPU, so builds without it leave this out.

use super::{Kernel, Multiplier, Op, ReducedProduct, Word512};
use crate::word::{
    doubles::{
        self, Doubles, Lanewise, WholeFormula,
        fused::{Fused, Integers, Register},
        halves52::Halves52,
    },
    state::DefaultState,
};
use core::arch::x86_64::*;

/// Proof that the CPU has AVX-512 F, DQ, BW and VL, and BMI2: [`Fma512::detect`] alone makes one.
#[derive(Clone, Copy, Debug)]
pub struct Fma512(());

impl Fma512 {
    /// Asks the CPU, by its feature bits.
    pub fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("bmi2"))
        .then_some(Self(()))
    }

    /// Runs the work on words of 512 bits, which multiply integers by way of doubles.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        ProductsInDoubles::root(op)
    }
}

/// Products by way of doubles.
#[derive(Clone, Copy, Debug)]
struct ProductsInDoubles;

/// Eight doubles in a register.
///
/// Like a [`Word512`], beside which it stands, only code under [`Fma512::run`] comes to work on it and on its bits: that
/// is the safety argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Eight(__m512d);

/// A number of five digits, inside a formula that is a call or outside.
type Eights<const WHOLE: bool> = [Fused<Eight, WHOLE>; 5];

impl Integers for __m512i {
    #[inline(always)]
    fn splat(value: u64) -> Self {
        intrinsic!(_mm512_set1_epi64(value as i64))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        intrinsic!(_mm512_and_si512(self, other))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        intrinsic!(_mm512_or_si512(self, other))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        intrinsic!(_mm512_add_epi64(self, other))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        intrinsic!(_mm512_sub_epi64(self, other))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self {
        intrinsic!(_mm512_movm_epi64(_mm512_cmplt_epi64_mask(self, other)))
    }
}

impl Register for Eight {
    type Bits = __m512i;

    #[inline(always)]
    fn to_bits(self) -> __m512i {
        intrinsic!(_mm512_castpd_si512(self.0))
    }
    #[inline(always)]
    fn from_bits(bits: __m512i) -> Self {
        Self(intrinsic!(_mm512_castsi512_pd(bits)))
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(intrinsic!(_mm512_set1_pd(value)))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_add_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_sub_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_mul_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(intrinsic!(_mm512_xor_pd(self.0, Self::splat(-0.0).0)))
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm512_fmadd_pd(a.0, b.0, self.0)))
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm512_fnmadd_pd(a.0, b.0, self.0)))
    }
    #[inline(always)]
    fn product_less(a: Self, b: Self, high: Self, low: Self) -> Self {
        Self(intrinsic!(_mm512_fmsub_pd(a.0, b.0, high.sub(low).0)))
    }
}

impl<const WHOLE: bool> Doubles for Fused<Eight, WHOLE> {
    const NAME: &'static str = "fma512";
    const FORMULAS_ARE_CALLS: bool = !WHOLE;

    type Word = Word512<ProductsInDoubles>;

    #[inline(always)]
    fn to_bits(self) -> Self::Word {
        Word512::of(self.0.to_bits())
    }
    #[inline(always)]
    fn from_bits(bits: Self::Word) -> Self {
        Fused(Eight::from_bits(bits.0))
    }
    doubles::by_bits::by_bits!(always);
    #[inline(always)]
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        if const { WHOLE } {
            *a = L::run(*a, *b, *c);
            return;
        }
        // SAFETY: see `Eight`: we are under `Fma512::run`, so the CPU has the features.
        unsafe { lanewise512::<L, WHOLE>(a, b, c) }
    }
    #[inline(always)]
    fn apply_to_one<L: Lanewise>(a: &mut [Self; 5]) {
        if const { WHOLE } {
            *a = L::run(*a, *a, *a);
            return;
        }
        // SAFETY: as above.
        unsafe { lanewise512_of_one::<L, WHOLE>(a) }
    }
    #[inline(always)]
    fn apply_formula<L: WholeFormula<N, M>, const N: usize, const M: usize>(
        numbers: &[[Self; 5]; N],
    ) -> [[Self; 5]; M] {
        // SAFETY: see `Eight`: we are under `Fma512::run`, so the CPU has the features.
        unsafe { between_formula::<L, N, M, WHOLE>(numbers) }
    }
}

// The functions that are compiled for the instructions. Tests find them by their names in the symbol table. Roots,
// calls, products and formulas have a function before them that is compiled for any CPU, as on the machine of AVX2.

/// A function of digits, as a call.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn lanewise512<L: Lanewise, const WHOLE: bool>(a: &mut Eights<WHOLE>, b: &Eights<WHOLE>, c: &Eights<WHOLE>) {
    *a = L::run(*a, *b, *c);
}

/// The same for a function of one number.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn lanewise512_of_one<L: Lanewise, const WHOLE: bool>(a: &mut Eights<WHOLE>) {
    *a = L::run(*a, *a, *a);
}

/// A formula, in which nothing is a call: its numbers stay in registers from one product to the next.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn formula512<L: WholeFormula<N, M>, const N: usize, const M: usize, const WHOLE: bool>(
    numbers: &[Eights<WHOLE>; N],
) -> [Eights<WHOLE>; M] {
    let mut inside = [copied(&numbers[0]); N];
    for i in 1..N {
        inside[i] = copied(&numbers[i]);
    }
    let results = L::run::<Fused<Eight, true>>(inside);
    let mut outside = [copied(&results[0]); M];
    for i in 1..M {
        outside[i] = copied(&results[i]);
    }
    outside
}

/// The same digits, inside a formula or outside.
#[inline(always)]
fn copied<const FROM: bool, const TO: bool>([a, b, c, d, e]: &Eights<FROM>) -> Eights<TO> {
    [Fused(a.0), Fused(b.0), Fused(c.0), Fused(d.0), Fused(e.0)]
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn fma512_root<O: Op>(op: O) -> O::Output {
    op.call::<Word512<ProductsInDoubles>>()
}

/// A root of integers alone.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn fma512_root_of_integers<O: Op>(op: O) -> O::Output {
    op.call::<Word512<ProductsInDoubles>>()
}

/// A number of five limbs, where it lies in memory.
type Operand<'a> = &'a [Word512<ProductsInDoubles>; 5];

/// A kernel (see [`Multiplier::kernel`]).
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn fma512_kernel<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn fma512_call<K: Kernel>(kernel: K) -> K::Output {
    fma512_kernel(kernel)
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn fma512_product<P: ReducedProduct<N>, const N: usize>(operands: [Operand; 4]) -> [Word512<ProductsInDoubles>; N] {
    P::run(operands)
}

/// `sum + low52(a * b)`, where only the low 52 bits of `a` and `b` take part.
///
/// Inlined when the optimiser has made it simple, as kernels are: products of scalars have 50 of these.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn madd_lo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    sum.add(Halves52::of::<Eight>(a, b).low())
}

/// `sum + ((a * b) >> 52)`, where only the low 52 bits of `a` and `b` take part.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,bmi2")]
fn madd_hi(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    Halves52::of::<Eight>(a, b).add_high(sum)
}

/// # Safety
/// The CPU must have the instructions, here and in what follows.
#[inline(never)]
unsafe fn between_root<O: Op>(op: O) -> O::Output {
    // SAFETY: the caller promises that the CPU has the instructions.
    unsafe { if const { O::INTEGERS } { fma512_root_of_integers(op) } else { fma512_root(op) } }
}

/// # Safety
/// As above.
#[inline(never)]
unsafe fn between_call<K: Kernel>(kernel: K) -> K::Output {
    // SAFETY: the caller promises that the CPU has the instructions.
    unsafe { fma512_call(kernel) }
}

/// # Safety
/// As above.
#[inline(never)]
unsafe fn between_formula<L: WholeFormula<N, M>, const N: usize, const M: usize, const WHOLE: bool>(
    numbers: &[Eights<WHOLE>; N],
) -> [Eights<WHOLE>; M] {
    // SAFETY: the caller promises that the CPU has the instructions.
    unsafe { formula512::<L, N, M, WHOLE>(numbers) }
}

/// # Safety
/// As above.
#[inline(never)]
unsafe fn between_product<P: ReducedProduct<N>, const N: usize>(
    a: Operand,
    b: Operand,
    c: Operand,
    d: Operand,
) -> [Word512<ProductsInDoubles>; N] {
    // SAFETY: the caller promises that the CPU has the instructions.
    unsafe { fma512_product::<P, N>([a, b, c, d]) }
}

impl Multiplier for ProductsInDoubles {
    const NAME: &'static str = "fma512";
    const PRODUCTS_ARE_CALLS: bool = true;
    const IN_DOUBLES: bool = true;
    type Doubles = Fused<Eight>;

    #[inline(always)]
    fn madd_lo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        intrinsic!(madd_lo(sum, a, b))
    }
    #[inline(always)]
    fn madd_hi(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        intrinsic!(madd_hi(sum, a, b))
    }
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `Word512`: we are under `Fma512::run`, so the CPU has the features.
        unsafe { fma512_kernel(kernel) }
    }
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `Word512`: we are under `Fma512::run`, so the CPU has the features.
        unsafe { between_call(kernel) }
    }
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Word512<Self>; 5],
        b: &[Word512<Self>; 5],
        c: &[Word512<Self>; 5],
        d: &[Word512<Self>; 5],
    ) -> [Word512<Self>; N] {
        // SAFETY: see `Word512`: we are under `Fma512::run`, so the CPU has the features.
        unsafe { between_product::<P, N>(a, b, c, d) }
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        let _state = (!O::INTEGERS).then(DefaultState::enter);
        // What the call starts from is known after the state is set, and what it gives before it is given back.
        // SAFETY: see `Word512`: we are under `Fma512::run`, so the CPU has the features.
        let output = unsafe { between_root(core::hint::black_box(op)) };
        core::hint::black_box(&output);
        output
    }
}
