//! k G for secret k, in affine coordinates.
//!
//! k is a sum of 37 odd digits d_i 128^i ([`super::digits`]); each digit's entry is looked up in registers, and the
//! entries are added pairwise, round by round: of T terms, term i and term i + h with h = T / 2 rounded up. The
//! additions of a round are independent of each other and share one inversion.
//!
//! # No exceptional addition can occur
//!
//! An addition of A and B is exceptional if A - B or A + B is zero modulo n. Both are sums of e_i 128^i over the set S
//! of windows that went into either, with e_i = d_i or -d_i, odd, |e_i| < 128. Suppose such a sum is t n.
//!
//! - t is not 0: the highest term is at least 128^m, more than all lower terms together, 127 (128^m - 1) / 127. And
//!   |t| <= 8, since the sum is below 128^37 = 2^259 and n > 2^256 - 2^129.
//! - The windows below 19 add less than 2^133 to the sum, and t n differs from t 2^256 by at most 2^132. So those from
//!   19 on, divided by 2^133, make t 2^123 + c with c = -1, 0 or 1. If S has no window from 19 on, this is 0, which it
//!   is not for any t other than 0.
//! - Let j be the lowest window of S that is at least 19. The sum over them is 128^(j-19) times an odd number. For c = 0
//!   that contradicts the power of two in t 2^123, which is 123 to 126: no multiple of 7 but 126 = 7 * 18, for which j
//!   would be 37. For c = 1 or -1 it says j = 19; and e_19 is c modulo 128, since 128 divides all the rest. Take it away
//!   and divide by 128: what is left is (t 2^123 + c - e_19) / 128, which is t 2^116 if e_19 = c, contradictory as above
//!   unless nothing is left, which would be t = 0; or t 2^116 + c if e_19 = c - 128 c. And so on with window 20, up to
//!   window 36, which leaves t 2^4 + c - e_36 = 0.
//!
//! So S has all windows from 19 to 36. Before the last round no sum holds all of them, as a test checks. In
//! the last round A + B is k G or its negative, which is not infinity as k is not zero. And A - B = t n has one
//! solution for each odd t from -7 to 7, and none for an even one, since 37 odd terms have an odd sum. A test computes
//! what A and B add up to in each. For t = 1 and -1 that is `EQUAL_SUMS` and its negative, which are therefore written as
//! k + 2 n and its negative (see [`GeneratorDigits`]). For any other t it is more than n, and is no such k + 2 n.

use crate::{
    lanes::{
        inversion::divide_secret,
        memory::{AffineX8, CacheLine, FeX8, FeX8Mem, Machine, Numbers, U256x8, lookup_wide_x, lookup_wide_y},
    },
    mul::{
        digits_ct::{GENERATOR_WINDOWS, GeneratorDigits},
        generator::Normalize,
        pair_sums::{Adding, LeafRound, Places, ReadPairs, TreeRound},
    },
    tables::g_odd_comb_7,
};
use phalanx_engine::{
    curve::Affine,
    field::Field,
    word::{Op, Word},
};
use zeroize::optimization_barrier;

/// Terms after the first round.
const HALF: usize = GENERATOR_WINDOWS.div_ceil(2);
/// Additions of the first round.
const PAIRS: usize = GENERATOR_WINDOWS / 2;

/// The canonical coordinates x, y of k G for the k of each group, none of which may be zero. Constant time.
pub(crate) fn mul_generator_rows_ct<M: Machine>(
    machine: M,
    digits: &[GeneratorDigits],
    coordinates: &mut [[U256x8; 2]],
    memory: &mut [CacheLine],
) {
    let groups = digits.len();
    let mut numbers = Numbers::new(memory);
    let sums: &mut [AffineX8] = numbers.take(HALF * groups);
    let products: &mut [FeX8Mem] = numbers.take(PAIRS * groups);
    let (leaves, alone) = sums.split_at_mut(PAIRS * groups);
    divide_secret(machine, &mut Adding(LeafRound { sums: leaves, second_x: &mut *products, read: LeavesCt(digits) }));
    machine.run(Alone { digits, sums: alone });
    let mut terms = HALF;
    while terms > 1 {
        let half = terms.div_ceil(2);
        let (count, apart) = ((terms - half) * groups, half * groups);
        let spare = &mut products[..count];
        let places = Places::apart(apart);
        divide_secret(machine, &mut Adding(TreeRound { sums: &mut *sums, spare, places, secret: true }));
        terms = half;
    }
    let sums_of_all = &mut sums[..groups];
    machine.run(Normalize { sums: &*sums_of_all, coordinates });
    // Each round has wiped the rest of what it was the last to read.
    sums_of_all.fill(AffineX8::ZERO);
    optimization_barrier(sums);
    optimization_barrier(products);
}

