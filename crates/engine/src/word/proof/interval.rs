//! Limbs that are ranges: the proof by running.
//!
//! An [`Interval`] stands for every integer from `low` to `high` at once. Each operation computes the range of its
//! results from the ranges of its operands and asserts that the exact result fits its machine width, so a kernel that
//! runs to its end on intervals cannot overflow for any input in the given ranges. Branch-free code visits every
//! operation in one run.
//!
//! As a [`Word`] an interval may go below zero, for a machine word that is meant as two's complement; what has no such
//! meaning (a logical shift to the right, a factor of a 52-bit product, an unsigned comparison) then refuses it.
//!
//! What it cannot see: correlations (x - x is not known to be zero), so a bound that rests on one needs a written
//! proof.

use crate::word::{EmulatedNarrow, Kernel, LANES, Mask8, Op, Table32, Word};

/// All integers from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

impl Interval {
    /// The range from `low` to `high`.
    #[track_caller]
    pub fn new(low: i128, high: i128) -> Self {
        assert!(low <= high, "an interval from {low} to {high} is empty");
        Self { low, high }
    }

    /// The range from 0 to `high`.
    pub fn up_to(high: u64) -> Self {
        Self::new(0, high.into())
    }

    /// The one value.
    pub fn exact(value: u64) -> Self {
        Self::new(value.into(), value.into())
    }

    /// Whether every value of this range lies in the other.
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The same range, asserted to fit an unsigned word of 64 bits.
    #[track_caller]
    fn unsigned(self) -> Self {
        assert!(self.low >= 0, "a limb may be {:#x} below zero", -self.low);
        assert!(self.high >> 64 == 0, "a limb reaches {:#x}, beyond 64 bits", self.high);
        self
    }

    /// The same range, asserted to fit a word of 64 bits, signed where it goes below zero.
    #[track_caller]
    fn word(self) -> Self {
        if self.low >= 0 {
            return self.unsigned();
        }
        assert!(self.low >= i64::MIN.into(), "a signed limb reaches -{:#x}, below 64 bits", -self.low);
        assert!(self.high <= i64::MAX.into(), "a signed limb reaches {:#x}, beyond 63 bits", self.high);
        self
    }

    #[track_caller]
    fn sum(self, other: Self) -> Self {
        let wide = "a sum goes beyond 127 bits";
        Self::new(self.low.checked_add(other.low).expect(wide), self.high.checked_add(other.high).expect(wide))
    }

    #[track_caller]
    fn difference(self, other: Self) -> Self {
        Self::new(self.low - other.high, self.high - other.low)
    }

    /// The product of two ranges without negative values.
    #[track_caller]
    fn times(self, other: Self) -> Self {
        assert!(self.low >= 0 && other.low >= 0, "a factor may be negative");
        let high = self.high.checked_mul(other.high);
        Self::new(self.low * other.low, high.expect("a product goes beyond 127 bits"))
    }

    /// The low bits, of the two's complement where the range goes below zero.
    fn low_bits(self, bits: u32) -> Self {
        let ones = (1 << bits) - 1;
        if self.low >= 0 && self.high <= ones { self } else { Self::new(0, ones) }
    }

    /// Rounds towards minus infinity.
    fn shifted_down(self, bits: u32) -> Self {
        Self::new(self.low >> bits, self.high >> bits)
    }

    /// All numbers of as many bits as the largest of the two has.
    #[track_caller]
    fn bits_of_either(self, other: Self) -> Self {
        let largest = self.unsigned().high | other.unsigned().high;
        Self::new(0, (1 << (128 - largest.leading_zeros())) - 1)
    }

    fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }
}

/// The operands of a 52-bit multiplication must lie below 2^52: the machine would silently drop what is above, and a
/// kernel that relies on the dropping says so by [`Word::low52_intended`].
#[track_caller]
fn factor(a: Interval) -> Interval {
    assert!(a.low >= 0, "a factor may be negative");
    assert!(a.high >> 52 == 0, "a factor reaches {:#x}, beyond 52 bits", a.high);
    a
}

impl Word for Interval {
    const NAME: &'static str = "interval";

    type Narrow = EmulatedNarrow;
    type Doubles = crate::word::doubles::NoDoubles<Self>;

