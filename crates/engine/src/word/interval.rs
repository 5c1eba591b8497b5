//! Limbs that are ranges: the proof by running.
//!
//! An [`Interval`] stands for every integer from `low` to `high` at once. Each operation computes the range of its results
//! from the ranges of its operands and asserts that the exact result fits its machine width, so a kernel that runs to its
//! end on intervals cannot overflow for any input in the given ranges. Branch-free code visits every operation in one run.
//!
//! What it cannot see: correlations (x - x is not known to be zero), so a bound that rests on one needs a written proof.

use super::{LANES, Limb, Mask8, Op, Word, mask::Mask1};

/// All integers from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least value.
    pub low: u128,
    /// The greatest value.
    pub high: u128,
}

impl Interval {
    /// The range from `low` to `high`.
    pub fn new(low: u128, high: u128) -> Self {
        assert!(low <= high, "an interval from {low} to {high} is empty");
        Self { low, high }
    }

    /// The range from 0 to `high`.
    pub fn up_to(high: u64) -> Self {
        Self::new(0, high.into())
    }

    fn exact(value: u64) -> Self {
        Self::new(value.into(), value.into())
    }

    /// The same range, asserted to fit 64 bits.
    #[track_caller]
    fn fit64(self) -> Self {
        assert!(self.high >> 64 == 0, "a limb reaches {:#x}, beyond 64 bits", self.high);
        self
    }

    #[track_caller]
    fn sum(self, other: Self) -> Self {
        let high = self.high.checked_add(other.high);
        Self::new(self.low + other.low, high.expect("a sum goes beyond 128 bits"))
    }

    #[track_caller]
    fn times(self, other: Self) -> Self {
        let high = self.high.checked_mul(other.high);
        Self::new(self.low * other.low, high.expect("a product goes beyond 128 bits"))
    }

    #[track_caller]
    fn difference(self, other: Self) -> Self {
        assert!(self.low >= other.high, "{:#x} less {:#x} may go below zero", self.low, other.high);
        Self::new(self.low - other.high, self.high - other.low)
    }

    fn low_bits(self, bits: u32) -> Self {
        let ones = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        if self.high <= ones { self } else { Self::new(0, ones) }
    }

    fn shifted_down(self, bits: u32) -> Self {
        Self::new(self.low >> bits, self.high >> bits)
    }

    fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }
}

impl Limb for Interval {
    type Wide = Interval;

    fn literal(value: u64) -> Self {
        Self::exact(value)
    }
    #[track_caller]
    fn add(self, other: Self) -> Self {
        self.sum(other).fit64()
    }
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.difference(other)
    }
    #[track_caller]
    fn scale(self, factor: u64) -> Self {
        self.times(Self::exact(factor)).fit64()
    }
    fn low(self, bits: u32) -> Self {
        self.low_bits(bits)
    }
    fn shr(self, bits: u32) -> Self {
        self.shifted_down(bits)
    }
    #[track_caller]
    fn shl(self, bits: u32) -> Self {
        self.times(Self::exact(1 << bits)).fit64()
    }
    fn select(_: Mask1, if_set: Self, if_clear: Self) -> Self {
        if_set.hull(if_clear)
    }
    fn is_zero(self) -> Mask1 {
        // Either may hold; both selections are visited by `select`.
        Mask1::from_bit(0)
    }
    fn value(self) -> u64 {
        self.high as u64
    }
    #[track_caller]
    fn product(self, other: Self) -> Self {
        self.fit64().times(other.fit64())
    }
    fn wide(self) -> Self {
        self
    }
    #[track_caller]
    fn wide_add(a: Self, b: Self) -> Self {
        a.sum(b)
    }
    #[track_caller]
    fn wide_double(a: Self) -> Self {
        a.times(Self::exact(2))
    }
    fn wide_low(a: Self, bits: u32) -> Self {
        a.low_bits(bits)
    }
    fn wide_shr(a: Self, bits: u32) -> Self {
        a.shifted_down(bits)
    }
    #[track_caller]
    fn wide_narrow(a: Self) -> Self {
        a.fit64()
    }
}

/// The operands of a 52-bit multiplication must lie below 2^52: the machine would silently drop what is above, and a kernel
/// that relies on the dropping says so by [`Word::truncated`].
#[track_caller]
fn factor(a: Interval) -> Interval {
    assert!(a.high >> 52 == 0, "a factor reaches {:#x}, beyond 52 bits", a.high);
    a
}

impl Word for Interval {
    const NAME: &'static str = "interval";

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
        self.sum(other).fit64()
    }
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.difference(other)
    }
    fn and(self, other: Self) -> Self {
        if other.low == other.high && (other.high + 1).is_power_of_two() {
            return self.low_bits((other.high + 1).ilog2());
        }
        Self::new(0, self.high.min(other.high))
    }
    fn or(self, other: Self) -> Self {
        Self::new(
            self.low.max(other.low),
            (self.high | other.high).checked_next_power_of_two().map_or(u128::MAX, |p| 2 * p - 1),
        )
        .fit64()
    }
    fn xor(self, other: Self) -> Self {
        Self::new(0, Word::or(self, other).high)
    }
    #[track_caller]
    fn shl<const BITS: u32>(self) -> Self {
        self.times(Self::exact(1 << BITS)).fit64()
    }
    fn shr<const BITS: u32>(self) -> Self {
        self.shifted_down(BITS)
    }
    #[track_caller]
    fn sar<const BITS: u32>(self) -> Self {
        assert!(self.high >> 63 == 0, "an interval holds no negative numbers");
        self.shifted_down(BITS)
    }
    fn shr_lanes(self, bits: Self) -> Self {
        Self::new(self.low >> bits.high, self.high >> bits.low)
    }
    #[track_caller]
    fn shl_lanes(self, bits: Self) -> Self {
        Self::new(self.low << bits.low, self.high << bits.high).fit64()
    }
    fn truncated(self) -> Self {
        self.low_bits(52)
    }
    #[track_caller]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        self.sum(factor(a).times(factor(b)).low_bits(52)).fit64()
    }
    #[track_caller]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        self.sum(factor(a).times(factor(b)).shifted_down(52)).fit64()
    }
    fn equal(self, _: Self) -> Mask8 {
        Mask8(0)
    }
    fn less(self, _: Self) -> Mask8 {
        Mask8(0)
    }
    fn select(_: Mask8, if_set: Self, if_clear: Self) -> Self {
        if_set.hull(if_clear)
    }
    fn lookup16(table: &[u64; 16], _: Self) -> Self {
        table.map(Self::exact).into_iter().reduce(Self::hull).expect("there are sixteen entries")
    }
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        core::array::from_fn(|column| <Self as Word>::from_lanes(rows.map(|row| row[column])))
    }
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}
