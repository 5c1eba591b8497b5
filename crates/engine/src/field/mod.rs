//! Prime fields, one lane and eight, under one trait.
//!
//! - [`Field`]: the operations of a field that a point formula may use;
//! - [`Fe4`]: one lane modulo 2^256 - C, in four 64-bit digits;
//! - [`FeX8`]: eight lanes modulo 2^256 - C, over any [`crate::word::Word`]. The word decides between two forms:
//! - [`Fe52X8`]: five 52-bit limbs, for words that multiply integers;
//! - [`FeF64X8`]: five doubles, for words that multiply doubles;
//! - [`Mont`], [`MontX8`]: one lane and eight lanes modulo any other prime of about 256 bits. One lane takes smaller
//!   primes too;
//! - [`BaseField`]: the one-lane field and the eight-lane field of one prime, with the inversion modulo it;
//! - [`FieldPair`]: two elements of any field, for two independent chains of operations;
//! - [`Counted`] (with `std`): any field, with a count of its operations;
//! - [`digits`]: products of four 64-bit digits, not reduced, for any modulus;
//! - [`batch_inversion`]: many divisions for one inversion.

mod base;
pub mod batch_inversion;
mod columns;
#[cfg(feature = "std")]
mod counted;
pub mod digits;
mod families;
mod fe4;
mod fe52_x8;
mod fe_f64x8;
mod fe_x8;
mod mont;
mod mont_x8;
mod montgomery_prime;
mod pair;
mod products;
mod redc;

pub use base::{BaseField, FieldX1, FieldX8};
#[cfg(feature = "std")]
pub use counted::{Count, Counted};
pub use families::{Montgomery, PseudoMersenne};
pub use fe_f64x8::{FeF64X8, GRIDS};
pub use fe_x8::FeX8;
pub use fe4::Fe4;
pub use fe52_x8::Fe52X8;
pub use mont::{Mont, MontProduct};
pub use mont_x8::MontX8;
pub use montgomery_prime::MontgomeryPrime;
pub use pair::{FieldPair, MaskPair};

use crate::word::{Kernel, Mask};

/// A prime modulus 2^256 - C with its exponentiation chains.
pub trait Prime: Copy + 'static {
    /// The modulus is 2^256 - C, with C below 2^36.
    const C: u64;
    /// `x^(p-2)`: the inverse of `x`, and zero for zero. Constant time.
    fn invert<F: Field>(x: F) -> F;
}

/// A formula on `N` numbers that gives `M`, for any field (see [`Field::formula`]).
pub trait Formula<const N: usize, const M: usize>: 'static {
    /// The formula. Implementors mark it `#[inline(always)]`.
    fn run<F: Field>(numbers: [F; N]) -> [F; M];
}

/// What `of` makes of each number, of which there is one at least. `map` of an array copies numbers by calls.
#[inline(always)]
fn each_of<A: Copy, B: Copy, const N: usize>(numbers: [A; N], of: impl Fn(A) -> B) -> [B; N] {
    let mut results = [of(numbers[0]); N];
    for i in 1..N {
        results[i] = of(numbers[i]);
    }
    results
}

/// The magnitude of the lower limbs of a loose number (see [`Field`]).
pub const LOOSE: u64 = 32;

