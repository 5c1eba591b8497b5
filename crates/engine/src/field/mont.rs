//! One lane modulo any prime between 2^254 and 2^256, by Montgomery's multiplication with R = 2^260, as in
//! [`super::MontX8`].
//!
//! Five limbs of 52 bits hold x R modulo M for a number x. Every value is kept canonical, below M, so that each has
//! magnitude 1 and is ready for anything; what that costs is not made up for here.
//!
//! # Bounds
//!
//! Limbs are below 2^52. A column of a product is at most five products of two limbs and five more of the reduction,
//! below 10 * 2^104, and a carry below 2^56: far inside 128 bits. A product of two numbers below M, divided by R, is
//! below (M^2 + R M) / R < 2 M, because M < R.

use super::columns::FULL;
use super::montgomery_prime::{Derived, limbs_of};
use super::{Field, FieldX1, MontgomeryPrime};
use crate::safegcd::Modulus;
use crate::word::{Mask, Mask1};
use core::marker::PhantomData;

/// A number modulo `M`, in Montgomery's form.
#[derive(Clone, Copy, Debug)]
pub struct Mont<M> {
    limbs: [u64; 5],
    modulus: PhantomData<M>,
}

impl<M: MontgomeryPrime> Mont<M> {
    const fn new(limbs: [u64; 5]) -> Self {
        Self { limbs, modulus: PhantomData }
    }

    /// The number below M of carried limbs that stand for less than twice M.
    #[inline]
    fn reduce_once(limbs: [u64; 5]) -> Self {
        Self::less_multiple(limbs, 0)
    }

    /// The number below M of carried limbs that stand for less than 2^257, which is less than 8 M.
    #[inline]
    fn reduce(limbs: [u64; 5]) -> Self {
        let limbs = Self::less_multiple(limbs, 2).limbs;
        let limbs = Self::less_multiple(limbs, 1).limbs;
        Self::less_multiple(limbs, 0)
    }

    /// The limbs less M 2^bits where that is not negative, carried.
    #[inline]
    fn less_multiple(limbs: [u64; 5], bits: u32) -> Self {
        let (mut difference, mut borrow) = ([0; 5], 0i64);
        for ((difference, limb), m) in difference.iter_mut().zip(limbs).zip(Derived::<M>::MODULUS) {
            let column = limb as i64 - (m << bits) as i64 + borrow;
            (*difference, borrow) = (column as u64 & FULL, column >> 52);
        }
        let negative = Mask1::from_bit(borrow as u64 >> 63);
        Self::select(negative, Self::new(limbs), Self::new(difference))
    }

    /// x for x R, in limbs.
    #[inline]
    fn leave(self) -> [u64; 5] {
        self.mul(Self::new([1, 0, 0, 0, 0])).limbs
    }
}

/// Carried limbs of a sum whose top limb has room for the last carry.
#[inline]
fn carry(limbs: [u64; 5]) -> [u64; 5] {
    let mut carried = limbs;
    for i in 0..4 {
        carried[i + 1] += carried[i] >> 52;
        carried[i] &= FULL;
    }
    carried
}

impl<M: MontgomeryPrime> Field for Mont<M> {
    type Mask = Mask1;
    type Product = Self;

