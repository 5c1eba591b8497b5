//! Four full 64-bit limbs: every sum and product is folded below 2^256 at once, so nothing is lazy.

use phalanx_engine::field::Field;
use phalanx_engine::word::Mask1;
use std::marker::PhantomData;

/// 2^256 modulo p.
const C: u64 = 0x1_0000_03d1;

/// How a layout multiplies 256 by 256 bits.
pub trait Multiplier: Copy + 'static {
    /// The product, least significant limb first.
    fn wide(a: [u64; 4], b: [u64; 4]) -> [u64; 8];
}

/// A number below 2^256, modulo p.
#[derive(Clone, Copy)]
pub struct Full<M>(pub [u64; 4], PhantomData<M>);

impl<M: Multiplier> Full<M> {
    #[inline(always)]
    fn new(limbs: [u64; 4]) -> Self {
        Self(limbs, PhantomData)
    }

    /// `limbs + high * 2^256`, folded. `high` is small.
    #[inline(always)]
    fn fold(limbs: [u64; 4], high: u64) -> Self {
        let [a, b, c, d] = limbs;
        let (a, carry) = C.carrying_mul(high, a);
        let (b, over) = b.overflowing_add(carry);
        let (c, over) = c.overflowing_add(over.into());
        let (d, over) = d.overflowing_add(over.into());
        // After a carry out the number is tiny, so the second fold cannot carry far.
        let (a, over) = a.overflowing_add(C & (over as u64).wrapping_neg());
        let (b, over) = b.overflowing_add(over.into());
        Self::new([a, b, c.wrapping_add(over.into()), d])
    }

    #[inline(always)]
    fn reduce(wide: [u64; 8]) -> Self {
        let [l0, l1, l2, l3, h0, h1, h2, h3] = wide;
        let (a, carry) = h0.carrying_mul(C, l0);
        let (b, carry) = h1.carrying_mul_add(C, l1, carry);
        let (c, carry) = h2.carrying_mul_add(C, l2, carry);
        let (d, carry) = h3.carrying_mul_add(C, l3, carry);
        Self::fold([a, b, c, d], carry)
    }
}

impl<M: Multiplier> Field for Full<M> {
    type Mask = Mask1;
    type Product = Self;

    fn zero() -> Self {
        Self::new([0; 4])
    }
    fn one() -> Self {
        Self::new([1, 0, 0, 0])
    }
    fn constant(words: [u64; 4]) -> Self {
        Self::new(words)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let mut carry = false;
        let mut sum = [0; 4];
        for i in 0..4 {
            (sum[i], carry) = self.0[i].carrying_add(other.0[i], carry);
        }
        Self::fold(sum, carry.into())
    }
    #[inline(always)]
    fn negate(self, _: u64) -> Self {
        Self::zero().sub(self, 1)
    }
    #[inline(always)]
    fn sub(self, other: Self, _: u64) -> Self {
        let mut borrow = false;
        let mut difference = [0; 4];
        for i in 0..4 {
            (difference[i], borrow) = self.0[i].borrowing_sub(other.0[i], borrow);
        }
        // A borrow stands for 2^256, which is C.
        let (a, borrow) = difference[0].overflowing_sub(C & (borrow as u64).wrapping_neg());
        let (b, borrow) = difference[1].overflowing_sub(borrow.into());
        let (c, borrow) = difference[2].overflowing_sub(borrow.into());
        let (d, borrow) = difference[3].overflowing_sub(borrow.into());
        Self::new([a.wrapping_sub(C & (borrow as u64).wrapping_neg()), b, c, d])
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        let (a, carry) = self.0[0].carrying_mul(factor, 0);
        let (b, carry) = self.0[1].carrying_mul(factor, carry);
        let (c, carry) = self.0[2].carrying_mul(factor, carry);
        let (d, carry) = self.0[3].carrying_mul(factor, carry);
        Self::fold([a, b, c, d], carry)
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
        Self::reduce(M::wide(self.0, other.0))
    }
    #[inline(always)]
    fn square(self) -> Self {
        self.mul(self)
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.mul(other).scale(K)
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul(other).scale(K)
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
    fn minus_product(self, other: Self, _: u64) -> Self {
        self.mul(other).negate(1)
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, _: u64) -> Self {
        self.square().scale(K).negate(1)
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Self) -> Self {
        self.mul_add(other, product)
    }
    #[inline(always)]
    fn square_plus(self, product: Self) -> Self {
        self.square_add(product)
    }
    #[inline(always)]
    fn sum_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        a.mul(b).add(c.mul(d))
    }
    fn normalize(self) -> Self {
        let p = [C.wrapping_neg(), u64::MAX, u64::MAX, u64::MAX];
        if self.0.iter().rev().ge(p.iter().rev()) { Self::new([self.0[0].wrapping_add(C), 0, 0, 0]) } else { self }
    }
    fn is_zero(self) -> Mask1 {
        Mask1::from_bit((self.normalize().0 == [0; 4]).into())
    }
    fn is_odd(self) -> Mask1 {
        Mask1::from_bit(self.0[0] & 1)
    }
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        Self::new(std::array::from_fn(|i| if_clear.0[i] ^ (mask.bits() & (if_set.0[i] ^ if_clear.0[i]))))
    }
    /// Not measured: by squaring and multiplying.
    fn invert(self) -> Self {
        let exponent = [C.wrapping_neg() - 2, u64::MAX, u64::MAX, u64::MAX];
        (0..256).rev().fold(Self::one(), |power, bit| {
            let power = power.square();
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 { power.mul(self) } else { power }
        })
    }
}

/// By 128-bit products.
#[derive(Clone, Copy)]
pub struct Plain;

impl Multiplier for Plain {
    #[inline(always)]
    fn wide(a: [u64; 4], b: [u64; 4]) -> [u64; 8] {
        let mut wide = [0; 8];
        for i in 0..4 {
            let mut carry = 0;
            for j in 0..4 {
                (wide[i + j], carry) = a[j].carrying_mul_add(b[i], wide[i + j], carry);
            }
            wide[i + 4] = carry;
        }
        wide
    }
}
