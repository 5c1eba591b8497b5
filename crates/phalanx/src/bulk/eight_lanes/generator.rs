//! Secret multiples of the generator. Constant time.

use super::place;
use crate::{
    PublicKey, Scalar,
    lanes::{Machine, U256x8},
    mul::{GeneratorDigits, mul_generator_rows_ct},
};
use phalanx_engine::{
    arena::{Arena, List},
    word::LANES,
};

/// The multiples of the generator by scalars that are not zero, a group of eight after another.
pub(in crate::bulk) fn generator_points<'a, 's, M: Machine>(
    machine: M,
    scalars: impl ExactSizeIterator<Item = &'s Scalar>,
    arena: &mut Arena<'a, '_>,
) -> List<'a, [U256x8; 2]> {
    let groups = scalars.len().div_ceil(LANES);
    let mut digits = arena.filled(groups, GeneratorDigits::of_one());
    for (i, scalar) in scalars.enumerate() {
        let (group, lane) = place(i);
        digits[group].set(lane, scalar);
    }
    let mut points = arena.filled(groups, [U256x8::ZERO; 2]);
    mul_generator_rows_ct(machine, &digits, &mut points, arena.spare());
    points
}

/// The point of a row.
pub(in crate::bulk) fn point(points: &[[U256x8; 2]], row: usize) -> PublicKey {
    let (group, lane) = place(row);
    let [x, y] = &points[group];
    PublicKey::from_canonical(x.get(lane), y.get(lane))
}
