//! A curve with a basis, and what computes on it.

use phalanx::msm::{FixedBase, Msm};
use phalanx::{Backend, Point, Scalar as OrderN};
use phalanx_banderwagon::{Basis, Commit, Element, Lanes, Obvious, Scalar as OrderR, Tables, Term};
use phalanx_engine::fixed_base::Configuration;
use std::convert::Infallible;

use crate::exit::RunError;

/// Numbers that look random, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Random {
        Random(0)
    }

    /// The generator splitmix64; Steele, Lea and Flood, OOPSLA 2014.
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below the order. The order's highest word is not zero.
    pub(super) fn below(&mut self, order: &[u64; 4]) -> [u64; 4] {
        loop {
            let mut number = [0; 4].map(|_: u64| self.word());
            number[3] &= u64::MAX >> order[3].leading_zeros();
            if number.iter().rev().lt(order.iter().rev()) {
                return number;
            }
        }
    }
}

/// A curve and a basis, and the library that sums over it.
pub(super) trait Ground {
    /// A number modulo the group's order, and the position of its point.
    type Term;
    /// A point.
    type Sum: PartialEq;
    /// Tables over the basis.
    type Tables;

    /// The order.
    const ORDER: [u64; 4];

    fn term(position: usize, limbs: [u64; 4]) -> Self::Term;

    fn build(&self, configuration: Configuration) -> Result<Self::Tables, RunError>;

    /// The bytes of a file of the tables.
    fn save(&self, tables: &Self::Tables) -> Vec<u8>;

    /// Tables of such a file, which is checked.
    fn read(&self, configuration: Configuration, file: &[u8]) -> Result<Self::Tables, RunError>;

    /// What sums points times scalars by the tables.
    fn summer<'a>(&'a self, tables: &'a Self::Tables) -> impl FnMut(&[Self::Term]) -> Self::Sum + 'a;

    /// The same, product by product.
    fn sum_without_tables(&self, terms: &[Self::Term]) -> Self::Sum;
}

/// All pieces that `save` hands out.
fn collected(save: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Infallible>) -> Result<(), Infallible>) -> Vec<u8> {
    let mut file = Vec::new();
    let Ok(()) = save(&mut |piece: &[u8]| {
        file.extend_from_slice(piece);
        Ok(())
    });
    file
}

/// The Verkle basis and, for a longer one, what its seed gives behind it.
pub(super) struct Banderwagon {
    lanes: Lanes,
    basis: Basis,
}

impl Banderwagon {
    pub(super) fn new(backend: Backend, points: usize) -> Result<Banderwagon, RunError> {
        let missing = || RunError::new(format!("{backend} does not sum over a fixed basis on this CPU"));
        let lanes = Lanes::named(backend.name()).ok_or_else(missing)?;
        Ok(Banderwagon { lanes, basis: Basis::draw(Basis::VERKLE_SEED, points) })
    }
}

impl Ground for Banderwagon {
    type Term = Term;
    type Sum = Element;
    type Tables = Tables;

    const ORDER: [u64; 4] = OrderR::ORDER;

    fn term(position: usize, limbs: [u64; 4]) -> Term {
        Term { position, scalar: OrderR::from_limbs_reduced(limbs) }
    }

    fn build(&self, configuration: Configuration) -> Result<Tables, RunError> {
        self.lanes.build(self.basis.clone(), configuration).map_err(RunError::of)
    }

    fn save(&self, tables: &Tables) -> Vec<u8> {
        collected(|sink| tables.save(sink))
    }

    fn read(&self, configuration: Configuration, file: &[u8]) -> Result<Tables, RunError> {
        Tables::read(self.basis.clone(), configuration, file).map_err(RunError::of)
    }

    fn summer<'a>(&'a self, tables: &'a Tables) -> impl FnMut(&[Term]) -> Element + 'a {
        let mut committer = self.lanes.committer(tables);
        move |terms| committer.commit_sparse_vartime(terms)
    }

    fn sum_without_tables(&self, terms: &[Term]) -> Element {
        Obvious(&self.basis).commit_sparse_vartime(terms)
    }
}

/// Random multiples of the generator.
pub(super) struct Secp256k1 {
    msm: Msm,
    points: Vec<Point>,
}

impl Secp256k1 {
    pub(super) fn new(backend: Backend, points: usize, random: &mut Random) -> Result<Secp256k1, RunError> {
        let msm = Msm::builder().backend(backend).build().map_err(RunError::of)?;
        let mut multiple = || Point::mul_generator_vartime(&OrderN::from_limbs_reduced(random.below(&Self::ORDER)));
        Ok(Secp256k1 { msm, points: (0..points).map(|_| multiple()).collect() })
    }
}

impl Ground for Secp256k1 {
    type Term = (usize, OrderN);
    type Sum = Point;
    type Tables = FixedBase;

    const ORDER: [u64; 4] = OrderN::ORDER;

    fn term(position: usize, limbs: [u64; 4]) -> (usize, OrderN) {
        (position, OrderN::from_limbs_reduced(limbs))
    }

    fn build(&self, configuration: Configuration) -> Result<FixedBase, RunError> {
        configuration.check().map_err(RunError::of)?;
        FixedBase::build_configured(&self.msm, &self.points, configuration).map_err(RunError::of)
    }

    fn save(&self, tables: &FixedBase) -> Vec<u8> {
        collected(|sink| tables.save(sink))
    }

    fn read(&self, configuration: Configuration, file: &[u8]) -> Result<FixedBase, RunError> {
        FixedBase::read_configured(&self.msm, &self.points, configuration, file).map_err(RunError::of)
    }

    fn summer<'a>(&'a self, tables: &'a FixedBase) -> impl FnMut(&[(usize, OrderN)]) -> Point + 'a {
        let mut sums = tables.sums();
        move |terms| sums.sum_sparse_vartime(terms).expect("positions are of points")
    }

    fn sum_without_tables(&self, terms: &[(usize, OrderN)]) -> Point {
        terms.iter().map(|(position, scalar)| self.points[*position].mul_vartime(scalar)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_below_the_order() {
        let mut random = Random::new();
        let order = [3, 0, 0, 1];
        let numbers: Vec<_> = (0..1000).map(|_| random.below(&[u64::MAX, 0, 0, 5])).collect();
        assert!(numbers.iter().all(|number| number[3] <= 5) && numbers.iter().any(|number| number[3] == 4));
        assert!((0..100).all(|_| random.below(&order)[3] == 0));
    }
}
