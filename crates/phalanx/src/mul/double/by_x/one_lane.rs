//! The equations of rows on one lane, which share an inversion.

use crate::{
    FieldElement, Scalar,
    arithmetic::batch_invert,
    group::{Affine, Fe, Jacobian, Secp256k1},
    mul::Combine,
};
use phalanx_engine::{
    arena::{Arena, List},
    curve::{AskedOfY, ImageByX, SumEquation},
    field::Field,
    word::{Mask, Mask1},
};

/// The terms of a sum a P + b G, of a key P of which x alone is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermsByX {
    /// The image of a P.
    product: Jacobian,
    /// x^3 + 7.
    d: Fe,
    /// Whether y of the key is odd.
    odd: bool,
    /// b G, none for infinity.
    multiple: Option<Affine>,
}

/// An equation, and what is asked of the y that it yields.
type AskedEquation = (SumEquation<Fe>, AskedOfY<Fe>);

impl TermsByX {
    /// Of the key with this x, below p, and a y of this parity, if there is one. Variable time.
    pub(crate) fn new(x: [u64; 4], odd: bool, a: &Scalar, multiple: Option<Affine>) -> Self {
        let ImageByX { point, d } = ImageByX::new::<Secp256k1>(Fe::from_words(x));
        TermsByX { product: Secp256k1::mul_vartime(a, &point), d, odd, multiple }
    }

    /// a P + b G, given the key's y. Variable time.
    pub(crate) fn sum(&self, y: Fe) -> Jacobian {
        // The map from the image divides X by y^2 and Y by y^3.
        let product = Jacobian { z: self.product.z.mul(y), ..self.product };
        self.multiple.map_or(product, |multiple| product.add_mixed_vartime::<Secp256k1>(multiple))
    }

    /// The equation that x of the sum is this number.
    fn equation(&self, x: [u64; 4], even: bool) -> Option<AskedEquation> {
        let TermsByX { product, d, odd, multiple } = *self;
        let (other, r) = (multiple?, Fe::from_words(x));
        let odd = Mask1::from_bit(odd.into());
        let asked = AskedOfY { product_y: product.y, d, odd, other, r, even };
        Some((SumEquation::new(product, d, other, r), asked))
    }
}

/// Tells for each row whether x of its sum is proved to be the number beside its terms, and y to be even where that is
/// asked. Variable time.
pub(crate) fn prove_by_x<'a>(rows: &[(TermsByX, [u64; 4])], even: bool, arena: &mut Arena<'a, '_>) -> List<'a, bool> {
    let equations = arena.collect(rows.iter().map(|(terms, x)| terms.equation(*x, even)));
    let denominator = |(equation, _): &AskedEquation| FieldElement::from_fe(equation.denominator());
    let denominators = equations.iter().map(|equation| equation.as_ref().map_or(FieldElement::ZERO, denominator));
    let mut inverses = arena.collect(denominators);
    batch_invert(&mut inverses);
    // The inverse of zero is zero.
    let holds = |(equation, inverse): (&Option<AskedEquation>, &FieldElement)| {
        let says_nothing = bool::from(inverse.is_zero());
        equation.is_some_and(|(equation, asked)| !says_nothing && equation.holds(&asked, inverse.to_fe()).any())
    };
    arena.collect(equations.iter().zip(inverses.iter()).map(holds))
}
