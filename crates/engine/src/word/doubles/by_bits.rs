//! Operations of [`Doubles`] by the bits of doubles.

use super::{Doubles, power_of_two, rounder};
use crate::word::Word;

/// [`Doubles::to_integers`] by bits: added to [`rounder`], a number changes the lower bits of the sum by just itself.
#[inline(always)]
pub(in crate::word) fn to_integers<D: Doubles<Word: Word>>(number: D, grid: i32) -> D::Word {
    let zero = rounder(grid);
    number.add(D::splat(zero)).to_bits().sub(D::Word::splat(zero.to_bits()))
}

/// [`Doubles::from_integers`] by bits: an integer below 2^52 is the mantissa of the double that is 2^52 larger, on the
/// same grid.
#[inline(always)]
pub(in crate::word) fn from_integers<D: Doubles<Word: Word>>(integers: D::Word, bias: u64, grid: i32) -> D {
    let zero = power_of_two(52 + grid);
    let biased = D::from_bits(integers.or(D::Word::splat(zero.to_bits())));
    biased.sub(D::splat(zero + bias as f64 * power_of_two(grid)))
}

/// The operations of [`Doubles`] that follow from its bits.
macro_rules! by_bits {
    ($inline:ident) => {
        #[inline($inline)]
        fn to_integers(self, grid: i32) -> Self::Word {
            $crate::word::doubles::by_bits::to_integers(self, grid)
        }
        #[inline($inline)]
        fn from_integers(integers: Self::Word, bias: u64, grid: i32) -> Self {
            $crate::word::doubles::by_bits::from_integers(integers, bias, grid)
        }
        #[inline($inline)]
        fn select(mask: $crate::mask::Mask8, if_set: Self, if_clear: Self) -> Self {
            Self::from_bits($crate::word::Word::select(mask, if_set.to_bits(), if_clear.to_bits()))
        }
        #[inline($inline)]
        fn negate_where(self, mask: $crate::mask::Mask8) -> Self {
            let (sign, none) = ($crate::word::Word::splat((-0.0f64).to_bits()), $crate::word::Word::splat(0));
            Self::from_bits($crate::word::Word::xor(self.to_bits(), $crate::word::Word::select(mask, sign, none)))
        }
    };
}
pub(in crate::word) use by_bits;
