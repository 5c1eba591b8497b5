//! What the known answers show: that they are right, and that an adder that lies does not know them.

use super::*;
use phalanx_engine::{
    affine_add::{AnyRows, ArenaProducts},
    arena::Arena,
    word::{CacheLine, Emulation, PointPair},
};
use std::{println, time::Instant};

type Honest = OneLane<Bandersnatch>;

/// A kind of round.
type Kind = fn(&AnyRows<'_>) -> bool;
const KINDS: [Kind; 3] = [
    |rows| matches!(rows, AnyRows::Apart(_)),
    |rows| matches!(rows, AnyRows::InPlace(_)),
    |rows| matches!(rows, AnyRows::Onto(_)),
];

/// One lane, whose first sum of each round of a kind is wrong.
#[derive(Clone, Copy)]
struct Lying(Kind);

impl AffineAdder for Lying {
    type Curve = Bandersnatch;
    type Machine = Emulation;
    type Kept = <Honest as AffineAdder>::Kept;

    const LANES: usize = Honest::LANES;

    fn machine(&self) -> Emulation {
        Emulation
    }
    fn round(
        &self,
        mut rows: AnyRows<'_>,
        pairs: &[PointPair],
        doublings: bool,
        work: &mut ArenaProducts<'_, Self::Kept>,
    ) {
        Honest::new().round(rows.reborrowed(), pairs, doublings, work);
        let Some([first, second]) = pairs.first().filter(|_| (self.0)(&rows)) else { return };
        match rows {
            AnyRows::Apart(rows) => rows.sums[0] = rows.points[first.index()],
            AnyRows::InPlace(rows) => rows.0[first.index()] = rows.0[second.index()],
            AnyRows::Onto(rows) => rows.sums[first.index()] = rows.table[second.index()],
        }
    }
    fn arena_products<'m, 'env: 'm>(pairs: usize, arena: &mut Arena<'m, 'env>) -> ArenaProducts<'m, Self::Kept> {
        Honest::arena_products(pairs, arena)
    }
    fn images(&self, _: &[CacheLine], _: &mut [CacheLine]) {
        unreachable!("the curve has no endomorphism");
    }
}

#[test]
fn every_unit_knows_the_answers() {
    for unit in VectorUnit::NAMES.into_iter().filter_map(VectorUnit::detect) {
        let begin = Instant::now();
        assert!(is_right(unit), "{}", unit.name());
        println!("the known answers took {} us on {}", begin.elapsed().as_micros(), unit.name());
    }
}

#[test]
fn an_adder_that_lies_does_not() {
    assert!(commits_as_one_lane(Lying(|_| false)));
    for (number, kind) in KINDS.into_iter().enumerate() {
        assert!(!commits_as_one_lane(Lying(kind)), "kind {number}");
    }
}

#[test]
fn the_answers_are_those_of_single_products() {
    let [first, .., alone] = commitments(OneLane::new()).expect("there are tables");
    let (element, long) = (Element::generator(), Scalar::from_le_bytes_reduced(&[0xa7; 32]));
    let expected = |factor: u64| {
        let scalar = long * Scalar::from(factor);
        element.mul(&scalar) + element.double().mul(&(-scalar * scalar))
    };
    assert_eq!([first, alone], [expected(2), expected(VECTORS as u64 + 2)]);
}
