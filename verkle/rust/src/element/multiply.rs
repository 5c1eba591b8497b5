//! Multiples of an element.

use super::{
    Element,
    edwards::{Addend, Extended},
};
use crate::{Scalar, field::Fe};
use phalanx_engine::{
    recode::{signed_windows, wnaf_words_vartime},
    word::Mask1,
};
use zeroize::Zeroizing;

/// Bits of a window of the constant-time multiplication.
const WINDOW: u32 = 4;
/// Its windows.
pub(crate) const WINDOWS: usize = 256 / WINDOW as usize;
/// The width of the non-adjacent form of the variable-time multiplication.
const WIDTH: u32 = 5;

/// The multiples of an element from 1 to 8, for constant-time choice.
pub(crate) struct Multiples([Addend<Fe>; 1 << (WINDOW - 1)]);

impl Multiples {
    pub(crate) fn of(element: &Element) -> Multiples {
        let first = element.0.to_addend();
        let mut multiples = [first; 1 << (WINDOW - 1)];
        let mut multiple = element.0;
        for place in &mut multiples[1..] {
            multiple = multiple.add(&first);
            *place = multiple.to_addend();
        }
        Multiples(multiples)
    }

    /// The multiple by a digit from -8 to 8. Every entry is read, whatever the digit.
    fn get(&self, digit: i16) -> Addend<Fe> {
        let negative = (digit as u16 >> 15) as u64;
        let magnitude = u64::from(digit.unsigned_abs());
        let mut chosen = Addend::identity();
        for (i, entry) in self.0.iter().enumerate() {
            chosen = Addend::select(Mask1::is_zero_below_2_63(magnitude ^ (i as u64 + 1)), entry, &chosen);
        }
        Addend::select(Mask1::from_bit(negative), &chosen.negate(), &chosen)
    }
}

/// The signed digits of a scalar, from the lowest up. They are wiped when they are dropped.
pub(crate) fn digits(scalar: &Scalar) -> Zeroizing<[i16; WINDOWS]> {
    let mut digits = Zeroizing::new([0; WINDOWS]);
    signed_windows(&scalar.limbs(), WINDOW, &mut *digits);
    digits
}

/// The sum of the products of the elements behind `multiples` by the scalars behind `digits`: Straus' method with
/// windows of a fixed width. Constant time for a given number of terms.
pub(crate) fn sum_of_products(multiples: &[Multiples], digits: &[Zeroizing<[i16; WINDOWS]>]) -> Element {
    assert_eq!(multiples.len(), digits.len(), "digits per element");
    let mut sum = Extended::identity();
    for window in (0..WINDOWS).rev() {
        for _ in 0..WINDOW {
            sum = sum.double();
        }
        for (multiples, digits) in multiples.iter().zip(digits) {
            sum = sum.add(&multiples.get(digits[window]));
        }
    }
    Element(sum)
}

impl Element {
    /// The element times a scalar. Constant time.
    #[must_use]
    pub fn mul(&self, scalar: &Scalar) -> Element {
        sum_of_products(&[Multiples::of(self)], &[digits(scalar)])
    }

    /// The element times a scalar, by the scalar's non-adjacent form. Variable time.
    #[must_use]
    pub fn mul_vartime(&self, scalar: &Scalar) -> Element {
        let twice = self.0.double().to_addend();
        let mut odd = [self.0.to_addend(); 1 << (WIDTH - 2)];
        let mut multiple = self.0;
        for place in &mut odd[1..] {
            multiple = multiple.add(&twice);
            *place = multiple.to_addend();
        }
        let mut digits = [0i16; 257];
        wnaf_words_vartime(&scalar.limbs(), WIDTH, |at, digit| digits[at] = digit);
        let top = digits.iter().rposition(|digit| *digit != 0).map_or(0, |top| top + 1);
        let mut sum = Extended::identity();
        for digit in digits[..top].iter().rev() {
            sum = sum.double();
            if *digit != 0 {
                let entry = odd[usize::from(digit.unsigned_abs() / 2)];
                sum = sum.add(&if *digit < 0 { entry.negate() } else { entry });
            }
        }
        Element(sum)
    }
}
