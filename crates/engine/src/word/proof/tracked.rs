//! Emulated lanes that carry the range of every value that could stand in their place: magnitudes checked while code
//! runs.
//!
//! [`Interval`] proves a formula alone. A [`Tracked`] word follows the formulas as they are put together: beside the
//! values of [`Emulated`] it has the range that all inputs of the same magnitudes would have, and it fails where that
//! range leaves a bound, though the values at hand do not. What is written to memory is checked against the bound that
//! is taken for granted when it is read ([`Word::expect_at_most`], [`Word::proved_at_most`]).

use super::interval::Interval;
use crate::word::{Emulated, EmulatedNarrow, Kernel, LANES, Machine, Mask8, Op, Table32, Word};

/// Eight emulated lanes, and a range that holds whatever each of them could be.
#[derive(Clone, Copy, Debug)]
pub struct Tracked {
    values: Emulated,
    range: Interval,
}

impl Tracked {
    fn new(values: Emulated, range: Interval) -> Self {
        Self { values, range }
    }

    /// One operation on values and ranges.
    #[inline(always)]
    #[track_caller]
    fn both(self, values: impl FnOnce(Emulated) -> Emulated, range: impl FnOnce(Interval) -> Interval) -> Self {
        Self::new(values(self.values), range(self.range))
    }
}

/// The machine of [`Tracked`] words.
#[derive(Clone, Copy, Debug)]
pub struct Tracking;

impl Machine for Tracking {
    fn run<O: Op>(self, op: O) -> O::Output {
        Tracked::root(op)
    }
}

impl Word for Tracked {
    const NAME: &'static str = "tracked";

    type Narrow = EmulatedNarrow;
    type Doubles = crate::word::doubles::NoDoubles<Self>;

    fn splat(value: u64) -> Self {
        Self::new(Emulated::splat(value), <Interval as Word>::splat(value))
    }
    /// Of what comes from memory nothing is known but that it fits a word, until its reader says more.
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        let range = Interval::up_to(u64::MAX);
        Self::new(Emulated::from_lanes(lanes), range)
    }
    fn to_lanes(self) -> [u64; LANES] {
        self.values.to_lanes()
    }
    #[track_caller]
    fn add(self, other: Self) -> Self {
        self.both(|a| a.add(other.values), |a| Word::add(a, other.range))
    }
    fn wrapping_add(self, other: Self) -> Self {
        self.both(|a| a.wrapping_add(other.values), |a| Word::wrapping_add(a, other.range))
    }
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.both(|a| a.sub(other.values), |a| Word::sub(a, other.range))
    }
    #[track_caller]
    fn and(self, other: Self) -> Self {
        self.both(|a| a.and(other.values), |a| a.and(other.range))
    }
    #[track_caller]
    fn or(self, other: Self) -> Self {
        self.both(|a| a.or(other.values), |a| a.or(other.range))
    }
    #[track_caller]
    fn xor(self, other: Self) -> Self {
        self.both(|a| a.xor(other.values), |a| a.xor(other.range))
    }
    #[track_caller]
    fn shl<const BITS: u32>(self) -> Self {
        self.both(|a| a.shl::<BITS>(), Word::shl::<BITS>)
    }
    #[track_caller]
    fn mul_pow2<const BITS: u32>(self) -> Self {
        self.both(|a| a.mul_pow2::<BITS>(), |a| a.mul_pow2::<BITS>())
    }
    #[track_caller]
    fn shr<const BITS: u32>(self) -> Self {
        self.both(|a| a.shr::<BITS>(), Word::shr::<BITS>)
    }
    #[track_caller]
    fn sar<const BITS: u32>(self) -> Self {
        self.both(|a| a.sar::<BITS>(), |a| a.sar::<BITS>())
    }
    fn rotate_right<const BITS: u32>(self) -> Self {
        self.both(|a| a.rotate_right::<BITS>(), |a| a.rotate_right::<BITS>())
    }
    #[track_caller]
    fn shr_lanes(self, bits: Self) -> Self {
        self.both(|a| a.shr_lanes(bits.values), |a| a.shr_lanes(bits.range))
    }
    #[track_caller]
    fn shl_lanes(self, bits: Self) -> Self {
        self.both(|a| a.shl_lanes(bits.values), |a| a.shl_lanes(bits.range))
    }
    fn low52_intended(self) -> Self {
        self.both(Emulated::low52_intended, Interval::low52_intended)
    }
    #[track_caller]
    fn proved_at_most(self, largest: u64) -> Self {
        self.both(|a| a.proved_at_most(largest), |a| a.proved_at_most(largest))
    }
    #[track_caller]
    fn expect_at_most(self, largest: u64) -> Self {
        self.both(|a| a.expect_at_most(largest), |a| a.expect_at_most(largest))
    }
    #[track_caller]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        self.both(|sum| sum.madd_lo(a.values, b.values), |sum| sum.madd_lo(a.range, b.range))
    }
    #[track_caller]
    fn madd(self, a: Self, b: Self) -> Self {
        self.both(|sum| sum.madd(a.values, b.values), |sum| sum.madd(a.range, b.range))
    }
    #[track_caller]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        self.both(|sum| sum.madd_hi(a.values, b.values), |sum| sum.madd_hi(a.range, b.range))
    }
    fn equal(self, other: Self) -> Mask8 {
        self.values.equal(other.values)
    }
    #[track_caller]
    fn less(self, other: Self) -> Mask8 {
        let _ = self.range.less(other.range);
        self.values.less(other.values)
    }
    fn negative(self) -> Mask8 {
        self.values.negative()
    }
    #[track_caller]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let range = <Interval as Word>::select(mask, if_set.range, if_clear.range);
        Self::new(Emulated::select(mask, if_set.values, if_clear.values), range)
    }
    fn lookup32(table: &Table32, index: Self) -> Self {
        Self::new(Emulated::lookup32(table, index.values), Interval::up_to(u64::MAX))
    }
    fn permute(self, index: Self) -> Self {
        Self::new(self.values.permute(index.values), self.range)
    }
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        Emulated::transpose(rows).map(|values| Self::new(values, Interval::up_to(u64::MAX)))
    }
    #[inline(never)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[inline(never)]
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept_beside_values() {
        let word = Tracked::from_lanes([1; LANES]).proved_at_most(3);
        let sum = word.add(word).add(Tracked::splat(1));
        assert_eq!(sum.to_lanes(), [3; LANES]);
        assert_eq!((sum.range.low, sum.range.high), (1, 7));
        assert_eq!(sum.expect_at_most(7).to_lanes(), [3; LANES]);
    }

    #[test]
    #[should_panic(expected = "may reach 0x7")]
    fn a_range_beyond_its_bound_fails_where_the_value_does_not() {
        let word = Tracked::from_lanes([1; LANES]).proved_at_most(3);
        let _ = word.add(word).add(Tracked::splat(1)).expect_at_most(6);
    }

    #[test]
    #[should_panic(expected = "beyond 52 bits")]
    fn a_factor_that_might_be_too_large_fails() {
        let word = Tracked::from_lanes([1; LANES]).proved_at_most(1 << 52);
        let _ = Tracked::splat(0).madd_lo(word, word);
    }
}