/// A number modulo a prime in each of one or more lanes, reduced as little as possible.
///
/// # Magnitudes
///
/// A value of magnitude `m` stands for a number below about `2m * 2^256` and has limbs of at most `2m` times a full
/// limb. Products, squares, constants and normalised values have magnitude 1; sums add magnitudes, [`Field::negate`] of
/// magnitude `m` gives `m + 1`, [`Field::scale`] multiplies. The factors of a product have magnitude at most 7, in a
/// sum of two products at most 5. [`MontX8`] asks more of a product with nothing added.
///
/// An eight-lane field multiplies only the low 52 bits of each limb, so there every factor must be *carried*: products,
/// squares, constants and the results of [`Field::carry`] are; sums, negations and multiples are not. On one lane a
/// factor must be carried too, since [`Fe4`] keeps what sums carry in a digit of its own. The addend of a fused
/// operation need not be carried and may have magnitude up to 80.
///
/// A *loose* number ([`Field::mul_loose`]) has not been carried after its reduction. Its top limb is as in magnitude 1
/// (in eight lanes below 2^48), and its other limbs may be as in magnitude [`LOOSE`]. It serves as an addend and on the
/// left of [`Field::difference`].
///
/// Running a formula on interval words checks all of this for every input at once.
///
/// Nothing here branches on a value or uses it as an address, except what says `_vartime`.
pub trait Field: Copy + 'static {
    /// A truth value per lane.
    type Mask: Mask;
    /// A product that is not reduced, or not even computed, because another is to be added to it.
    type Product: Copy;

    /// Whether a product is a call.
    const PRODUCTS_ARE_CALLS: bool = false;

    /// Runs a long formula that seldom runs. In eight lanes it may be a call ([`crate::word::Word::call`]), so that one
    /// copy serves all roots.
    #[inline(always)]
    fn call<K: Kernel>(formula: K) -> K::Output {
        formula.run()
    }

    /// Runs a formula. Where eight lanes have registers enough for it, it is one call with all its products inside.
    #[inline(always)]
    fn formula<L: Formula<N, M>, const N: usize, const M: usize>(numbers: [Self; N]) -> [Self; M] {
        L::run(numbers)
    }

    /// Zero.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// The same canonical number in every lane, from its four 64-bit words, least significant first.
    fn constant(words: [u64; 4]) -> Self;

    /// `self + other`; magnitudes add.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// `-self` for a magnitude of at most `magnitude`; the result has one more.
    #[must_use]
    fn negate(self, magnitude: u64) -> Self;
    /// `-self` in the lanes of the mask, `self` elsewhere; the magnitudes are those of [`Field::negate`].
    #[must_use]
    #[inline(always)]
    fn negate_where(self, mask: Self::Mask, magnitude: u64) -> Self {
        Self::select(mask, self.negate(magnitude), self)
    }
    /// `self - other` for an `other` of at most `magnitude`.
    #[must_use]
    #[inline(always)]
    fn sub(self, other: Self, magnitude: u64) -> Self {
        self.add(other.negate(magnitude))
    }
    /// `self * factor` for a small factor; multiplies the magnitude.
    #[must_use]
    fn scale(self, factor: u64) -> Self;
    /// The same number, ready to be a factor.
    #[must_use]
    fn carry(self) -> Self;

    /// The same number, carried and of magnitude 1, from a magnitude of at most 24. Cheaper than [`Field::normalize`].
    #[must_use]
    fn weaken(self) -> Self;

    /// `self - other`, ready to be a factor, for a `self` of magnitude 1 or loose and an `other` of at most
    /// `magnitude`; the result has two more.
    #[must_use]
    fn difference(self, other: Self, magnitude: u64) -> Self;

    /// `self * other`.
    #[must_use]
    fn mul(self, other: Self) -> Self;
    /// `self^2`.
    #[must_use]
    fn square(self) -> Self;
    /// `K * self * other` for a K of at most 4; `K` times the magnitude of `self` counts.
    #[must_use]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self;
    /// As [`Field::mul_scaled`] for a K of at most 2, giving a loose number.
    #[must_use]
    fn mul_loose<const K: u64>(self, other: Self) -> Self;
    /// `K * self^2` for a K of at most 4; the result has magnitude up to `K`.
    #[must_use]
    fn square_scaled<const K: u64>(self) -> Self;
    /// `self * other + addend`, reduced once.
    #[must_use]
    fn mul_add(self, other: Self, addend: Self) -> Self;
    /// `self^2 + addend`, reduced once.
    #[must_use]
    fn square_add(self, addend: Self) -> Self;
    /// `self * other - taken`, reduced once, for a `taken` of at most `magnitude`, which is below 80.
    #[must_use]
    #[inline(always)]
    fn mul_less(self, other: Self, taken: Self, magnitude: u64) -> Self {
        self.mul_add(other, taken.negate(magnitude))
    }
    /// `self^2 - K * taken`, reduced once, for a K of 1 or 2 and a `taken` of at most `magnitude`, of which K times is
    /// below 80.
    #[must_use]
    #[inline(always)]
    fn square_less<const K: u64>(self, taken: Self, magnitude: u64) -> Self {
        let taken = if const { K == 1 } { taken } else { taken.scale(K) };
        self.square_add(taken.negate(K * magnitude))
    }
    /// `-self * other`, for [`Field::mul_plus`] or [`Field::square_plus`] to go on with; `self` has at most
    /// `magnitude`. The product of the magnitudes is at most 8.
    fn minus_product(self, other: Self, magnitude: u64) -> Self::Product;
    /// `-K * self^2` likewise; `K` times the square of the magnitude is at most 8.
    fn minus_square<const K: u64>(self, magnitude: u64) -> Self::Product;
    /// `self * other + product`, reduced once, for factors of magnitude at most 4.
    #[must_use]
    fn mul_plus(self, other: Self, product: Self::Product) -> Self;
    /// `self^2 + product`, reduced once, for a magnitude of at most 4.
    #[must_use]
    fn square_plus(self, product: Self::Product) -> Self;

    /// The canonical representative, from 0 to p - 1.
    #[must_use]
    fn normalize(self) -> Self;
    /// Whether the number is zero modulo p.
    fn is_zero(self) -> Self::Mask;
    /// Whether the canonical representative is odd. The value must be normalised.
    fn is_odd(self) -> Self::Mask;
    /// Whether the two are the same number modulo p, for an `other` of magnitude 1.
    #[inline(always)]
    fn equals(self, other: Self) -> Self::Mask {
        self.sub(other, 1).is_zero()
    }
    /// `if_set` in the lanes of the mask, `if_clear` elsewhere.
    #[must_use]
    fn select(mask: Self::Mask, if_set: Self, if_clear: Self) -> Self;
    /// The inverse, and zero for zero.
    #[must_use]
    fn invert(self) -> Self;

    /// `self^(2^n)`.
    #[must_use]
    #[inline(always)]
    fn square_times(self, n: u32) -> Self {
        let mut x = self;
        for _ in 0..n {
            x = x.square();
        }
        x
    }
}
