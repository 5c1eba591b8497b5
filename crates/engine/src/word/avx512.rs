//! Eight lanes in one AVX-512 register.
//!
//! Machines with such registers differ in how they multiply. [`ifma`] has instructions for products of 52 bits.
//! [`fma512`] multiplies doubles. Everything else is here, once for both.
#![allow(unsafe_code)]

use super::{
    CacheLine, Kernel, LANES, Mask8, Op, PointPair, ReducedProduct, Table32, Word,
    doubles::Doubles,
    shadow::{known, mixed},
};
use core::{arch::x86_64::*, marker::PhantomData};

/// Wraps an intrinsic whose only obligation is that the CPU has the instructions of a machine: AVX-512 F, DQ, BW and
/// VL, and those of its multiplier.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: a `Word512` is only ever worked on under the `run` of its machine's token, so the CPU has the
        // instructions (see `Word512`); the intrinsic reads and writes registers only.
        unsafe { $call }
    };
}

#[cfg(feature = "std")]
mod fma512;
mod gather;
mod ifma;
mod narrow;

#[cfg(feature = "std")]
pub use fma512::Fma512;
pub use ifma::Ifma;

/// How a machine multiplies, and how work gets to it.
trait Multiplier: Copy + 'static {
    /// See [`Word::NAME`].
    const NAME: &'static str;
    /// See [`Word::PRODUCTS_ARE_CALLS`].
    const PRODUCTS_ARE_CALLS: bool;
    /// See [`Word::IN_DOUBLES`].
    const IN_DOUBLES: bool;
    /// See [`Word::Doubles`].
    type Doubles: Doubles<Word = Word512<Self>>;

    /// `sum + low52(a * b)`.
    fn madd_lo(sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// `sum + high52(a * b)`.
    fn madd_hi(sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// See [`Word::kernel`].
    fn kernel<K: Kernel>(kernel: K) -> K::Output;
    /// See [`Word::call`].
    fn call<K: Kernel>(kernel: K) -> K::Output;
    /// See [`Word::product`].
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Word512<Self>; 5],
        b: &[Word512<Self>; 5],
        c: &[Word512<Self>; 5],
        d: &[Word512<Self>; 5],
    ) -> [Word512<Self>; N];
    /// See [`Word::root`].
    fn root<O: Op>(op: O) -> O::Output;
}

/// Eight `u64` in a vector register.
///
/// The type is private to this module. The only way by which code instantiated with it comes to run is the `run` of the
/// machine's token ([`Ifma`] or [`Fma512`]), which only detection or the promise of `assume` makes: that is the safety
/// argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Word512<M>(__m512i, PhantomData<M>);

impl<M> Word512<M> {
    #[inline(always)]
    const fn of(register: __m512i) -> Self {
        Self(register, PhantomData)
    }
}

/// Nothing but an order: assembly that may have effects is never moved across other such assembly. MemorySanitizer
/// cannot see through it, so in the build for that it is left out.
#[inline]
#[target_feature(enable = "avx512f")]
fn ordered<M: Multiplier>(words: [Word512<M>; 5]) -> [Word512<M>; 5] {
    #[cfg_attr(phalanx_msan, allow(unused_mut))]
    let [mut a, mut b, mut c, mut d, mut e] = [words[0].0, words[1].0, words[2].0, words[3].0, words[4].0];
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
    [Word512::of(a), Word512::of(b), Word512::of(c), Word512::of(d), Word512::of(e)]
}

/// Eight rows, transposed: lane `i` of word `j` is `rows[i][j]`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transposed<M: Multiplier>(rows: [&[u64; LANES]; LANES]) -> [Word512<M>; LANES] {
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
fn interleave<M: Multiplier>(a: &[u64; LANES], b: &[u64; LANES]) -> (Word512<M>, Word512<M>) {
    unpack(Word512::from_lanes(*a), Word512::from_lanes(*b))
}

/// The even words of both, and the odd ones.
#[inline(always)]
fn unpack<M: Multiplier>(a: Word512<M>, b: Word512<M>) -> (Word512<M>, Word512<M>) {
    (Word512::of(intrinsic!(_mm512_unpacklo_epi64(a.0, b.0))), Word512::of(intrinsic!(_mm512_unpackhi_epi64(a.0, b.0))))
}