    #[inline(never)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    fn splat(value: u64) -> Self {
        Self::exact(value)
    }
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        lanes.map(Self::exact).into_iter().reduce(Self::hull).expect("there are eight lanes")
    }
    fn to_lanes(self) -> [u64; LANES] {
        [self.high as u64; LANES]
    }
    #[track_caller]
    fn add(self, other: Self) -> Self {
        self.sum(other).word()
    }
    fn wrapping_add(self, _: Self) -> Self {
        Self::up_to(u64::MAX)
    }
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.difference(other).word()
    }
    fn and(self, other: Self) -> Self {
        if other.low == other.high && (other.high + 1).count_ones() == 1 {
            return self.low_bits((other.high + 1).ilog2());
        }
        Self::new(0, self.unsigned().high.min(other.unsigned().high))
    }
    #[track_caller]
    fn or(self, other: Self) -> Self {
        let bits = self.bits_of_either(other);
        Self::new(self.low.max(other.low), bits.high)
    }
    #[track_caller]
    fn xor(self, other: Self) -> Self {
        self.bits_of_either(other)
    }
    fn shl<const BITS: u32>(self) -> Self {
        let moved = self.unsigned().times(Self::exact(1 << BITS));
        if moved.high >> 64 == 0 { moved } else { Self::up_to(u64::MAX) }
    }
    #[track_caller]
    fn mul_pow2<const BITS: u32>(self) -> Self {
        Self::new(self.low << BITS, self.high << BITS).word()
    }
    #[track_caller]
    fn shr<const BITS: u32>(self) -> Self {
        self.unsigned().shifted_down(BITS)
    }
    #[track_caller]
    fn sar<const BITS: u32>(self) -> Self {
        assert!(self.high <= i64::MAX.into(), "a signed limb reaches {:#x}, beyond 63 bits", self.high);
        self.shifted_down(BITS)
    }
    fn rotate_right<const BITS: u32>(self) -> Self {
        Self::up_to(u64::MAX)
    }
    #[track_caller]
    fn shr_lanes(self, bits: Self) -> Self {
        Self::new(self.low >> bits.high, self.high >> bits.low).unsigned()
    }
    #[track_caller]
    fn shl_lanes(self, bits: Self) -> Self {
        Self::new(self.low << bits.low, self.high << bits.high).unsigned()
    }
    fn low52_intended(self) -> Self {
        self.low_bits(52)
    }
    #[track_caller]
    fn proved_at_most(self, largest: u64) -> Self {
        Self::new(self.low.max(0), self.high.min(largest.into()))
    }
    #[track_caller]
    fn expect_at_most(self, largest: u64) -> Self {
        assert!(self.low >= 0, "a word that may go to -{:#x} is expected to be at most {largest:#x}", -self.low);
        assert!(
            self.high <= largest.into(),
            "a word that is expected to be at most {largest:#x} may reach {:#x}",
            self.high
        );
        self
    }
    #[track_caller]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        self.sum(factor(a).times(factor(b)).low_bits(52)).word()
    }
    #[track_caller]
    fn madd(self, a: Self, b: Self) -> Self {
        let product = factor(a).times(factor(b));
        assert!(product.high >> 52 == 0, "a product reaches {:#x}, beyond 52 bits", product.high);
        self.sum(product).word()
    }
    #[track_caller]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        self.sum(factor(a).times(factor(b)).shifted_down(52)).word()
    }
    fn equal(self, _: Self) -> Mask8 {
        Mask8(0)
    }
    #[track_caller]
    fn less(self, other: Self) -> Mask8 {
        let _ = (self.unsigned(), other.unsigned());
        Mask8(0)
    }
    fn negative(self) -> Mask8 {
        Mask8(0)
    }
    fn select(_: Mask8, if_set: Self, if_clear: Self) -> Self {
        if_set.hull(if_clear).word()
    }
    fn lookup32([lower, upper]: &Table32, _: Self) -> Self {
        let integers = lower.iter().zip(upper).map(|(low, high)| Self::exact(u64::from(*high) << 32 | u64::from(*low)));
        integers.reduce(Self::hull).expect("there are entries")
    }
    fn permute(self, _: Self) -> Self {
        self
    }
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        core::array::from_fn(|column| <Self as Word>::from_lanes(rows.map(|row| row[column])))
    }
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}
