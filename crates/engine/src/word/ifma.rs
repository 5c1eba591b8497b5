//! Eight lanes in one AVX-512 register, multiplied by the IFMA instructions.
#![allow(unsafe_code)]

use super::{CacheLine, Kernel, LANES, Mask8, Op, PointPair, Word};
use core::arch::x86_64::*;

/// Wraps an intrinsic whose only obligation is that the CPU has AVX-512 F, DQ, BW, VL or IFMA.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: an `IfmaWord` is only ever worked on under `Ifma::run`, so the CPU has the instructions (see
        // `IfmaWord`); the intrinsic reads and writes registers only.
        unsafe { $call }
    };
}

mod gather;
mod narrow;

use super::shadow::{known, mixed};

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
        IfmaWord::root(op)
    }
}

/// Eight `u64` in a vector register.
///
/// The type is private to this module. The only way by which code instantiated with it comes to run is [`Ifma::run`],
/// which needs an [`Ifma`], which only detection or the promise of [`Ifma::assume`] makes: that is the safety argument
/// of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct IfmaWord(__m512i);

/// The function that every root is an instance of: what is inlined into it is compiled for the vector unit.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma,avx512dq,avx512bw,avx512vl,bmi2,adx")]
fn vector_root<O: Op>(op: O) -> O::Output {
    op.call::<IfmaWord>()
}

/// A kernel. The optimiser makes it simple before it inlines it, and then it is short; inlined as it is written it is some
/// twenty times as long, and roots have hundreds of them. Under the sanitizer it stays a call: checks would make roots
/// grow until they no longer compile.
#[cfg_attr(phalanx_msan, inline(never))]
#[cfg_attr(not(phalanx_msan), inline)]
#[target_feature(enable = "avx512f,avx512ifma,avx512dq,avx512bw,avx512vl,bmi2,adx")]
fn vector_kernel<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Nothing but an order: assembly that may have effects is never moved across other such assembly. MemorySanitizer
/// cannot see through it, so in the build for that it is left out.
#[inline]
#[target_feature(enable = "avx512f")]
fn ordered(words: [IfmaWord; 5]) -> [IfmaWord; 5] {
    #[cfg_attr(phalanx_msan, allow(unused_mut))]
    let [IfmaWord(mut a), IfmaWord(mut b), IfmaWord(mut c), IfmaWord(mut d), IfmaWord(mut e)] = words;
    // SAFETY: the template is an assembler comment, so no instruction runs; the operands are registers given back
    // unchanged, and the options promise nothing that an empty body could break.
    #[cfg(not(phalanx_msan))]
    unsafe {
        core::arch::asm!(
            "/* {} {} {} {} {} */",
            inout(zmm_reg) a, inout(zmm_reg) b, inout(zmm_reg) c, inout(zmm_reg) d, inout(zmm_reg) e,
            options(nomem, nostack, preserves_flags)
        );
    }
    [IfmaWord(a), IfmaWord(b), IfmaWord(c), IfmaWord(d), IfmaWord(e)]
}

/// Eight rows, transposed: lane `i` of word `j` is `rows[i][j]`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transposed(rows: [&[u64; LANES]; LANES]) -> [IfmaWord; LANES] {
    let (a0, a1) = interleave(rows[0], rows[1]);
    let (b0, b1) = interleave(rows[2], rows[3]);
    let (c0, c1) = interleave(rows[4], rows[5]);
    let (d0, d1) = interleave(rows[6], rows[7]);
    let [e0, e1, e2, e3] = select_pairs(a0, b0, c0, d0);
    let [o0, o1, o2, o3] = select_pairs(a1, b1, c1, d1);
    [e0, o0, e1, o1, e2, o2, e3, o3]
}

/// The even words of both rows, and the odd ones: the first of three rounds of a transposition.
#[inline(always)]
fn interleave(a: &[u64; LANES], b: &[u64; LANES]) -> (IfmaWord, IfmaWord) {
    unpack(IfmaWord::from_lanes(*a), IfmaWord::from_lanes(*b))
}

/// The even words of both, and the odd ones.
#[inline(always)]
fn unpack(a: IfmaWord, b: IfmaWord) -> (IfmaWord, IfmaWord) {
    (IfmaWord(intrinsic!(_mm512_unpacklo_epi64(a.0, b.0))), IfmaWord(intrinsic!(_mm512_unpackhi_epi64(a.0, b.0))))
}

