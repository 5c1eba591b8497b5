//! Lagrange coefficients: by what a value at one place is the sum of values at others.

use crate::Identifier;
use alloc::vec::Vec;
use phalanx::Scalar;

/// For distinct participants x_i: the numbers l_i with f(at) = sum of l_i f(x_i), for every polynomial f of lower degree
/// than there are participants. `None` stands for zero. Variable time.
///
/// A participant who stands at `at` has coefficient 1, and then all others have 0.
pub(crate) fn coefficients(participants: &[Identifier], at: Option<&Identifier>) -> Vec<Scalar> {
    let at = at.map_or(Scalar::ZERO, Identifier::scalar);
    // With y_i = x_i - at it is f(at) = sum of f(x_i) times the product of y_j / (y_j - y_i).
    let places: Vec<Scalar> = participants.iter().map(|participant| participant.scalar() - at).collect();
    if let Some(hit) = places.iter().position(|place| *place == Scalar::ZERO) {
        return (0..places.len()).map(|i| Scalar::from(u64::from(i == hit))).collect();
    }
    let all = places.iter().fold(Scalar::ONE, |product, place| product * place);
    let mut found: Vec<Scalar> =
        differences(&places).into_iter().zip(&places).map(|(product, place)| product * place).collect();
    Scalar::batch_invert(&mut found);
    found.iter_mut().for_each(|inverse| *inverse *= all);
    found
}

/// For each place its product of `(other - place)` over all others. Places that fit a word are multiplied as words, for
/// as long as the products do: the usual case of small numbers, several times as fast. Variable time.
pub(crate) fn differences(places: &[Scalar]) -> Vec<Scalar> {
    let words: Option<Vec<u64>> = places.iter().map(word).collect();
    let others = |i| (0..places.len()).filter(move |j| *j != i);
    match words {
        Some(words) => (0..words.len())
            .map(|i| {
                let (mut product, mut waiting, mut odd) = (Scalar::ONE, 1u64, false);
                for j in others(i) {
                    let difference = words[j].abs_diff(words[i]);
                    odd ^= words[j] < words[i];
                    waiting = waiting.checked_mul(difference).unwrap_or_else(|| {
                        product *= Scalar::from(waiting);
                        difference
                    });
                }
                product *= Scalar::from(waiting);
                if odd { -product } else { product }
            })
            .collect(),
        None => (0..places.len())
            .map(|i| others(i).fold(Scalar::ONE, |product, j| product * (places[j] - places[i])))
            .collect(),
    }
}

/// The number, if it fits a word.
fn word(place: &Scalar) -> Option<u64> {
    match place.limbs() {
        [word, 0, 0, 0] => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// f(x) = 5 + 3 x + 2 x^2 + 7 x^3 at any place.
    fn value(at: Scalar) -> Scalar {
        [7u64, 2, 3, 5].iter().fold(Scalar::ZERO, |sum, coefficient| sum * at + Scalar::from(*coefficient))
    }

    #[test]
    fn polynomials_are_interpolated_at_any_place() {
        let number = |number| Identifier::new(number).unwrap();
        let large = Identifier::from_bytes(&[0x5a; 32]).unwrap();
        let sets = [
            [number(1), number(2), number(3), number(4)],
            [number(9), number(2), number(u64::MAX), number(u64::MAX - 3)],
            [number(7), large, number(1), number(1 << 40)],
        ];
        for participants in sets {
            for at in [None, Some(number(5)), Some(large), Some(participants[2])] {
                let sum = coefficients(&participants, at.as_ref())
                    .iter()
                    .zip(&participants)
                    .fold(Scalar::ZERO, |sum, (coefficient, participant)| {
                        sum + *coefficient * value(participant.scalar())
                    });
                assert_eq!(sum, value(at.map_or(Scalar::ZERO, |at| at.scalar())), "{participants:?} at {at:?}");
            }
        }
    }

    #[test]
    fn words_and_scalars_give_the_same_products() {
        let places: Vec<Scalar> = (1..70u64).map(|i| Scalar::from(i * i * 65_521)).collect();
        let shift = Scalar::from_bytes_reduced(&[0x77; 32]);
        let shifted: Vec<Scalar> = places.iter().map(|place| *place + shift).collect();
        assert_eq!(differences(&places), differences(&shifted));
    }
}
