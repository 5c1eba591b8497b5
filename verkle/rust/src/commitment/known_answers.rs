//! The known-answer test by which a vector unit proves itself for this crate, once a process: it must commit as one lane
//! does.
//!
//! Two elements get tables of two kinds, by rounds of additions in lanes. Some vectors are committed to by them together,
//! and one alone. A unit that gives another answer is not taken: a fault of a CPU, of a hypervisor or of a compiler then
//! costs speed, and no commitment. In a build without optimisation no unit is taken.

use super::{Commit, Committer, Tables, Term, TermLists};
use crate::{Bandersnatch, Basis, Element, Scalar};
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{Configuration, Rule, Scheme, TableSpec},
    word::{OPTIMISED, VectorUnit},
};

/// Vectors that are committed to together: those of two groups of lanes.
const VECTORS: usize = 16;

/// Whether the unit knows the answers, found out the first time. A panic on the way is a wrong answer too, where the
/// program does not end by it.
#[cfg(feature = "std")]
pub(super) fn is_right(unit: VectorUnit) -> bool {
    use std::{panic::catch_unwind, sync::OnceLock};
    if !OPTIMISED {
        return false;
    }
    static ANSWERS: [OnceLock<bool>; VectorUnit::NAMES.len()] = [const { OnceLock::new() }; VectorUnit::NAMES.len()];
    let known = VectorUnit::NAMES.iter().zip(&ANSWERS).find(|(name, _)| **name == unit.name());
    let (_, answer) = known.expect("every unit has one of these names");
    *answer.get_or_init(|| catch_unwind(|| commits_as_one_lane(EightLanes::new(unit))).unwrap_or(false))
}

/// Whether the unit knows the answers. Without the standard library nothing is remembered.
#[cfg(not(feature = "std"))]
pub(super) fn is_right(unit: VectorUnit) -> bool {
    OPTIMISED && commits_as_one_lane(EightLanes::new(unit))
}

fn commits_as_one_lane<A: AffineAdder<Curve = Bandersnatch> + Copy>(adder: A) -> bool {
    let expected = commitments(OneLane::new());
    expected.is_some() && commitments(adder) == expected
}

/// Commitments to vectors of public constants, if there are tables.
fn commitments<A: AffineAdder<Curve = Bandersnatch> + Copy>(adder: A) -> Option<[Element; VECTORS + 1]> {
    let element = Element::generator();
    let spec = |scheme, places| TableSpec { scheme, places };
    let configuration = Configuration {
        points: 2,
        order: Scalar::ORDER,
        tables: [
            spec(Scheme::SignedWindows { b: 4 }, 0..1),
            // So many columns that the lanes share those of a vector that is alone.
            spec(Scheme::SignedComb { t: 64, b: 4, group: 1 }, 1..2),
        ]
        .into(),
        rules: [Rule { nonzero: 2, tables: [0, 1].into() }].into(),
    };
    let tables = Tables::build(&adder, Basis::new([element, element.double()].into()), configuration).ok()?;
    let mut committer = Committer::new(adder, &tables);
    let long = Scalar::from_le_bytes_reduced(&[0xa7; 32]);
    let terms = |number: usize| {
        let scalar = long * Scalar::from(number as u64 + 2);
        [Term { position: 0, scalar }, Term { position: 1, scalar: -scalar * scalar }]
    };
    let mut lists = TermLists::new();
    (0..VECTORS).for_each(|number| lists.push(terms(number)));
    let mut sums = [Element::identity(); VECTORS + 1];
    committer.commit_many_vartime(&lists, &mut sums[..VECTORS]);
    sums[VECTORS] = committer.commit_sparse_vartime(&terms(VECTORS));
    Some(sums)
}

#[cfg(test)]
mod tests;
