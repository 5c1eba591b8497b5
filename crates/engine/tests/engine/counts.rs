//! What each formula asks of the field.

use crate::groups::Sloped;
use crate::secp256k1::{P256k1, Secp256k1};
use phalanx_engine::curve::{Affine, AskedOfY, ImageByX, Jacobian, SumEquation};
use phalanx_engine::field::{Count, Counted, Fe4, Field};
use phalanx_engine::word::Mask;

type F = Counted<Fe4<P256k1>>;

/// The products and squares that the work asks for.
fn products<T>(work: impl FnOnce() -> T) -> (usize, usize) {
    let Count { mul, square, .. } = Counted::<F>::count(work).1;
    (mul, square)
}

#[test]
fn formulas_cost_what_they_say() {
    let affine = Affine::<F>::generator::<Secp256k1>();
    let point = affine.to_jacobian();
    assert_eq!(products(|| affine.is_on_curve::<Secp256k1>()), (1, 2));
    assert_eq!(products(|| affine.endomorphism::<Secp256k1>()), (1, 0));
    assert_eq!(products(|| affine.add_co_z(affine)), (4, 2));
    assert_eq!(products(|| affine.double_co_z_on::<Secp256k1>()), (3, 3));
    assert_eq!(products(|| affine.chord_denominator(&affine)), (0, 0));
    assert_eq!(products(|| affine.add_with(affine, F::one())), (2, 1));
    assert_eq!(products(|| affine.tangent_denominator()), (0, 0));
    assert_eq!(products(|| affine.double_with(F::one())), (2, 2));
    assert_eq!(products(|| point.to_affine_with(F::one())), (3, 1));
    assert_eq!(products(|| point.double()), (3, 4));
    assert_eq!(products(|| point.add_mixed(affine)), (8, 3));
    assert_eq!(products(|| point.add(point)), (12, 4));
    assert_eq!(products(|| point.add_mixed_complete(affine)), (7, 5));
    assert_eq!(products(|| point.add_complete(point)), (11, 6));
    assert_eq!(products(|| point.equals(point)), (6, 2));
    assert_eq!(products(|| ImageByX::new::<Secp256k1>(affine.x)), (2, 2));
    let equation = SumEquation::new(point, F::one(), affine, F::one());
    assert_eq!(products(|| SumEquation::new(point, F::one(), affine, F::one())), (9, 3));
    assert_eq!(products(|| equation.denominator()), (1, 0));
    assert_eq!(products(|| equation.y(F::one(), F::one(), F::one())), (4, 0));
    assert_eq!(products(|| equation.sum_y(F::one(), F::one(), affine, F::one(), F::one())), (4, 0));
    for (even, cost) in [(false, (4, 1)), (true, (8, 1))] {
        let (one, odd) = (F::one(), <F as Field>::Mask::ALL);
        let asked = AskedOfY { product_y: one, d: one, odd, other: affine, r: one, even };
        assert_eq!(products(|| equation.holds(&asked, one)), cost);
    }
    // A = 0 costs nothing, a small A no product of its own.
    assert_eq!(products(|| affine.double_with_on::<Secp256k1>(F::one())), (2, 2));
    assert_eq!(products(|| affine.double_with_on::<Sloped<7>>(F::one())), (3, 1));
    assert_eq!(products(|| affine.double_co_z_on::<Sloped<7>>()), (4, 2));
    assert_eq!(products(|| point.double_on::<Secp256k1>()), (3, 4));
    assert_eq!(products(|| point.double_on::<Sloped<13>>()), (4, 5));
    assert_eq!(products(|| point.double_on::<Sloped<11>>()), (5, 5));
    assert_eq!(products(|| point.add_mixed_complete_on::<Secp256k1>(affine)), (7, 5));
    assert_eq!(products(|| point.add_mixed_complete_on::<Sloped<7>>(affine)), (8, 6));
    assert_eq!(products(|| point.add_complete_on::<Secp256k1>(point)), (11, 6));
    assert_eq!(products(|| point.add_complete_on::<Sloped<13>>(point)), (12, 7));
    assert_eq!(products(Jacobian::<F>::infinity), (0, 0));
}
