//! Every operation beside arkworks' Bandersnatch, which knows points and no elements: an element is compared by its
//! point of odd order.

use crate::samples::{Random, edge_scalars, from_words};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ed_on_bls12_381_bandersnatch::{EdwardsAffine, EdwardsProjective, Fq, Fr};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use phalanx_banderwagon::{Basis, Element, Scalar};

/// The point of an element, which must be one of odd order.
pub(crate) fn point(element: &Element) -> EdwardsProjective {
    let bytes = element.to_uncompressed();
    let [x, y] = [&bytes[..32], &bytes[32..]].map(Fq::from_be_bytes_mod_order);
    let point = EdwardsAffine::new_unchecked(x, y);
    assert!(point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve());
    point.into()
}

pub(crate) fn scalar(scalar: &Scalar) -> Fr {
    Fr::from_le_bytes_mod_order(&scalar.to_le_bytes())
}

fn is_high(y: Fq) -> bool {
    y.into_bigint() > Fq::MODULUS_MINUS_ONE_DIV_TWO
}

/// The encoding by its definition.
fn encoding(point: EdwardsProjective) -> [u8; 32] {
    let point = point.into_affine();
    let x = if is_high(point.y) { point.x } else { -point.x };
    x.into_bigint().to_bytes_be().try_into().expect("32 bytes")
}

/// x / y modulo r: `group_to_scalar_field` of EIP-6800.
pub(crate) fn mapped(point: EdwardsProjective) -> Scalar {
    let point = point.into_affine();
    let quotient = point.x * point.y.inverse().expect("no point has y = 0");
    Scalar::from_le_bytes_reduced(&quotient.into_bigint().to_bytes_le().try_into().expect("32 bytes"))
}

fn assert_is(element: Element, expected: EdwardsProjective) {
    assert_eq!(point(&element), expected);
    assert_eq!(element.to_bytes(), encoding(expected));
    assert_eq!(element.map_to_scalar_field(), mapped(expected));
}

#[test]
fn moduli_and_generator_are_arkworks() {
    assert_eq!(Fr::MODULUS.0, Scalar::ORDER);
    assert_eq!(Fq::MODULUS.0, <phalanx_banderwagon::P as phalanx_engine::field::MontgomeryPrime>::MODULUS);
    assert_is(Element::generator(), EdwardsProjective::generator());
    assert_is(Element::identity(), EdwardsProjective::ZERO);
    assert_eq!(from_words(&Fr::MODULUS.0), crate::samples::order());
}

#[test]
fn operations_are_arkworks() {
    let mut random = Random::new("operations beside arkworks");
    let mut cases: Vec<[Element; 2]> = Vec::new();
    for _ in 0..phalanx_tiers::size(300, 10_000) {
        cases.push([random.element(), random.element()]);
    }
    let p = random.element();
    cases.extend([[p, p], [p, -p], [p, Element::identity()], [Element::identity(), p], [Element::identity(); 2]]);
    for [a, b] in cases {
        let (x, y) = (point(&a), point(&b));
        assert_is(a + b, x + y);
        assert_is(a - b, x - y);
        assert_is(-a, -x);
        assert_is(a.double(), x + x);
        assert_eq!(a == b, x == y);
        let (mut sum, mut difference) = (a, a);
        sum += b;
        difference -= b;
        assert_eq!([sum, difference], [a + b, a - b]);
        assert_eq!([a, b, a].into_iter().sum::<Element>(), a.double() + b);
    }
}

#[test]
fn multiples_are_arkworks() {
    let mut random = Random::new("multiples beside arkworks");
    let base = random.element();
    let check = |k: Scalar, base: Element, expected: EdwardsProjective| {
        let product = base.mul(&k);
        assert_is(product, expected);
        assert_eq!(base.mul_vartime(&k), product);
        assert_eq!(base * k, product);
    };
    for k in edge_scalars() {
        for base in [base, Element::generator(), Element::identity()] {
            check(k, base, point(&base) * scalar(&k));
        }
    }
    for _ in 0..phalanx_tiers::size(1_000, 100_000) {
        let (k, base) = (random.scalar(), random.element());
        check(k, base, point(&base) * scalar(&k));
    }
}

/// Sums over the Verkle basis by arkworks, for tests of commitments.
pub(crate) struct Reference(Vec<EdwardsAffine>);

impl Reference {
    pub(crate) fn new(basis: &Basis) -> Reference {
        Reference(basis.elements().iter().map(|element| point(element).into_affine()).collect())
    }

    pub(crate) fn commit(&self, scalars: &[Scalar]) -> EdwardsProjective {
        let scalars: Vec<Fr> = scalars.iter().map(scalar).collect();
        EdwardsProjective::msm(&self.0[..scalars.len()], &scalars).expect("equal lengths")
    }
}

#[test]
fn points_of_the_basis_are_on_arkworks_curve() {
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    assert_eq!(reference.0.len(), 256);
    assert!(reference.0.iter().all(|point| !point.is_zero()));
}
