//! Eight doubles of which one operation lies, by the lowest bit that the number uses: as if it were rounded wrongly, or
//! one unit too large or too small.

use super::{FaultyWord, LANE, lies};
use phalanx_engine::word::{
    Emulated, Mask8, Word,
    doubles::{Double, Doubles, Lanewise, Split, Step, power_of_two},
    proof::EmulatedDoubles,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct FaultyDoubles<const IN_DOUBLES: bool>(EmulatedDoubles);

impl<const IN_DOUBLES: bool> FaultyDoubles<IN_DOUBLES> {
    fn told(operation: &'static str, truth: EmulatedDoubles) -> Self {
        let mut bits = truth.to_bits().to_lanes();
        if lies(operation) {
            // Of a power of two, and of zero, the exponent's.
            bits[LANE] ^= 1 << bits[LANE].trailing_zeros().min(52);
        }
        Self(EmulatedDoubles::from_bits(Emulated::from_lanes(bits)))
    }

    /// What one of these operations gives: its rounded result, and the two parts.
    fn told_step([high, coarse, fine]: [&'static str; 3], truth: Step<EmulatedDoubles>) -> Step<Self> {
        let Step { high: sum, coarse: most, fine: rest } = truth;
        Step { high: Self::told(high, sum), coarse: Self::told(coarse, most), fine: Self::told(fine, rest) }
    }

    /// The same of an operation that splits at a grid. A carry of zero becomes one gap of the grid: less is lost in sums.
    fn told_split([carry, rest]: [&'static str; 2], truth: Split<EmulatedDoubles>, grid: i32) -> Split<Self> {
        let mut bits = truth.carry.to_bits().to_lanes();
        let carry = if bits[LANE] << 1 != 0 {
            Self::told(carry, truth.carry)
        } else {
            bits[LANE] = if lies(carry) { power_of_two(grid).to_bits() } else { bits[LANE] };
            Self(EmulatedDoubles::from_bits(Emulated::from_lanes(bits)))
        };
        Split { carry, rest: Self::told(rest, truth.rest) }
    }
}

impl<const IN_DOUBLES: bool> Double for FaultyDoubles<IN_DOUBLES> {
    fn splat(value: f64) -> Self {
        Self::told("Double splat", EmulatedDoubles::splat(value))
    }
    fn add(self, other: Self) -> Self {
        Self::told("Double add", self.0.add(other.0))
    }
    fn sub(self, other: Self) -> Self {
        Self::told("Double sub", self.0.sub(other.0))
    }
    fn times(self, factor: f64) -> Self {
        Self::told("Double times", self.0.times(factor))
    }
    fn add_product(self, a: Self, b: Self) -> Self {
        Self::told("Double add_product", self.0.add_product(a.0, b.0))
    }
    fn negate(self) -> Self {
        Self::told("Double negate", self.0.negate())
    }
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        let parts = ["Double plus_product: high", "Double plus_product: coarse", "Double plus_product: fine"];
        Self::told_step(parts, self.0.plus_product(a.0, b.0))
    }
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        let parts = ["Double minus_product: high", "Double minus_product: coarse", "Double minus_product: fine"];
        Self::told_step(parts, self.0.minus_product(a.0, b.0))
    }
    fn plus(self, small: Self) -> Step<Self> {
        Self::told_step(["Double plus: high", "Double plus: coarse", "Double plus: fine"], self.0.plus(small.0))
    }
    fn split(self, grid: i32) -> Split<Self> {
        Self::told_split(["Double split: carry", "Double split: rest"], self.0.split(grid), grid)
    }
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        let parts = ["Double split_multiple: carry", "Double split_multiple: rest"];
        Self::told_split(parts, self.0.split_multiple(factor, grid), grid)
    }
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        Self::told_split(["Double fold: carry", "Double fold: rest"], self.0.fold(x.0, factor, grid), grid)
    }
}

impl<const IN_DOUBLES: bool> Doubles for FaultyDoubles<IN_DOUBLES> {
    const NAME: &'static str = "lying";

    type Word = FaultyWord<IN_DOUBLES>;

    fn to_bits(self) -> FaultyWord<IN_DOUBLES> {
        FaultyWord::told("Doubles to_bits", self.0.to_bits())
    }
    fn from_bits(bits: FaultyWord<IN_DOUBLES>) -> Self {
        Self::told("Doubles from_bits", EmulatedDoubles::from_bits(bits.0))
    }
    fn to_integers(self, grid: i32) -> FaultyWord<IN_DOUBLES> {
        FaultyWord::told("Doubles to_integers", self.0.to_integers(grid))
    }
    fn from_integers(integers: FaultyWord<IN_DOUBLES>, bias: u64, grid: i32) -> Self {
        Self::told("Doubles from_integers", EmulatedDoubles::from_integers(integers.0, bias, grid))
    }
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::told("Doubles select", EmulatedDoubles::select(mask, if_set.0, if_clear.0))
    }
    fn negate_where(self, mask: Mask8) -> Self {
        Self::told("Doubles negate_where", self.0.negate_where(mask))
    }
    #[inline(never)]
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        *a = L::run(*a, *b, *c);
    }
}
