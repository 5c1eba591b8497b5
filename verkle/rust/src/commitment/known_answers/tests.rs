//! What the known answers show: that they are right, and that an adder that lies does not know them.

use super::*;
use phalanx_engine::{
    affine_add::{ArenaProducts, Products},
    arena::Arena,
    word::{CacheLine, Emulation, PointPair},
};
use std::{println, time::Instant};

type Honest = OneLane<Bandersnatch>;

/// A kind of round.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Round {
    Apart,
    InPlace,
    Onto,
}

/// One lane, whose first sum of each round of a kind is wrong.
#[derive(Clone, Copy)]
struct Lying(Option<Round>);

impl AffineAdder for Lying {
    type Curve = Bandersnatch;
    type Machine = Emulation;
    type Kept = <Honest as AffineAdder>::Kept;
    type Work = <Honest as AffineAdder>::Work;

    const LANES: usize = Honest::LANES;

    fn machine(&self) -> Emulation {
        Emulation
    }
    fn add(
        &self,
        rows: &[CacheLine],
        pairs: &[PointPair],
        sums: &mut [CacheLine],
        doublings: bool,
        work: &mut impl Products<Self::Kept>,
    ) {
        Honest::new().add(rows, pairs, sums, doublings, work);
        if let (Some(Round::Apart), [[first, _], ..]) = (self.0, pairs) {
            sums[0] = rows[first.index()];
        }
    }
    fn add_in_place(&self, rows: &mut [CacheLine], pairs: &[PointPair], work: &mut impl Products<Self::Kept>) {
        Honest::new().add_in_place(rows, pairs, work);
        if let (Some(Round::InPlace), [[first, second], ..]) = (self.0, pairs) {
            rows[first.index()] = rows[second.index()];
        }
    }
    fn add_onto(
        &self,
        sums: &mut [CacheLine],
        table: &[CacheLine],
        pairs: &[PointPair],
        work: &mut impl Products<Self::Kept>,
    ) {
        Honest::new().add_onto(sums, table, pairs, work);
        if let (Some(Round::Onto), [[first, second], ..]) = (self.0, pairs) {
            sums[first.index()] = table[second.index()];
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
    assert!(commits_as_one_lane(Lying(None)));
    for round in [Round::Apart, Round::InPlace, Round::Onto] {
        assert!(!commits_as_one_lane(Lying(Some(round))), "{round:?}");
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