/// The pairs of the first round: two table entries each, window by window, so that the entries of two windows stay
/// near.
struct LeavesCt<'a>(&'a [GeneratorDigits]);

impl ReadPairs for LeavesCt<'_> {
    const SECRET: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        PAIRS * self.0.len()
    }
    #[inline(always)]
    fn x<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let (window, digits) = (index / self.0.len(), &self.0[index % self.0.len()]);
        [choose_x(window, digits.code(window)), choose_x(window + HALF, digits.code(window + HALF))]
    }
    #[inline(always)]
    fn y<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let (window, digits) = (index / self.0.len(), &self.0[index % self.0.len()]);
        [choose_y(window, digits.code(window)), choose_y(window + HALF, digits.code(window + HALF))]
    }
}

/// The window without a partner, which becomes a term as it is.
struct Alone<'a> {
    digits: &'a [GeneratorDigits],
    sums: &'a mut [AffineX8],
}

impl Op for Alone<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (sum, digits) in self.sums.iter_mut().zip(self.digits) {
            let entry = choose::<W>(PAIRS, digits.code(PAIRS));
            sum.store(Affine { x: entry.x, y: entry.y.weaken() });
        }
    }
}

/// The entry of a window for each lane's code; y is not carried, and of magnitude 2. Constant time.
#[inline(always)]
fn choose<W: Word>(window: usize, code: W) -> Affine<FeX8<W>> {
    Affine { x: choose_x(window, code), y: choose_y(window, code) }
}

#[inline(always)]
fn choose_x<W: Word>(window: usize, code: W) -> FeX8<W> {
    lookup_wide_x(&g_odd_comb_7::<W>()[window], code)
}

#[inline(always)]
fn choose_y<W: Word>(window: usize, code: W) -> FeX8<W> {
    lookup_wide_y(&g_odd_comb_7::<W>()[window], code)
}

/// For each window, the term that it is a part of when `left` terms are left.
#[cfg(test)]
pub(crate) fn terms_of_windows(left: usize) -> [usize; GENERATOR_WINDOWS] {
    let mut terms = core::array::from_fn(|window| window);
    let mut count = GENERATOR_WINDOWS;
    while count > left {
        count = count.div_ceil(2);
        terms = terms.map(|term| if term < count { term } else { term - count });
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Scalar,
        lanes::tests::{digit, on_machines, scalar},
        mul::digits_ct::EQUAL_SUMS,
    };
    use alloc::vec;
    use num_bigint::BigInt;
    use phalanx_engine::{arena::lines_for, word::LANES};

    on_machines! {
        fn no_secret_sum_stays_in_memory(machine) {
            for groups in [1, 3] {
                let mut digits = vec![GeneratorDigits::of_one(); groups];
                (0..groups * LANES).for_each(|row| digits[row / LANES].set(row % LANES, &scalar(row as u64)));
                let lines = lines_for::<AffineX8>(HALF * groups) + lines_for::<FeX8Mem>(PAIRS * groups);
                let mut memory = vec![CacheLine([u64::MAX; 8]); lines];
                mul_generator_rows_ct(machine, &digits, &mut vec![[U256x8::ZERO; 2]; groups], &mut memory);
                assert!(memory.iter().all(|line| line.0 == [0; 8]));
            }
        }
    }

    #[test]
    fn no_sum_before_the_last_holds_all_upper_windows() {
        for left in [19, 10, 5, 3, 2] {
            let terms = terms_of_windows(left);
            assert_eq!(*terms.iter().max().unwrap(), left - 1);
            assert!(terms[19..].iter().any(|term| *term != terms[19]), "{left} terms");
        }
        assert_eq!(terms_of_windows(1), [0; GENERATOR_WINDOWS]);
    }

    #[test]
    fn one_scalar_and_its_negative_have_equal_last_sums() {
        let terms = terms_of_windows(2);
        let big = |limbs: [u64; 4]| limbs.iter().rev().fold(BigInt::ZERO, |sum, limb| (sum << 64u32) + *limb);
        let (n, replaced) = (big(Scalar::ORDER), big(EQUAL_SUMS));
        let sums = [1, 3, 5, 7].map(|t: u8| {
            // Each digit of t n is a part of one of the sums.
            let (mut sums, half) = ([BigInt::ZERO, BigInt::ZERO], &n * t / 2u32);
            for (window, term) in terms.into_iter().enumerate() {
                let digit = digit(|at| half.bit(at as u64), 7 * GENERATOR_WINDOWS, 7, window);
                sums[term] += BigInt::from(digit) << (7 * window);
            }
            let [a, minus_b] = sums;
            assert_eq!(&a + &minus_b, &n * t);
            BigInt::from((a - minus_b).magnitude().clone())
        });
        assert_eq!(sums[0], replaced);
        assert!(sums[1..].iter().all(|sum| *sum > n && *sum != &replaced + 2u32 * &n));
    }
}