/// The pairs of words at one place of all four, for each of four places: the other two rounds.
#[inline(always)]
fn select_pairs(a: IfmaWord, b: IfmaWord, c: IfmaWord, d: IfmaWord) -> [IfmaWord; 4] {
    let ab02 = intrinsic!(_mm512_shuffle_i64x2::<0x88>(a.0, b.0));
    let ab13 = intrinsic!(_mm512_shuffle_i64x2::<0xdd>(a.0, b.0));
    let cd02 = intrinsic!(_mm512_shuffle_i64x2::<0x88>(c.0, d.0));
    let cd13 = intrinsic!(_mm512_shuffle_i64x2::<0xdd>(c.0, d.0));
    [
        IfmaWord(intrinsic!(_mm512_shuffle_i64x2::<0x88>(ab02, cd02))),
        IfmaWord(intrinsic!(_mm512_shuffle_i64x2::<0x88>(ab13, cd13))),
        IfmaWord(intrinsic!(_mm512_shuffle_i64x2::<0xdd>(ab02, cd02))),
        IfmaWord(intrinsic!(_mm512_shuffle_i64x2::<0xdd>(ab13, cd13))),
    ]
}

impl Word for IfmaWord {
    const NAME: &'static str = "ifma";

    type Narrow = narrow::Vector32;
    type Doubles = super::doubles::NoDoubles<Self>;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Self(intrinsic!(_mm512_set1_epi64(value as i64)))
    }
    #[inline(always)]
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes, and the load has no alignment requirement; CPU support as above.
        Self(unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn to_lanes(self) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        // SAFETY: the array is 64 writable bytes, and the store has no alignment requirement; CPU support as above.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(mixed!(8, intrinsic!(_mm512_add_epi64(self.0, other.0)), self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(mixed!(8, intrinsic!(_mm512_sub_epi64(self.0, other.0)), self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_and_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_or_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(intrinsic!(_mm512_xor_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        Self(intrinsic!(_mm512_slli_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srli_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn sar<const BITS: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srai_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn shr_lanes(self, bits: Self) -> Self {
        Self(intrinsic!(_mm512_srlv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn shl_lanes(self, bits: Self) -> Self {
        Self(intrinsic!(_mm512_sllv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        Self(mixed!(8, intrinsic!(_mm512_madd52lo_epu64(self.0, a.0, b.0)), self.0, a.0, b.0))
    }
    #[inline(always)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        Self(mixed!(8, intrinsic!(_mm512_madd52hi_epu64(self.0, a.0, b.0)), self.0, a.0, b.0))
    }
    #[inline(always)]
    fn keep_source_order(words: [Self; 5]) -> [Self; 5] {
        intrinsic!(ordered(words))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> Mask8 {
        Mask8(intrinsic!(_mm512_cmpeq_epi64_mask(self.0, other.0)))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Mask8 {
        Mask8(intrinsic!(_mm512_cmplt_epu64_mask(self.0, other.0)))
    }
    #[inline(always)]
    fn negative(self) -> Mask8 {
        Mask8(intrinsic!(_mm512_movepi64_mask(self.0)))
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self(intrinsic!(_mm512_mask_blend_epi64(mask.0, if_clear.0, if_set.0)))
    }
    #[inline(always)]
    fn lookup16(table: &[u64; 16], index: Self) -> Self {
        // SAFETY: the table is 128 readable bytes, read as two unaligned loads of 64; CPU support as above.
        unsafe {
            let low = _mm512_loadu_si512(table.as_ptr().cast());
            let high = _mm512_loadu_si512(table.as_ptr().add(LANES).cast());
            Self(mixed!(8, _mm512_permutex2var_epi64(low, known(index.0), high), index.0))
        }
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self(mixed!(8, intrinsic!(_mm512_permutexvar_epi64(known(index.0), self.0)), index.0))
    }
    #[inline(always)]
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        intrinsic!(transposed(rows))
    }
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES]; 2] {
        let pairs = gather::checked(rows, pairs);
        [Self::transpose(pairs.rows::<0>()), Self::transpose(pairs.rows::<1>())]
    }
    #[inline(always)]
    fn gather_half(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES / 2]; 2] {
        let pairs = gather::checked(rows, pairs);
        [gather::halves::<0>(&pairs), gather::halves::<1>(&pairs)]
    }
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let (pairs, bit) = (gather::words(pairs), 1);
        let set = |bit| Mask8(intrinsic!(_mm512_test_epi64_mask(pairs.0, _mm512_set1_epi64(bit))));
        [set(bit), set(bit << 32)]
    }
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `IfmaWord`: we are under `Ifma::run`, so the CPU has the features.
        unsafe { vector_kernel(kernel) }
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        // SAFETY: see `IfmaWord`: we are under `Ifma::run`, so the CPU has the features.
        unsafe { vector_root(op) }
    }
}
