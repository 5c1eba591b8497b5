//! Doubles that are ranges on a grid: the proof by running.
//!
//! A [`DoubleInterval`] stands for every multiple of `2^grid` from `low` to `high` at once. An operation that must be
//! exact is refused unless every result of it is a double: a multiple of some 2^g of at most 2^(53 + g). An operation
//! that rounds on purpose gives what [`Double`] says of it, after its conditions are checked. So a kernel that runs to
//! its end on these computes without an error that it does not account for, whatever the input in the given ranges.
//!
//! The bounds are doubles themselves, rounded outwards where an operation on them is not exact.

use super::interval::Interval;
use crate::word::{
    Mask8,
    doubles::{Double, Doubles, Lanewise, Split, Step, power_of_two},
};

/// The grid of zero, coarser than any other.
const GRID_OF_ZERO: i32 = 900;
/// The finest grid that is looked at: far from numbers below 2^-1022, which CPUs treat apart.
const FINEST_GRID: i32 = -900;

/// All multiples of `2^grid` from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleInterval {
    /// The least value, or less.
    pub low: f64,
    /// The greatest value, or more.
    pub high: f64,
    /// Of what power of two all are multiples.
    pub grid: i32,
}

/// The exponent of the gap between the doubles from the power of two at or below a positive number up to the next one.
fn gap(number: f64) -> i32 {
    assert!(number >= f64::MIN_POSITIVE && number.is_finite(), "{number:e} is not a positive number");
    (number.to_bits() >> 52) as i32 - 1023 - 52
}

/// `a + b` or more.
fn sum_above(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    if error > 0.0 { sum.next_up() } else { sum }
}

/// `a * b` or more.
fn product_above(a: f64, b: f64) -> f64 {
    let product = a * b;
    if a.mul_add(b, -product) > 0.0 { product.next_up() } else { product }
}

impl DoubleInterval {
    /// The multiples of `2^grid` from `low` to `high`.
    #[track_caller]
    pub fn new(low: f64, high: f64, grid: i32) -> Self {
        assert!(low <= high, "an interval from {low:e} to {high:e} is empty");
        assert!((FINEST_GRID..=GRID_OF_ZERO).contains(&grid), "a grid of 2^{grid} is beyond what is looked at");
        Self { low, high, grid }
    }

    /// The multiples of `2^grid` of at most `size`.
    #[track_caller]
    pub fn within(size: f64, grid: i32) -> Self {
        Self::new(-size, size, grid)
    }

    /// Whether every value of this range lies in the other.
    pub fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high && other.grid <= self.grid
    }

    /// The largest absolute value.
    fn size(self) -> f64 {
        self.high.max(-self.low)
    }

    /// The same, of which every value must be a double.
    #[track_caller]
    fn exact(self) -> Self {
        assert!(self.grid >= FINEST_GRID, "a grid of 2^{} is beyond what is looked at", self.grid);
        let limit = power_of_two(53 + self.grid.min(GRID_OF_ZERO));
        let share = self.size() / limit;
        assert!(self.size() <= limit, "a number may take {share} times the bits of a double");
        self
    }

    fn sum(self, other: Self) -> Self {
        let grid = self.grid.min(other.grid);
        Self { low: -sum_above(-self.low, -other.low), high: sum_above(self.high, other.high), grid }
    }

    fn product(self, other: Self) -> Self {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let high = ends.map(|(a, b)| product_above(a, b)).into_iter().fold(f64::MIN, f64::max);
        let low = -ends.map(|(a, b)| product_above(-a, b)).into_iter().fold(f64::MIN, f64::max);
        Self { low, high, grid: (self.grid + other.grid).min(GRID_OF_ZERO) }
    }

    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), grid: self.grid.min(other.grid) }
    }

    /// `self + part` rounded, and the part as it is split: see [`Double::plus_product`].
    #[track_caller]
    fn step(self, part: Self) -> Step<Self> {
        let sum = self.sum(part);
        assert!(self.low > 0.0 && sum.low > 0.0, "a sum that splits may reach {:e}", sum.low);
        // From its low end on, all doubles are multiples of the gap there; and no error is more than half a gap at the
        // high end.
        let grid = gap(sum.low).min(gap(self.low)).max(sum.grid);
        let half = power_of_two(gap(sum.high) - 1);
        // A rounding may reach the next multiple of the gap outwards.
        let high = Self::new(sum.low - 2.0 * half, sum.high + 2.0 * half, grid);
        let high = Self { low: high.low.max(power_of_two(gap(sum.low) + 52)), ..high };
        let coarse = Self::new(part.low - half, part.high + half, grid.min(self.grid)).exact();
        Step { high, coarse, fine: Self::within(half, part.grid.min(coarse.grid)).exact() }
    }

    /// The nearest multiples of `2^grid` of numbers that may be off by an error, and what is left: see
    /// [`Double::split`].
    #[track_caller]
    fn parted(self, grid: i32, error: f64) -> Split<Self> {
        let away = sum_above(power_of_two(grid - 1), error);
        let reach = sum_above(self.size(), error);
        assert!(reach < power_of_two(51 + grid), "a number of {reach:e} is too much to be split at 2^{grid}");
        let carry = Self::new(-sum_above(-self.low, away), sum_above(self.high, away), grid).exact();
        Split { carry, rest: Self::within(away, self.grid.min(grid)).exact() }
    }
}

