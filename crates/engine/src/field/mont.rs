//! One lane modulo any odd prime between 2^192 and 2^256, by Montgomery's multiplication with R = 2^256.
//!
//! Four words hold x R modulo M for a number x. Every value is kept canonical, below M, so that each has magnitude 1
//! and is ready for anything. The arithmetic and its bounds are in [`super::redc`].

use super::redc::Redc;
use super::{Field, FieldX1, MontgomeryPrime};
use crate::mask::select4;
use crate::safegcd::Modulus;
use crate::word::Mask1;
use core::marker::PhantomData;

/// A number modulo `M`, in Montgomery's form.
#[derive(Clone, Copy, Debug)]
pub struct Mont<M> {
    words: [u64; 4],
    modulus: PhantomData<M>,
}

/// A product modulo `M` that is to be added to another, not reduced: at most M^2.
#[derive(Clone, Copy, Debug)]
pub struct MontProduct([u64; 8]);

impl<M: MontgomeryPrime> Mont<M> {
    #[inline(always)]
    const fn new(words: [u64; 4]) -> Self {
        Self { words, modulus: PhantomData }
    }

    /// x for x R.
    #[inline(always)]
    fn leave(self) -> [u64; 4] {
        let [a, b, c, d] = self.words;
        Redc::<M>::divide([a, b, c, d, 0, 0, 0, 0])
    }

    #[inline(always)]
    fn double(self) -> Self {
        self.add(self)
    }
}

impl<M: MontgomeryPrime> Field for Mont<M> {
    type Mask = Mask1;
    type Product = MontProduct;

    #[inline(always)]
    fn zero() -> Self {
        Self::new([0; 4])
    }
    #[inline(always)]
    fn one() -> Self {
        Self::new(Redc::<M>::ONE)
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        Self::from_words(words)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(Redc::<M>::add(self.words, other.words))
    }
    #[inline(always)]
    fn negate(self, _magnitude: u64) -> Self {
        Self::new(Redc::<M>::sub([0; 4], self.words))
    }
    #[inline(always)]
    fn sub(self, other: Self, _magnitude: u64) -> Self {
        Self::new(Redc::<M>::sub(self.words, other.words))
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        match factor {
            1 => self,
            2 => self.double(),
            3 => self.double().add(self),
            4 => self.double().double(),
            _ => (0..factor).fold(Self::zero(), |sum, _| sum.add(self)),
        }
    }
    #[inline(always)]
    fn carry(self) -> Self {
        self
    }
    #[inline(always)]
    fn weaken(self) -> Self {
        self
    }
    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        self.sub(other, magnitude)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::new(Redc::<M>::mul(self.words, other.words))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self::new(Redc::<M>::square(self.words))
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.scale(K).mul(other)
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul_scaled::<K>(other)
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        self.square().scale(K)
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        self.mul(other).add(addend)
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        self.square().add(addend)
    }
    #[inline(always)]
    fn minus_product(self, other: Self, _magnitude: u64) -> MontProduct {
        MontProduct(Redc::<M>::minus_product(self.words, other.words))
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, magnitude: u64) -> MontProduct {
        self.scale(K).minus_product(self, magnitude)
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: MontProduct) -> Self {
        Self::new(Redc::<M>::mul_plus(self.words, other.words, product.0))
    }
    #[inline(always)]
    fn square_plus(self, product: MontProduct) -> Self {
        Self::new(Redc::<M>::square_plus(self.words, product.0))
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_zero(self) -> Mask1 {
        let [a, b, c, d] = self.words;
        Mask1::is_zero(a | b | c | d)
    }
    /// Leaves Montgomery's form to see.
    #[inline(always)]
    fn is_odd(self) -> Mask1 {
        Mask1::from_bit(self.leave()[0] & 1)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Mask1 {
        let ([a, b, c, d], [e, f, g, h]) = (self.words, other.words);
        Mask1::is_zero((a ^ e) | (b ^ f) | (c ^ g) | (d ^ h))
    }
    #[inline(always)]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        Self::new(select4(&if_clear.words, &if_set.words, mask.bits()))
    }
    /// By division steps. Constant time.
    fn invert(self) -> Self {
        Self::from_words(const { Modulus::new(M::MODULUS) }.invert(&self.to_words()))
    }
}

impl<M: MontgomeryPrime> FieldX1 for Mont<M> {
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        Self::new(Redc::<M>::mul(Redc::<M>::SQUARE, words))
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        self.leave()
    }
    #[inline(always)]
    fn from_row(words: [u64; 4]) -> Self {
        Self::new(Redc::<M>::from_row(words))
    }
    #[inline(always)]
    fn to_row(self) -> [u64; 4] {
        Redc::<M>::to_row(self.words)
    }
    /// u = 4: a row's words are x 2^260, which is 16 x to this field.
    const ROW_ROOT_BITS: u32 = 2;

    #[inline(always)]
    fn from_row_as_it_stands_vartime(words: [u64; 4]) -> Self {
        Self::new(Redc::<M>::reduce_vartime(words))
    }
    #[inline(always)]
    fn to_row_as_it_stands(self) -> [u64; 4] {
        self.words
    }
    #[inline(always)]
    fn times_row_root(self) -> Self {
        self.double().double()
    }
    #[inline(always)]
    fn divide_by_row_root(self) -> Self {
        Self::new(Redc::<M>::half(Redc::<M>::half(self.words)))
    }
    #[inline(always)]
    fn is_zero_vartime(self) -> bool {
        self.words == [0; 4]
    }
}
