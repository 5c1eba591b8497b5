//! Points of small order on the twist of secp256k1, by their x. No point of the curve has such an x, and additions of
//! multiples may be exceptional.

use super::{Affine, Fe, Jacobian, Secp256k1, to_affine_vartime};
use crate::FieldElement;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};
use phalanx_engine::{
    curve::{GlvCurve, ImageByX},
    field::Field,
};

/// The order of the twist is 2 p + 2 - n: 3^2 13^2 3319 22639 times a prime. Some factors, and the order over each.
const FACTORS: [(u64, [u64; 4]); 3] = [
    (1521, [0x45e4_172a_26e9_3e0f, 0x7a12_1003_36ec_1775, 0x6527_8d8c_8a03_b3ec, 0x002b_1662_a13d_c517]),
    (3319, [0xf976_90ab_a6ed_6519, 0x84eb_32ea_dfa1_076e, 0x0579_f1f6_480a_7d6a, 0x0013_bee6_9fa9_9ccf]),
    (22639, [0x5459_3e7e_a474_0451, 0x20ab_f0c5_1071_fdef, 0x23a7_6421_b296_02c8, 0x0002_e513_6a6b_38c1]),
];

/// An x without a point. Its image over the cofactor 3^2 13^2 generates all points of such orders, with lambda.
const SEED: u64 = 9;

/// An x of the twist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TwistX {
    pub(crate) x: [u64; 4],
    /// Whether an addition of the multiples of a verification in lanes is exceptional for it.
    pub(crate) is_exceptional: bool,
}

/// k P on any curve with A = 0, by doubling and adding.
fn multiple(k: &[u64], point: Affine) -> Jacobian {
    let bits = (0..64 * k.len()).rev().map(|bit| k[bit / 64] >> (bit % 64) & 1 == 1);
    bits.fold(Jacobian::infinity(), |sum, bit| {
        let sum = sum.double();
        if bit { sum.add_mixed_complete(point) } else { sum }
    })
}

/// The x of all points whose order divides 3^2 13^2, each once; then one each of the orders 3319 and 22639.
pub(crate) fn small_orders() -> Vec<TwistX> {
    let ImageByX { point, d } = ImageByX::new::<Secp256k1>(Fe::from_words([SEED, 0, 0, 0]));
    let d_inverse = d.invert();
    // (X, Y) of the curve of the image has the x of X / d.
    let twist_x = |point: &Affine| point.x.mul(d_inverse).normalize().to_words();
    let [generator, others @ ..] = FACTORS.map(|(_, cofactor)| to_affine_vartime(&multiple(&cofactor, point)).unwrap());
    assert!(
        FACTORS
            .iter()
            .zip([generator].iter().chain(&others))
            .all(|((order, _), point)| { to_affine_vartime(&multiple(&[*order], *point)).is_none() })
    );
    // All points are i P + j lambda P, with i below 507 and j below 3.
    let image = generator.endomorphism::<Secp256k1>();
    let mut points = BTreeMap::new();
    for j in 0..3 {
        let mut sum = multiple(&[j], image);
        for _ in 0..507 {
            if let Some(point) = to_affine_vartime(&sum) {
                points.insert(twist_x(&point), point);
            }
            sum = sum.add_mixed_complete(generator);
        }
    }
    assert_eq!(points.len(), 760);
    let found = points.into_iter().map(|(x, point)| TwistX { x, is_exceptional: is_exceptional(point) });
    let others = others.iter().map(|point| TwistX { x: twist_x(point), is_exceptional: false });
    found.chain(others).collect()
}

/// Whether one of P, 3 P, ..., 31 P is infinity, or has the x of one of these points times lambda.
fn is_exceptional(point: Affine) -> bool {
    let multiples: Vec<_> = (1..32).step_by(2).map(|k| to_affine_vartime(&multiple(&[k], point))).collect();
    let Some(multiples) = multiples.into_iter().collect::<Option<Vec<Affine>>>() else { return true };
    let beta = Fe::from_words(Secp256k1::BETA);
    let x: BTreeSet<_> = multiples.iter().map(|point| point.x.to_words()).collect();
    multiples.iter().any(|point| x.contains(&point.x.mul(beta).normalize().to_words()))
}

#[test]
fn points_of_small_order_are_on_the_twist() {
    let all = small_orders();
    for TwistX { x, .. } in &all {
        assert!(super::lift_x_vartime(*x, false).is_none());
    }
    let exceptional = all.iter().filter(|x| x.is_exceptional).count();
    assert_eq!((all.len(), exceptional), (762, 292));
    assert!(all.contains(&TwistX { x: [0; 4], is_exceptional: true }));
    // No x has d = 0: -7 is no cube, for its power by (p - 1) / 3 is not 1.
    let mut third = [0; 4];
    let mut rest = 0u128;
    for (word, of) in FieldElement::MODULUS.iter().enumerate().rev() {
        let number = rest << 64 | u128::from(if word == 0 { of - 1 } else { *of });
        third[word] = (number / 3) as u64;
        rest = number % 3;
    }
    assert_eq!(rest, 0);
    assert_ne!((-FieldElement::from(7u64)).pow(third), FieldElement::ONE);
}
