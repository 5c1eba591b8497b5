//! Public keys plus multiples of the generator, of public values. Variable time.

use super::{place, point};
use crate::{
    PublicKey, Scalar,
    lanes::{AffineLanes, Machine, U256x8},
    mul::{Digits, PointsPlusMultiples, points_plus_multiples},
};
use phalanx_engine::{
    arena::{Arena, List},
    word::{LANES, Mask, Mask8},
};

/// The keys P + t G of a chunk of rows: 2 G where a row is not set.
pub(in crate::bulk) struct TweakedKeys<'a> {
    points: List<'a, AffineLanes>,
    tweaks: List<'a, Scalar>,
    digits: List<'a, Digits>,
    coordinates: List<'a, [U256x8; 2]>,
    exceptional: List<'a, Mask8>,
}

impl<'a> TweakedKeys<'a> {
    pub(in crate::bulk) fn new(rows: usize, arena: &mut Arena<'a, '_>) -> Self {
        let groups = rows.div_ceil(LANES);
        TweakedKeys {
            points: arena.filled(groups, AffineLanes::generator()),
            tweaks: arena.filled(rows, Scalar::ONE),
            digits: arena.filled(groups, Digits::ZERO),
            coordinates: arena.filled(groups, [U256x8::ZERO; 2]),
            exceptional: arena.filled(groups, Mask8::NONE),
        }
    }

    pub(in crate::bulk) fn set(&mut self, row: usize, key: &PublicKey, tweak: &Scalar) {
        let (group, lane) = place(row);
        self.points[group].set(lane, &key.affine());
        self.digits[group].set_generator(lane, tweak);
        self.tweaks[row] = *tweak;
    }

    /// Computes the sums.
    pub(in crate::bulk) fn compute<M: Machine>(&mut self, machine: M, arena: &mut Arena<'a, '_>) {
        let TweakedKeys { points, digits, coordinates, exceptional, .. } = self;
        points_plus_multiples(machine, PointsPlusMultiples { points, digits, coordinates, exceptional }, arena.spare());
    }

    /// The sum of a row, unless it is infinity. What the lanes left out is computed here.
    pub(in crate::bulk) fn get(&self, row: usize) -> Option<PublicKey> {
        let (group, lane) = place(row);
        if !self.exceptional[group].lane(lane) {
            return Some(point(&self.coordinates, row));
        }
        let key = PublicKey::from_affine(self.points[group].get(lane));
        key.tweak_add_scalar_vartime(&self.tweaks[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bulk::memory::with_arena,
        lanes::tests::{digit, from_digits, key, on_machines, scalar, with_memory},
    };
    use alloc::vec::Vec;

    /// The t for which the two partial sums of t G are equal: n's own digits, those of the odd windows turned round.
    fn equal_partial_sums() -> Scalar {
        let half = (-Scalar::from(2u64).inverse()).limbs();
        let of_order = |window| digit(|at| half[at / 64] >> (at % 64) & 1 == 1, 256, 8, window);
        let sum = |odd| from_digits(8, (0..32).map(|at| if at % 2 == odd { of_order(at) } else { 0 }));
        assert_eq!(sum(0) + sum(1), Scalar::ZERO);
        sum(0).double()
    }

    /// d and t of keys d G + t G. Asserts that each sum is right, and returns the exceptional lanes.
    fn check<M: Machine>(machine: M, rows: &[[Scalar; 2]]) -> Vec<Mask8> {
        with_memory(|memory| {
            with_arena(memory, |arena| {
                let mut keys = TweakedKeys::new(rows.len(), arena);
                rows.iter().enumerate().for_each(|(row, [d, t])| keys.set(row, &key(*d), t));
                keys.compute(machine, arena);
                for (row, [d, t]) in rows.iter().enumerate() {
                    assert_eq!(keys.get(row), (*d + *t != Scalar::ZERO).then(|| key(*d + *t)), "{d} + {t}");
                }
                keys.exceptional.to_vec()
            })
        })
    }

    on_machines! {
        fn sums_are_right_where_points_are_equal_or_opposite(machine) {
            let ordinary = |i: u64| [scalar(16 * i + 7), scalar(3 * i + 5)];
            assert!(check(machine, &[]).is_empty());
            // More groups than share an inversion, and a tail.
            let many: Vec<_> = (0..8 * 23 - 3).map(ordinary).collect();
            assert!(!check(machine, &many).iter().any(|lanes| lanes.any()));
            let d = scalar(71);
            for tweak in [Scalar::ZERO, d, -d, equal_partial_sums(), -equal_partial_sums()] {
                for row in [0, 5, 139, 180] {
                    let mut rows = many.clone();
                    rows[row] = [d, tweak];
                    let found = check(machine, &rows);
                    assert!(found[row / LANES].lane(row % LANES), "{tweak} in row {row} is exceptional");
                }
            }
        }
    }
}
