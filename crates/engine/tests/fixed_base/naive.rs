//! Bases of known multiples of the generator, and sums by one number.

use crate::groups::{Group, multiple, multiples, row};
use crate::reference::{Point, from_words, to_words};
use crate::samples::Random;
use num_bigint::BigUint;
use phalanx_engine::word::CacheLine;
use std::collections::HashMap;
use std::marker::PhantomData;

/// A basis, and the numbers that its points are multiples by.
pub(crate) struct Basis<C> {
    pub(crate) numbers: Vec<BigUint>,
    pub(crate) rows: Vec<CacheLine>,
    known: std::cell::RefCell<HashMap<BigUint, Point>>,
    curve: PhantomData<C>,
}

impl<C: Group> Basis<C> {
    /// So many points: the first is the generator; then the same, its negative, infinity, twice the generator, and
    /// others, of which some are equal.
    pub(crate) fn special(count: usize) -> Self {
        let (order, mut random) = (C::order(), Random::new(count as u64));
        let number = |place| match place {
            0 | 1 => 1u8.into(),
            2 => &order - 1u8,
            3 => BigUint::ZERO,
            4 => BigUint::from(2u8) % &order,
            6 => BigUint::from(5u8) % &order,
            _ => random.number() % &order,
        };
        Self::new((0..count).map(number).collect())
    }

    /// So many points, of which no few have a small relation.
    pub(crate) fn ordinary(count: usize) -> Self {
        let mut random = Random::new(count as u64 + 1_000);
        Self::new((0..count).map(|_| (random.number() % C::order()).max(1u8.into())).collect())
    }

    fn new(numbers: Vec<BigUint>) -> Self {
        let tiny = C::order() < BigUint::from(1_000u32);
        let all = if tiny { multiples::<C>(usize::try_from(C::order()).expect("a tiny group")) } else { Vec::new() };
        let known = all.into_iter().enumerate().map(|(number, point)| (BigUint::from(number), point)).collect();
        let basis = Basis { numbers, rows: Vec::new(), known: std::cell::RefCell::new(known), curve: PhantomData };
        let rows = basis.numbers.iter().map(|number| row::<C>(&basis.multiple(number))).collect();
        Basis { rows, ..basis }
    }

    fn multiple(&self, number: &BigUint) -> Point {
        let number = number % C::order();
        self.known.borrow_mut().entry(number.clone()).or_insert_with(|| multiple::<C>(&number)).clone()
    }

    /// The sum of these scalars times the points at these places.
    pub(crate) fn sum(&self, terms: &[(usize, [u64; 4])]) -> Point {
        self.multiple(&terms.iter().map(|(place, scalar)| from_words(scalar) * &self.numbers[*place]).sum())
    }
}

/// The words of the order.
pub(crate) fn order<C: Group>() -> [u64; 4] {
    to_words(&C::order())
}

/// Vectors over so many points: empty, of zeros, of single scalars, of edge scalars, sparse and full.
pub(crate) fn vectors<C: Group>(points: usize) -> Vec<Vec<(usize, [u64; 4])>> {
    let (order, mut random) = (C::order(), Random::new(91));
    let top = (BigUint::from(1u8) << 256u32) - 1u8;
    let edges = [BigUint::ZERO, 1u8.into(), &order - 1u8, order.clone(), &order + 1u8, 2u8.into(), top, &order / 2u8];
    let edges = edges.map(|number| to_words(&number));
    let mut vectors = vec![Vec::new()];
    vectors.push((0..points).map(|place| (place, [0; 4])).collect());
    vectors.extend(edges.iter().enumerate().map(|(i, edge)| vec![(i % points, *edge)]));
    vectors.extend((0..4).map(|turn| (0..points).map(|place| (place, edges[(place + turn) % 8])).collect()));
    // The same scalar everywhere meets equal and opposite points at once.
    let same = to_words(&(random.number() % &order));
    vectors.push((0..points).map(|place| (place, same)).collect());
    vectors.push((0..points.min(3)).map(|place| (place, same)).collect());
    vectors.push((0..points).step_by(2).map(|place| (place, [random.word() >> 50, 0, 0, 0])).collect());
    for step in [1, 1, 2, 3] {
        vectors.push((0..points).step_by(step).map(|place| (place, to_words(&random.number()))).collect());
    }
    vectors
}
