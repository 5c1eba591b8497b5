//! Divisions that share two inversions: each number of them, in each of the ways that are compiled.

use crate::secp256k1::P256k1;
use phalanx_engine::field::{
    Fe4, Field,
    batch_inversion::{BatchInverted, backward_inverses, forward_products},
};

type Fe = Fe4<P256k1>;

/// Divides one by each denominator.
struct Divisions<const LONG: bool, const SELDOM: bool, const ODD_ALONE: bool> {
    denominators: Vec<Fe>,
    kept: Vec<Fe>,
    results: Vec<Option<Fe>>,
}

impl<const LONG: bool, const SELDOM: bool, const ODD_ALONE: bool> BatchInverted<Fe>
    for Divisions<LONG, SELDOM, ODD_ALONE>
{
    type Operands = Fe;
    type Result = Fe;

    const LONG: bool = LONG;
    const SELDOM: bool = SELDOM;
    const ODD_ALONE: bool = ODD_ALONE;

    fn count(&self) -> usize {
        self.denominators.len()
    }
    fn operands(&self, index: usize) -> Fe {
        let finished = self.results.iter().skip(index + 1).all(Option::is_some);
        let this_or_lower = self.results.iter().take(index + 1).any(Option::is_some);
        assert!(finished || !this_or_lower, "asked for {index} after it or a lower one was finished");
        self.denominators[index]
    }
    fn denominator(operands: &Fe) -> Fe {
        *operands
    }
    fn store_prefix(&mut self, index: usize, product: Fe) {
        self.kept[index] = product;
    }
    fn load_prefix(&self, index: usize) -> Fe {
        self.kept[index]
    }
    fn solve(_: &Fe, inverse: Fe) -> Fe {
        inverse
    }
    fn finish(&mut self, index: usize, inverse: Fe) {
        assert!(self.results[index].replace(inverse).is_none(), "division {index} is finished once");
    }
}

fn check<const LONG: bool, const SELDOM: bool, const ODD_ALONE: bool>() {
    for count in 0..8 {
        let denominators: Vec<Fe> = (0..count).map(|i| Fe::constant([i + 2, 7 * i, 0, i])).collect();
        let (kept, results) = (vec![Fe::zero(); denominators.len()], vec![None; denominators.len()]);
        let mut divisions = Divisions::<LONG, SELDOM, ODD_ALONE> { denominators, kept, results };
        let inverses = forward_products(&mut divisions).map(Fe::invert);
        backward_inverses(&mut divisions, inverses);
        for (denominator, inverse) in divisions.denominators.iter().zip(&divisions.results) {
            let product = denominator.mul(inverse.expect("every division is finished"));
            assert_eq!(product.normalize().to_words(), [1, 0, 0, 0], "of {count} divisions");
        }
    }
}

#[test]
fn every_number_of_divisions() {
    check::<false, false, false>();
    check::<false, false, true>();
    check::<true, false, false>();
    check::<false, true, false>();
}
