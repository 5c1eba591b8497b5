//! Many equations between points, checked by one sum.
//!
//! An equation says that `g G + sum of s_i P_i` is infinity. Each is multiplied by a random number, and all are added.
//! If one does not hold, their sum is infinity with probability 2^-128. The numbers come from fresh randomness and from
//! the hash of all that is public of the equations, so that nobody knows them who chose the equations.

use crate::wipe::cleared;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx::{Bulk, Point, PublicKey, Scalar, SecretKey, hash::Sha256, msm::Msm};
use zeroize::Zeroizing;

/// Equations, each with any number of terms. Time does not depend on the numbers g.
pub(crate) struct Equations {
    /// Whether the numbers g are secret. Then the random numbers, on which time depends, do not come from them.
    secret: bool,
    generators: Zeroizing<Vec<Scalar>>,
    scalars: Vec<Scalar>,
    points: Vec<PublicKey>,
    /// The end of each equation's terms.
    ends: Vec<usize>,
}

impl Equations {
    /// Room for so many equations of so many terms, so that no secret is left in memory that was too small.
    pub(crate) fn with_room(equations: usize, terms: usize) -> Self {
        Equations {
            secret: false,
            generators: Zeroizing::new(Vec::with_capacity(equations)),
            scalars: Vec::with_capacity(equations * terms),
            points: Vec::with_capacity(equations * terms),
            ends: Vec::with_capacity(equations),
        }
    }

    /// As [`Equations::with_room`], for secret numbers g.
    pub(crate) fn of_secrets(equations: usize, terms: usize) -> Self {
        Equations { secret: true, ..Self::with_room(equations, terms) }
    }

    /// Adds the equation that `generator G + sum of scalar point` is infinity.
    pub(crate) fn push(&mut self, generator: Scalar, terms: impl IntoIterator<Item = (Scalar, PublicKey)>) {
        assert!(self.generators.len() < self.generators.capacity(), "a list of secrets is full");
        self.generators.push(generator);
        terms.into_iter().for_each(|(scalar, point)| {
            self.scalars.push(scalar);
            self.points.push(point);
        });
        self.ends.push(self.points.len());
    }

    /// The places of the equations that do not hold, in order.
    ///
    /// One sum of all terms if all hold. Otherwise halves are summed until each culprit stands alone. That takes at most
    /// as many sums of all terms as the number of equations has bits.
    pub(crate) fn culprits(mut self, bulk: &Bulk) -> Vec<usize> {
        cleared(|| self.scale());
        let msm = Msm::with(bulk);
        let (all, mut found) = (0..self.ends.len(), Vec::new());
        let mut open = Vec::from([(self.sum(&msm, all.clone()), all)]);
        while let Some((sum, range)) = open.pop() {
            if bool::from(sum.is_identity()) {
                continue;
            }
            if range.len() == 1 {
                found.push(range.start);
                continue;
            }
            let middle = range.start + range.len() / 2;
            let first = self.sum(&msm, range.start..middle);
            open.push((sum - first, middle..range.end));
            open.push((first, range.start..middle));
        }
        found
    }

    /// Multiplies each equation by its random number.
    fn scale(&mut self) {
        let coefficients = Coefficients::new(self);
        for place in 0..self.ends.len() {
            let coefficient = coefficients.get(place);
            let terms = self.terms(place..place + 1);
            self.generators[place] *= coefficient;
            self.scalars[terms].iter_mut().for_each(|scalar| *scalar *= coefficient);
        }
    }

    fn terms(&self, equations: Range<usize>) -> Range<usize> {
        let end = |count: usize| if count == 0 { 0 } else { self.ends[count - 1] };
        end(equations.start)..end(equations.end)
    }

    /// What the left sides of some equations add up to.
    fn sum(&self, msm: &Msm, equations: Range<usize>) -> Point {
        let terms = self.terms(equations.clone());
        let sum = msm.sum_of_products(&self.scalars[terms.clone()], &self.points[terms]).expect("equal lengths");
        let generators = self.generators[equations].iter().fold(Scalar::ZERO, |sum, generator| sum + generator);
        sum + public_multiple(generators)
    }
}

