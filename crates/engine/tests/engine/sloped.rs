//! The formulas of curves with A != 0: every pair of points of tiny groups, infinity among them, on every backend.

use crate::backends::Operation;
use crate::curve::run_all;
use crate::groups::{Bandersnatch, Group, Sloped, multiples, prime, sum_of};
use crate::operations::Formulas;
use crate::reference::{Point, from_limbs, from_words, to_limbs, to_words};
use crate::samples::Random;
use core::marker::PhantomData;
use num_bigint::BigUint;
use phalanx_engine::curve::{Affine, Curve, Jacobian};
use phalanx_engine::field::{BaseField, FieldX1};
use phalanx_engine::word::Mask;

/// The inputs of [`Formulas`] with random Z, as numbers. An affine infinity is the generator.
fn encode<C: Curve>(random: &mut Random, a: &Point, b: &Point) -> [BigUint; 11] {
    let p = prime::<C>();
    let [gx, gy] = C::GENERATOR.map(|words| from_words(&words));
    let affine = |point: &Point| point.clone().unwrap_or((gx.clone(), gy.clone()));
    let mut jacobian = |point: &Point| {
        let z = random.below_modulus(&p).max(1u8.into());
        let (x, y) = affine(point);
        let (x, y) = (x * &z * &z % &p, y * &z * &z * &z % &p);
        (x, y, if point.is_some() { z } else { BigUint::ZERO })
    };
    let ((x, y, z), (u, v, w), (ax, ay), (bx, by)) = (jacobian(a), jacobian(b), affine(a), affine(b));
    let inverse = (2u8 * &ay % &p).modinv(&p).expect("no point has y = 0");
    [x, y, z, u, v, w, ax, ay, bx, by, inverse]
}

/// Compares the outputs of [`Formulas`].
fn check<C: Curve>(a: &Point, b: &Point, outputs: &[BigUint; 16], truth: bool) {
    let p = prime::<C>();
    let point = |[x, y, z]: [&BigUint; 3]| {
        let inverse = z.modinv(&p)?;
        Some((x * &inverse * &inverse % &p, y * &inverse * &inverse * &inverse % &p))
    };
    let [dx, dy, dz, mx, my, mz, sx, sy, sz, tx, ty, side, cx, cy, ux, uy] = outputs.each_ref();
    assert_eq!(point([dx, dy, dz]), sum_of::<C>(a, a), "twice {a:?}");
    assert_eq!(point([sx, sy, sz]), sum_of::<C>(a, b), "{a:?} and {b:?}");
    if b.is_some() {
        assert_eq!(point([mx, my, mz]), sum_of::<C>(a, b), "{a:?} and {b:?} as affine");
    }
    if let Some((_, y)) = a {
        assert_eq!(Some((tx.clone(), ty.clone())), sum_of::<C>(a, a), "twice {a:?} by its tangent");
        assert_eq!(*side, y * y % &p);
        let z = 2u8 * y % &p;
        assert_eq!(point([cx, cy, &z]), sum_of::<C>(a, a), "twice {a:?} over 2 y");
        assert_eq!(point([ux, uy, &z]), *a, "{a:?} over 2 y");
    }
    assert!(truth, "{a:?} is on the curve");
}

fn all_pairs<C: Group>() {
    let points = multiples::<C>(usize::try_from(C::order()).expect("a tiny group"));
    let pairs: Vec<_> = points.iter().flat_map(|a| points.iter().map(move |b| (a, b))).collect();
    let limbs =
        |random: &mut Random, (a, b): &(&Point, &Point)| encode::<C>(random, a, b).map(|number| to_limbs(&number));
    run_all(Formulas::<C>(PhantomData), &pairs, limbs, |(a, b), outputs, truth| {
        check::<C>(a, b, &outputs.map(|output| from_limbs(output) % prime::<C>()), truth);
    });
}

#[test]
fn all_pairs_of_tiny_groups() {
    all_pairs::<Sloped<7>>();
    all_pairs::<Sloped<11>>();
    all_pairs::<Sloped<13>>();
}

/// In one lane in Montgomery's form, with points that meet; and the additions in variable time.
#[test]
fn one_lane_in_montgomery_form() {
    type C = Bandersnatch;
    type X1 = <<C as Curve>::Field as BaseField>::X1;
    let (p, mut random) = (prime::<C>(), Random::new(82));
    let mut points = multiples::<C>(4);
    let negated = |point: &Point| point.clone().map(|(x, y)| (x, &p - y));
    points.extend(points[1..].iter().map(negated).collect::<Vec<_>>());
    for a in &points {
        for b in &points {
            let inputs = encode::<C>(&mut random, a, b).map(|number| X1::from_words(to_words(&number)));
            let (outputs, truth) = Formulas::<C>(PhantomData).call(inputs);
            let read = |number: X1| from_words(&number.to_words());
            check::<C>(a, b, &outputs.map(read), truth.any());

            let [x, y, z, u, v, w, _, _, bx, by, _] = inputs;
            let (a_jacobian, b_jacobian) = (Jacobian { x, y, z }, Jacobian { x: u, y: v, z: w });
            let [double, sum] = [a_jacobian.double_vartime::<C>(), a_jacobian.add_vartime::<C>(b_jacobian)];
            let mixed = a_jacobian.add_mixed_vartime::<C>(Affine { x: bx, y: by });
            let mixed = if b.is_some() { mixed } else { sum };
            let coordinates = [double, mixed, sum].map(|point| [point.x, point.y, point.z]);
            let [[dx, dy, dz], [mx, my, mz], [sx, sy, sz]] = coordinates;
            let [.., tx, ty, side, cx, cy, ux, uy] = outputs;
            let outputs = [dx, dy, dz, mx, my, mz, sx, sy, sz, tx, ty, side, cx, cy, ux, uy];
            check::<C>(a, b, &outputs.map(read), true);
        }
    }
}
