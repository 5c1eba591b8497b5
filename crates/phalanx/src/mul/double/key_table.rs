//! Builds the tables of eight points side by side.

use super::key_table_sums::ENTRIES;
use crate::{
    lanes::{
        memory::{AffineX8, FeX8, JacobianX8, Machine, Scratch, U256x8},
        to_affine,
    },
    mul::digits::{KEY_TABLE_WIDTH as WIDTH, KEY_TABLE_WINDOWS as WINDOWS},
    mul::odd_multiples::{odd_multiples, per_group},
    tables::LookupWindow,
};
use alloc::{sync::Arc, vec};
use core::{array, iter};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    word::{LANES, Mask, Op, Word},
};

/// A point's table: entry `j` of window `i` is `(2 j + 1) 64^i P`. Limbs need not be canonical.
pub(crate) type KeyTable = Arc<[LookupWindow]>;

/// The memory that a table takes.
pub(crate) const KEY_TABLE_BYTES: usize = WINDOWS * size_of::<LookupWindow>();

/// The tables of the eight points that are the lanes of `point`.
pub(crate) fn build_key_tables<M: Machine>(machine: M, point: &AffineX8, scratch: &mut Scratch) -> [KeyTable; LANES] {
    let mut powers = vec![JacobianX8::ZERO; WINDOWS];
    machine.run(Powers { point, powers: &mut powers });
    let mut coordinates = vec![[U256x8::ZERO; 2]; WINDOWS];
    // No 64^i P is infinity, because the order of P is an odd prime.
    let zero_denominator = to_affine(machine, &powers, &mut coordinates, scratch);
    debug_assert!(!zero_denominator.any());
    let mut bases = vec![AffineX8::ZERO; WINDOWS];
    machine.run(Limbs { coordinates: &coordinates, points: &mut bases });
    let zero_denominator = odd_multiples(machine, &bases, ENTRIES, scratch);
    debug_assert!(!zero_denominator.any());
    let mut tables: [KeyTable; LANES] =
        array::from_fn(|_| iter::repeat_n(LookupWindow([[0; ENTRIES]; 10]), WINDOWS).collect());
    let spread = tables.each_mut().map(|table| Arc::get_mut(table).expect("nobody else has it yet"));
    machine.run(Spread { multiples: &scratch.multiples, tables: spread });
    tables
}

/// Computes `powers[i] = 64^i P`.
struct Powers<'a> {
    point: &'a AffineX8,
    powers: &'a mut [JacobianX8],
}

impl Op for Powers<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let mut point: Jacobian<FeX8<W>> = self.point.load().to_jacobian();
        for (i, power) in self.powers.iter_mut().enumerate() {
            if i > 0 {
                for _ in 0..WIDTH {
                    point = point.double();
                }
            }
            power.store(point);
        }
    }
}

/// Makes points from canonical coordinates.
struct Limbs<'a> {
    coordinates: &'a [[U256x8; 2]],
    points: &'a mut [AffineX8],
}

impl Op for Limbs<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for ([x, y], point) in self.coordinates.iter().zip(self.points) {
            let x: FeX8<W> = FeX8::from_words(x.load());
            point.store(Affine { x, y: FeX8::from_words(y.load()) });
        }
    }
}

/// Writes the multiples of eight points to the tables of the eight.
struct Spread<'a> {
    multiples: &'a [AffineX8],
    tables: [&'a mut [LookupWindow]; LANES],
}

impl Op for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(mut self) {
        for window in 0..WINDOWS {
            let multiples = &self.multiples[per_group(ENTRIES) * window..][..ENTRIES];
            for (block, eight) in multiples.as_chunks::<LANES>().0.iter().enumerate() {
                for limb in 0..10 {
                    self.limbs::<W>(window, block, limb, eight);
                }
            }
        }
    }
}

impl Spread<'_> {
    /// Writes one limb of eight entries of a window to each table. Limbs 0 to 4 are those of x, limbs 5 to 9 those of
    /// y.
    #[inline(always)]
    fn limbs<W: Word>(&mut self, window: usize, block: usize, limb: usize, eight: &[AffineX8; LANES]) {
        let [a, b, c, d, e, f, g, h] = eight;
        let rows = [a.limb(limb), b.limb(limb), c.limb(limb), d.limb(limb)];
        let others = [e.limb(limb), f.limb(limb), g.limb(limb), h.limb(limb)];
        let ([a, b, c, d], [e, f, g, h]) = (rows, others);
        let lanes = W::transpose([a, b, c, d, e, f, g, h]);
        for (table, entries) in self.tables.iter_mut().zip(lanes) {
            table[window].0[limb].as_chunks_mut::<LANES>().0[block] = entries.to_lanes();
        }
    }
}
