//! Builds the tables of eight points side by side.

use super::key_table_sums::ENTRIES;
use crate::{
    lanes::{
        memory::{AffineLanes, AffineX8, CacheLine, FeX8, JacobianX8, LaneWords, Machine, Numbers, U256x8},
        to_affine,
    },
    mul::digits::{KEY_TABLE_WIDTH as WIDTH, KEY_TABLE_WINDOWS as WINDOWS},
    mul::odd_multiples::{odd_multiples, per_group},
    tables::LookupWindow,
};
use alloc::{sync::Arc, vec, vec::Vec};
use core::{array, iter};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::FieldX8,
    word::{LANES, Mask, Op, Word},
};

/// A point's table: entry `j` of window `i` is `(2 j + 1) 64^i P`, in the words of the machine that built it. Numbers need
/// not be canonical.
pub(crate) type KeyTable = Arc<[LookupWindow]>;

/// The memory that a table takes.
pub(crate) const KEY_TABLE_BYTES: usize = WINDOWS * size_of::<LookupWindow>();

/// The tables of the eight points that are the lanes of `point`.
pub(crate) fn build_key_tables<M: Machine>(
    machine: M,
    point: &AffineLanes,
    memory: &mut [CacheLine],
) -> [KeyTable; LANES] {
    let mut powers = vec![JacobianX8::ZERO; WINDOWS];
    machine.run(Powers { point, powers: &mut powers });
    let mut coordinates = vec![[U256x8::ZERO; 2]; WINDOWS];
    // No 64^i P is infinity, because the order of P is an odd prime.
    let zero_denominator = to_affine(machine, &powers, &mut coordinates, memory);
    debug_assert!(!zero_denominator.any());
    let bases: Vec<_> = coordinates.iter().map(|[x, y]| AffineLanes::of_rows(*x, *y)).collect();
    let (multiples, zero_denominator) = odd_multiples(machine, &bases, ENTRIES, &mut Numbers::new(memory));
    debug_assert!(!zero_denominator.any());
    let mut tables: [KeyTable; LANES] =
        array::from_fn(|_| iter::repeat_n(LookupWindow([[[0; ENTRIES]; 2]; 10]), WINDOWS).collect());
    let spread = tables.each_mut().map(|table| Arc::get_mut(table).expect("nobody else has it yet"));
    machine.run(Spread { multiples, tables: spread });
    tables
}

/// Computes `powers[i] = 64^i P`.
struct Powers<'a> {
    point: &'a AffineLanes,
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
                // Words of x, then of y, of each of eight multiples.
                let mut words = [[LaneWords::ZERO; LANES]; 10];
                for (at, multiple) in eight.iter().enumerate() {
                    let Affine { x, y }: Affine<FeX8<W>> = multiple.load();
                    for (lines, word) in words.iter_mut().zip(x.to_memory().into_iter().chain(y.to_memory())) {
                        lines[at].store(word);
                    }
                }
                for (at, [a, b, c, d, e, f, g, h]) in words.iter().enumerate() {
                    let lanes = W::transpose([&a.0, &b.0, &c.0, &d.0, &e.0, &f.0, &g.0, &h.0]);
                    for (table, entries) in self.tables.iter_mut().zip(lanes) {
                        let [lower, upper] =
                            table[window].0[at].each_mut().map(|half| &mut half.as_chunks_mut::<LANES>().0[block]);
                        let entries = entries.to_lanes();
                        (*lower, *upper) =
                            (entries.map(|entry| entry as u32), entries.map(|entry| (entry >> 32) as u32));
                    }
                }
            }
        }
    }
}
