//! Doubles: floating-point numbers used as integers.
//!
//! A double holds every multiple of 2^g from -2^(53+g) to 2^(53+g) exactly: g is its *grid*. A sum, a difference or a
//! product whose exact value is on such a grid and within these bounds is computed without rounding. Arithmetic on
//! integers that are longer than a double is exact where each step is, or where what a step rounds away is computed by
//! another one.
//!
//! [`Double`] is the arithmetic, lane by lane and whatever the number of lanes; [`Doubles`] are eight lanes with the
//! integers and masks that belong to them. The operations of [`Double`] are of two kinds. `add`, `sub`, `times` and
//! `add_product` must be exact, which follows from ranges and grids. The others round on purpose, and what they give
//! rests on more than ranges: on that a difference is what a rounding left. Each says what it gives, and why. The
//! implementor made of intervals (`interval_doubles`) refuses an operation of the first kind that may round, and of the
//! second kind it gives what is stated here.
//!
//! The rounding mode is the one that every program starts in: to the nearest.
//!
//! Source: Emmart, Zheng and Weems, "Faster modular exponentiation using double precision floating point arithmetic on
//! the GPU", ARITH 2018; and for the exact sum, Dekker, Numerische Mathematik 18 (1971).

mod absent;
#[cfg(any(feature = "internals", feature = "vectors"))]
pub(super) mod by_bits;
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod fused;
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod halves52;
#[cfg(all(feature = "vectors", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) mod pair;

pub use absent::NoDoubles;

use crate::mask::Mask8;

/// `2^exponent`.
#[inline(always)]
pub const fn power_of_two(exponent: i32) -> f64 {
    assert!(-1022 <= exponent && exponent <= 1023);
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The number that is added and taken away again to round to the grid `2^grid`: 1.5 * 2^(52 + grid). What is within
/// 2^(51 + grid) of it has the grid's gap between one double and the next.
#[inline(always)]
pub const fn rounder(grid: i32) -> f64 {
    1.5 * power_of_two(52 + grid)
}

/// What [`Double::plus_product`] and its like give.
#[derive(Clone, Copy, Debug)]
pub struct Step<D> {
    /// The rounded result.
    pub high: D,
    /// What the product or the number is on the grid of `high`.
    pub coarse: D,
    /// What it is below that grid.
    pub fine: D,
}

/// What [`Double::split`] and its like give.
#[derive(Clone, Copy, Debug)]
pub struct Split<D> {
    /// The nearest multiple of the grid, or nearly.
    pub carry: D,
    /// What is left.
    pub rest: D,
}

/// Doubles side by side, and their arithmetic.
pub trait Double: Copy + 'static {
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// `self + other`, exact.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// `self - other`, exact.
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// `self * factor`, exact.
    #[must_use]
    fn times(self, factor: f64) -> Self;
    /// `self + a * b`, exact.
    #[must_use]
    fn add_product(self, a: Self, b: Self) -> Self;
    /// `-self`.
    #[must_use]
    fn negate(self) -> Self;

    /// `self + a * b` rounded, and `a * b` in two parts.
    ///
    /// `self` and the result are positive and large: their grid is the part's. `high = self + a * b + e` for an error
    /// `e` of at most half a gap. `coarse = high - self` is exact, as a number of gaps that is not too large; and
    /// `fine = a * b - coarse = -e` is exact, as a multiple of the grid of `a * b` that is at most half a gap.
    fn plus_product(self, a: Self, b: Self) -> Step<Self>;
    /// `self - a * b` rounded, and `a * b` in two parts: [`Self::plus_product`] of `-a`, with the parts of `a * b`.
    fn minus_product(self, a: Self, b: Self) -> Step<Self>;
    /// `self + small` rounded, and `small` in two parts, as in [`Self::plus_product`]. This is Dekker's exact sum.
    fn plus(self, small: Self) -> Step<Self>;

    /// `self` as a multiple of `2^grid` and a rest of at most half of that, for a `self` below 2^(51 + grid).
    ///
    /// Both are exact: `carry` as the difference of two multiples of the grid, `rest` as a multiple of the grid of
    /// `self` that is small.
    fn split(self, grid: i32) -> Split<Self>;
    /// [`Self::split`] of `factor * self`, which need not be a double.
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self>;
    /// [`Self::split`] of `self + x * factor`, which need not be a double.
    ///
    /// The sum is rounded before it is split, so that `rest` may be half of that error greater. With `x * factor -
    /// carry = rest - self`, that difference is exact if it is at most 2^53 times its grid, and then `rest` is.
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self>;
}

/// A function of three numbers of five digits, or of fewer, that is the same in every lane.
pub trait Lanewise {
    /// The function. Implementors mark it `#[inline(always)]`.
    fn run<D: Double>(a: [D; 5], b: [D; 5], c: [D; 5]) -> [D; 5];
}

/// A formula on `N` numbers of five digits that gives `M` numbers. It is the same in every lane.
pub trait WholeFormula<const N: usize, const M: usize> {
    /// The formula. Implementors mark it `#[inline(always)]`.
    fn run<D: Doubles<Word: super::Word>>(numbers: [[D; 5]; N]) -> [[D; 5]; M];
}

/// Eight doubles side by side.
pub trait Doubles: Double {
    /// The name of the backend whose doubles these are.
    const NAME: &'static str;

    /// Whether a formula is one call ([`Self::apply_formula`]), and nothing in it is a call.
    const FORMULAS_ARE_CALLS: bool = false;

    /// Eight integers on the same machine: a [`super::Word`].
    type Word;

    /// The bits of each lane.
    fn to_bits(self) -> Self::Word;
    /// Doubles of these bits.
    fn from_bits(bits: Self::Word) -> Self;

    /// `self / 2^grid` as integers in two's complement, for a multiple of `2^grid` below 2^(51 + grid).
    #[must_use]
    fn to_integers(self, grid: i32) -> Self::Word;
    /// `(integers - bias) * 2^grid`, for integers and a bias below 2^52.
    #[must_use]
    fn from_integers(integers: Self::Word, bias: u64, grid: i32) -> Self;

    /// `if_set` in the lanes of the mask, `if_clear` elsewhere, without a branch.
    #[must_use]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self;

    /// `-self` in the lanes of the mask, `self` elsewhere, without a branch.
    #[must_use]
    fn negate_where(self, mask: Mask8) -> Self;

    /// The formula of these numbers. It is one call where [`Self::FORMULAS_ARE_CALLS`].
    #[inline(always)]
    fn apply_formula<L: WholeFormula<N, M>, const N: usize, const M: usize>(numbers: &[[Self; 5]; N]) -> [[Self; 5]; M]
    where
        Self::Word: super::Word,
    {
        L::run(*numbers)
    }

    /// Replaces `a` by the function of these numbers, as a call. They are references, so that a call copies nothing, and
    /// the result has no place of its own, which would be set to zero first.
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]);

    /// The same for a function of one number.
    #[inline(always)]
    fn apply_to_one<L: Lanewise>(a: &mut [Self; 5]) {
        let same = *a;
        Self::apply::<L>(a, &same, &same);
    }
}
