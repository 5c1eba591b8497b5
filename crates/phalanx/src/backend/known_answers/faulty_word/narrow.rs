//! Sixteen halves of which one operation lies.

use super::{LANE, lie};
use phalanx_engine::word::{EmulatedNarrow, NARROW_LANES, Narrow};

#[derive(Clone, Copy, Debug)]
pub(super) struct FaultyNarrow(EmulatedNarrow);

impl FaultyNarrow {
    fn told(operation: &'static str, truth: EmulatedNarrow) -> Self {
        let mut lanes = truth.to_lanes();
        lanes[LANE] ^= lie(operation) as u32;
        Self(EmulatedNarrow::from_lanes(lanes))
    }
}

impl Narrow for FaultyNarrow {
    fn splat(value: u32) -> Self {
        Self::told("Narrow splat", EmulatedNarrow::splat(value))
    }
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        Self::told("Narrow from_lanes", EmulatedNarrow::from_lanes(lanes))
    }
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        Self::told("Narrow to_lanes", self.0).0.to_lanes()
    }
    fn add(self, other: Self) -> Self {
        Self::told("Narrow add", self.0.add(other.0))
    }
    fn shr<const BITS: u32>(self) -> Self {
        Self::told("Narrow shr", self.0.shr::<BITS>())
    }
    fn rotate_right<const BITS: i32>(self) -> Self {
        Self::told("Narrow rotate_right", self.0.rotate_right::<BITS>())
    }
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        Self::told("Narrow xor3", EmulatedNarrow::xor3(a.0, b.0, c.0))
    }
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        Self::told("Narrow choose", self.0.choose(if_set.0, if_clear.0))
    }
    fn majority(a: Self, b: Self, c: Self) -> Self {
        Self::told("Narrow majority", EmulatedNarrow::majority(a.0, b.0, c.0))
    }
}