    fn zero() -> Self {
        Self::new([0; 5])
    }
    fn one() -> Self {
        Self::new(Derived::<M>::ONE)
    }
    fn constant(words: [u64; 4]) -> Self {
        Self::from_words(words)
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::reduce_once(carry(core::array::from_fn(|i| self.limbs[i] + other.limbs[i])))
    }
    #[inline]
    fn negate(self, _magnitude: u64) -> Self {
        // M - 0 is M, which is reduced to 0.
        let (mut difference, mut borrow) = ([0; 5], 0i64);
        for ((difference, limb), m) in difference.iter_mut().zip(self.limbs).zip(Derived::<M>::MODULUS) {
            let column = m as i64 - limb as i64 + borrow;
            (*difference, borrow) = (column as u64 & FULL, column >> 52);
        }
        Self::reduce_once(difference)
    }
    #[inline]
    fn scale(self, factor: u64) -> Self {
        (0..factor).fold(Self::zero(), |sum, _| sum.add(self))
    }
    #[inline]
    fn carry(self) -> Self {
        self
    }
    #[inline]
    fn weaken(self) -> Self {
        self
    }
    #[inline]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        self.sub(other, magnitude)
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        let mut columns = [0u128; 10];
        for (i, a) in self.limbs.into_iter().enumerate() {
            for (j, b) in other.limbs.into_iter().enumerate() {
                columns[i + j] += u128::from(a) * u128::from(b);
            }
        }
        for i in 0..5 {
            // The multiple of M that clears the column's low 52 bits.
            let q = (columns[i] as u64).wrapping_mul(Derived::<M>::MINUS_INVERSE) & FULL;
            for (j, m) in Derived::<M>::MODULUS.into_iter().enumerate() {
                columns[i + j] += u128::from(q) * u128::from(m);
            }
            columns[i + 1] += columns[i] >> 52;
        }
        for i in 5..9 {
            columns[i + 1] += columns[i] >> 52;
        }
        let [.., c5, c6, c7, c8, c9] = columns.map(|column| column as u64);
        Self::reduce_once([c5 & FULL, c6 & FULL, c7 & FULL, c8 & FULL, c9])
    }
    #[inline]
    fn square(self) -> Self {
        self.mul(self)
    }
    #[inline]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.scale(K).mul(other)
    }
    #[inline]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul_scaled::<K>(other)
    }
    #[inline]
    fn square_scaled<const K: u64>(self) -> Self {
        self.square().scale(K)
    }
    #[inline]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        self.mul(other).add(addend)
    }
    #[inline]
    fn square_add(self, addend: Self) -> Self {
        self.square().add(addend)
    }
    #[inline]
    fn minus_product(self, other: Self, _magnitude: u64) -> Self {
        self.mul(other).negate(1)
    }
    #[inline]
    fn minus_square<const K: u64>(self, _magnitude: u64) -> Self {
        self.square_scaled::<K>().negate(1)
    }
    #[inline]
    fn mul_plus(self, other: Self, product: Self) -> Self {
        self.mul_add(other, product)
    }
    #[inline]
    fn square_plus(self, product: Self) -> Self {
        self.square_add(product)
    }
    #[inline]
    fn sum_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        a.mul(b).add(c.mul(d))
    }

    #[inline]
    fn normalize(self) -> Self {
        self
    }
    #[inline]
    fn is_zero(self) -> Mask1 {
        let [a, b, c, d, e] = self.limbs;
        Mask1::is_zero(a | b | c | d | e)
    }
    /// Leaves Montgomery's form to see.
    #[inline]
    fn is_odd(self) -> Mask1 {
        Mask1::is_zero(self.leave()[0] & 1).not()
    }
    #[inline]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        let (a, b) = (if_set.limbs, if_clear.limbs);
        Self::new(core::array::from_fn(|i| b[i] ^ (mask.bits() & (a[i] ^ b[i]))))
    }
    /// By division steps. Constant time.
    fn invert(self) -> Self {
        Self::from_words(const { Modulus::new(M::MODULUS) }.invert(&self.to_words()))
    }
}

impl<M: MontgomeryPrime> FieldX1 for Mont<M> {
    #[inline]
    fn from_words(words: [u64; 4]) -> Self {
        Self::reduce(limbs_of(words)).mul(Self::new(Derived::<M>::SQUARE))
    }
    #[inline]
    fn to_words(self) -> [u64; 4] {
        words_of(self.leave())
    }
    /// Montgomery's form as it stands.
    #[inline]
    fn from_row(words: [u64; 4]) -> Self {
        Self::reduce(limbs_of(words))
    }
    #[inline]
    fn to_row(self) -> [u64; 4] {
        words_of(self.limbs)
    }
    #[inline]
    fn is_zero_vartime(self) -> bool {
        self.limbs == [0; 5]
    }
}

/// Four 64-bit words from the five limbs of a number below 2^256.
const fn words_of([a, b, c, d, e]: [u64; 5]) -> [u64; 4] {
    [a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16]
}