/// The multiple of the generator, which may be known. Constant time in the scalar, except that it tells zero.
pub(crate) fn public_multiple(scalar: Scalar) -> Point {
    let secret = cleared(|| SecretKey::try_from(*Zeroizing::new(scalar)));
    secret.map_or(Point::IDENTITY, |secret| secret.public_key().into())
}

/// Random numbers a + b lambda, with a and b of 64 bits each. The halves into which a sum splits a scalar are then a and
/// b themselves, and short. No two pairs give the same number.
struct Coefficients([u8; 32]);

impl Coefficients {
    fn new(equations: &Equations) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(&*Zeroizing::new(SecretKey::random().to_bytes()));
        equations.ends.iter().for_each(|end| hasher.update(&(*end as u64).to_be_bytes()));
        equations.points.iter().for_each(|point| hasher.update(&point.to_bytes()));
        let generators = if equations.secret { &[][..] } else { &equations.generators };
        equations.scalars.iter().chain(generators).for_each(|scalar| hasher.update(&scalar.to_bytes()));
        Coefficients(hasher.finish())
    }

    fn get(&self, place: usize) -> Scalar {
        let mut hasher = Sha256::new();
        hasher.update(&self.0);
        hasher.update(&(place as u64).to_be_bytes());
        let hash = hasher.finish();
        let [a, b, ..] = hash.as_chunks::<8>().0 else { unreachable!("a hash has four words") };
        let number = |bytes: &[u8; 8]| Scalar::from(u64::from_be_bytes(*bytes));
        // Zero stands for one, which so comes up no more often than twice in 2^128.
        let coefficient = number(a) + number(b) * Point::LAMBDA;
        if coefficient == Scalar::ZERO { Scalar::ONE } else { coefficient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Equations x G - (x G) = 0 with one and two terms, of which those at some places are wrong.
    fn equations(count: usize, wrong: &[usize]) -> Equations {
        let mut equations = Equations::with_room(count, 2);
        for place in 0..count {
            let x = Scalar::from(place as u64 + 1);
            let point = |x| PublicKey::try_from(Point::mul_generator(&x)).unwrap();
            let generator = if wrong.contains(&place) { x + Scalar::ONE } else { x };
            match place % 3 {
                0 => equations.push(generator, [(-Scalar::ONE, point(x))]),
                1 => equations.push(generator, [(-x, point(Scalar::ONE))]),
                _ => equations
                    .push(generator, [(-Scalar::ONE, point(x - Scalar::ONE)), (-Scalar::ONE, point(Scalar::ONE))]),
            }
        }
        equations
    }

    #[test]
    fn every_culprit_is_found_and_nobody_else() {
        let bulk = Bulk::builder().threads(1).build().unwrap();
        for count in [0, 1, 2, 3, 17, 100] {
            let last = count - usize::from(count > 0);
            for wrong in [vec![], vec![0], vec![last], vec![count / 2, last], (0..count).collect(), vec![0, 1, 2, 3, 4]]
            {
                let mut wrong: Vec<usize> = wrong.into_iter().filter(|place| *place < count).collect();
                wrong.sort_unstable();
                wrong.dedup();
                assert_eq!(equations(count, &wrong).culprits(&bulk), wrong, "of {count}");
            }
        }
    }

    #[test]
    fn errors_that_cancel_are_found() {
        let bulk = Bulk::new();
        let mut equations = Equations::with_room(2, 1);
        let one = PublicKey::try_from(Point::GENERATOR).unwrap();
        equations.push(Scalar::ONE + Scalar::ONE, [(-Scalar::ONE, one)]);
        equations.push(Scalar::ZERO, [(-Scalar::ONE, one)]);
        assert_eq!(equations.culprits(&bulk), [0, 1]);
    }
}
