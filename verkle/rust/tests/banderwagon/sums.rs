//! The engine's sums over Bandersnatch beside the group's own, one lane; the engine's tests have the lanes.

use crate::samples::Random;
use phalanx_banderwagon::{Bandersnatch, Basis, Commit, Element, Obvious, Scalar};
use phalanx_engine::affine_add::OneLane;
use phalanx_engine::curve::{Affine, Curve};
use phalanx_engine::field::BaseField;
use phalanx_engine::msm::{Extent, Method, SignedInt, SumPlan, Summation};
use phalanx_engine::word::{CacheLine, Mask};

type Fe = <<Bandersnatch as Curve>::Field as BaseField>::X1;

#[test]
fn generator_is_on_the_curve_and_is_the_groups() {
    let generator = Affine::<Fe>::generator::<Bandersnatch>();
    assert!(generator.is_on_curve::<Bandersnatch>().any());
    assert_eq!(Element::from_sum(generator.to_jacobian()), Element::generator());
    let double = generator.to_jacobian().double_on::<Bandersnatch>();
    assert_eq!(Element::from_sum(double), Element::generator().double());
}

#[test]
fn sums_of_products_are_commitments() {
    let mut random = Random::new("sums of products");
    let basis = Basis::verkle();
    let adder = OneLane::<Bandersnatch>::new();
    for method in [Method::Straus, Method::Pippenger] {
        for length in [1, 2, 17, 256] {
            let scalars: Vec<Scalar> = (0..length).map(|_| random.scalar()).collect();
            let numbers: Vec<_> =
                scalars.iter().map(|scalar| SignedInt { magnitude: scalar.limbs(), negative: false }).collect();
            let (plan, rows) = (SumPlan { method, width: 5 }, &basis.rows()[..length]);
            let extent = Extent { plan, bits: 253, windows: 0..plan.windows(253), known: length, images: 0, pieces: 1 };
            let mut memory = vec![CacheLine([0; 8]); extent.lines::<OneLane<Bandersnatch>, 4>()];
            let wipe = |lines: &mut [CacheLine]| lines.fill(CacheLine([0; 8]));
            let sum = Summation::<_, 4>::run(&adder, &extent, &mut memory, wipe, |sum| {
                sum.add(length, |table, terms| {
                    table.copy_from_slice(rows);
                    terms.copy_from_slice(&numbers);
                });
                sum.finish()
            });
            assert_eq!(Element::from_sum(sum), Obvious(&basis).commit_vartime(&scalars), "{method:?}, {length}");
        }
    }
}

#[test]
fn rows_go_back_to_elements() {
    let mut random = Random::new("rows");
    let mut elements: Vec<Element> = (0..300).map(|_| random.element()).collect();
    elements[7] = Element::identity();
    for (row, element) in Basis::new(elements.clone()).rows().iter().zip(&elements) {
        assert_eq!(Element::from_row_vartime(row), *element);
    }
}
