//! Secret multiples of the generator. Constant time.

use super::{Size, place};
use crate::{
    PublicKey, Scalar,
    lanes::{Machine, Scratch, U256x8},
    mul::{GeneratorDigits, mul_generator_rows_ct, scratch_of_generator_ct},
};
use phalanx_engine::{
    arena::{List, Lists, lines_for},
    word::LANES,
};

/// What [`generator_points`] of a given number of scalars takes.
pub(in crate::bulk) fn size_of_generator_points(scalars: usize) -> Size {
    let groups = scalars.div_ceil(LANES);
    let lists = lines_for::<GeneratorDigits>(groups) + lines_for::<[U256x8; 2]>(groups);
    Size { lists, scratch: scratch_of_generator_ct(groups) }
}

/// The multiples of the generator by scalars that are not zero, a group of eight after another.
pub(in crate::bulk) fn generator_points<'a, 's, M: Machine>(
    machine: M,
    scalars: impl ExactSizeIterator<Item = &'s Scalar>,
    lists: &mut Lists<'a, '_>,
    scratch: &mut Scratch<'_>,
) -> List<'a, [U256x8; 2]> {
    let groups = scalars.len().div_ceil(LANES);
    let mut digits = lists.filled(groups, GeneratorDigits::of_one());
    for (i, scalar) in scalars.enumerate() {
        let (group, lane) = place(i);
        digits[group].set(lane, scalar);
    }
    let mut points = lists.filled(groups, [U256x8::ZERO; 2]);
    mul_generator_rows_ct(machine, &digits, &mut points, scratch);
    points
}

/// The point of a row.
pub(in crate::bulk) fn point(points: &[[U256x8; 2]], row: usize) -> PublicKey {
    let (group, lane) = place(row);
    let [x, y] = &points[group];
    PublicKey::from_canonical(x.get(lane), y.get(lane))
}