impl Double for DoubleInterval {
    fn splat(value: f64) -> Self {
        if value == 0.0 {
            return Self::new(0.0, 0.0, GRID_OF_ZERO);
        }
        let mantissa = value.to_bits() & ((1 << 52) - 1) | 1 << 52;
        Self::new(value, value, gap(value.abs()) + mantissa.trailing_zeros() as i32)
    }
    #[track_caller]
    fn add(self, other: Self) -> Self {
        self.sum(other).exact()
    }
    #[track_caller]
    fn sub(self, other: Self) -> Self {
        self.add(other.negate())
    }
    #[track_caller]
    fn times(self, factor: f64) -> Self {
        self.product(Self::splat(factor)).exact()
    }
    #[track_caller]
    fn add_product(self, a: Self, b: Self) -> Self {
        self.sum(a.product(b)).exact()
    }
    fn negate(self) -> Self {
        Self { low: -self.high, high: -self.low, ..self }
    }
    #[track_caller]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        self.step(a.product(b))
    }
    #[track_caller]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        let Step { high, coarse, fine } = self.step(a.product(b).negate());
        Step { high, coarse: coarse.negate(), fine: fine.negate() }
    }
    #[track_caller]
    fn plus(self, small: Self) -> Step<Self> {
        self.step(small.exact())
    }
    #[track_caller]
    fn split(self, grid: i32) -> Split<Self> {
        self.exact().parted(grid, 0.0)
    }
    #[track_caller]
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        self.exact().product(Self::splat(factor)).parted(grid, 0.0)
    }
    #[track_caller]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        let product = x.exact().product(Self::splat(factor));
        let sum = self.exact().sum(product);
        let split = sum.parted(grid, power_of_two(gap(sum.size()) - 1));
        // `x * factor - carry`, which is `rest - self`.
        let difference = sum_above(split.rest.size(), self.size());
        let _ = Self::within(difference, product.grid.min(grid)).exact();
        split
    }
}

impl Doubles for DoubleInterval {
    const NAME: &'static str = "intervals of doubles";

    type Word = Interval;

    /// Nothing is known of bits.
    fn to_bits(self) -> Interval {
        Interval::up_to(u64::MAX)
    }
    fn from_bits(_: Interval) -> Self {
        panic!("nothing is known of doubles of any bits")
    }
    #[track_caller]
    fn to_integers(self, grid: i32) -> Interval {
        assert!(self.grid >= grid, "a number is not on the grid of its integer");
        assert!(self.size() < power_of_two(51 + grid), "a number of {:e} is too much for its integer", self.size());
        let unit = power_of_two(grid);
        Interval::new((self.low / unit).floor() as i128, (self.high / unit).ceil() as i128)
    }
    #[track_caller]
    fn from_integers(integers: Interval, bias: u64, grid: i32) -> Self {
        assert!(integers.low >= 0 && integers.high >> 52 == 0, "an integer reaches {:#x}", integers.high);
        let double = |bound: i128| (bound - i128::from(bias)) as f64 * power_of_two(grid);
        Self::new(double(integers.low), double(integers.high), grid).exact()
    }
    fn select(_: Mask8, if_set: Self, if_clear: Self) -> Self {
        if_set.hull(if_clear)
    }
    fn negate_where(self, _: Mask8) -> Self {
        self.hull(self.negate())
    }
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        *a = L::run(*a, *b, *c);
    }
}