/// The pairs of words at one place of all four, for each of four places: the other two rounds.
#[inline(always)]
fn select_pairs<M: Multiplier>(a: Word512<M>, b: Word512<M>, c: Word512<M>, d: Word512<M>) -> [Word512<M>; 4] {
    let ab02 = intrinsic!(_mm512_shuffle_i64x2::<0x88>(a.0, b.0));
    let ab13 = intrinsic!(_mm512_shuffle_i64x2::<0xdd>(a.0, b.0));
    let cd02 = intrinsic!(_mm512_shuffle_i64x2::<0x88>(c.0, d.0));
    let cd13 = intrinsic!(_mm512_shuffle_i64x2::<0xdd>(c.0, d.0));
    [
        Word512::of(intrinsic!(_mm512_shuffle_i64x2::<0x88>(ab02, cd02))),
        Word512::of(intrinsic!(_mm512_shuffle_i64x2::<0x88>(ab13, cd13))),
        Word512::of(intrinsic!(_mm512_shuffle_i64x2::<0xdd>(ab02, cd02))),
        Word512::of(intrinsic!(_mm512_shuffle_i64x2::<0xdd>(ab13, cd13))),
    ]
}

/// The integers of a table that the indices point to. A register holds sixteen halves, two are chosen from at a time, and
/// an index is there for both halves of its lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn choose32(table: &Table32, index: __m512i) -> __m512i {
    let at = _mm512_or_si512(index, _mm512_slli_epi64::<32>(index));
    let halves = |table: &[u32; 32]| {
        let (sixteens, _) = table.as_chunks::<16>();
        // SAFETY: the addresses are of 64 readable bytes each, and the loads need no alignment.
        let [first, second] = unsafe { [0, 1].map(|sixteen| _mm512_loadu_si512(sixteens[sixteen].as_ptr().cast())) };
        _mm512_permutex2var_epi32(first, at, second)
    };
    _mm512_mask_blend_epi32(0xaaaa, halves(&table[0]), halves(&table[1]))
}

impl<M: Multiplier> Word for Word512<M> {
    const NAME: &'static str = M::NAME;

    type Narrow = narrow::Vector32;

    const PRODUCTS_ARE_CALLS: bool = M::PRODUCTS_ARE_CALLS;
    const IN_DOUBLES: bool = M::IN_DOUBLES;
    type Doubles = M::Doubles;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Self::of(intrinsic!(_mm512_set1_epi64(value as i64)))
    }
    #[inline(always)]
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes, and the load has no alignment requirement; CPU support as above.
        Self::of(unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) })
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
        Self::of(mixed!(8, intrinsic!(_mm512_add_epi64(self.0, other.0)), self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::of(mixed!(8, intrinsic!(_mm512_sub_epi64(self.0, other.0)), self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::of(intrinsic!(_mm512_and_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::of(intrinsic!(_mm512_or_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::of(intrinsic!(_mm512_xor_si512(self.0, other.0)))
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        Self::of(intrinsic!(_mm512_slli_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self::of(intrinsic!(_mm512_srli_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn sar<const BITS: u32>(self) -> Self {
        Self::of(intrinsic!(_mm512_srai_epi64::<BITS>(self.0)))
    }
    #[inline(always)]
    fn rotate_right<const BITS: u32>(self) -> Self {
        Self::of(intrinsic!(_mm512_rorv_epi64(self.0, _mm512_set1_epi64(i64::from(BITS)))))
    }
    #[inline(always)]
    fn shr_lanes(self, bits: Self) -> Self {
        Self::of(intrinsic!(_mm512_srlv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn shl_lanes(self, bits: Self) -> Self {
        Self::of(intrinsic!(_mm512_sllv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        Self::of(mixed!(8, M::madd_lo(self.0, a.0, b.0), self.0, a.0, b.0))
    }
    #[inline(always)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        Self::of(mixed!(8, M::madd_hi(self.0, a.0, b.0), self.0, a.0, b.0))
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
        Self::of(intrinsic!(_mm512_mask_blend_epi64(mask.0, if_clear.0, if_set.0)))
    }
    #[inline(always)]
    fn lookup32(table: &Table32, index: Self) -> Self {
        Self::of(mixed!(8, intrinsic!(choose32(table, known(index.0))), index.0))
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self::of(mixed!(8, intrinsic!(_mm512_permutexvar_epi64(known(index.0), self.0)), index.0))
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
        [gather::halves::<M, 0>(&pairs), gather::halves::<M, 1>(&pairs)]
    }
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let (pairs, bit) = (gather::words(pairs), 1);
        let set = |bit| Mask8(intrinsic!(_mm512_test_epi64_mask(pairs, _mm512_set1_epi64(bit))));
        [set(bit), set(bit << 32)]
    }
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        M::kernel(kernel)
    }
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        M::call(kernel)
    }
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Self; 5],
        b: &[Self; 5],
        c: &[Self; 5],
        d: &[Self; 5],
    ) -> [Self; N] {
        M::product::<P, N>(a, b, c, d)
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        M::root(op)
    }
}
