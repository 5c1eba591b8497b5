//! The arithmetic that protocol builders get: scalars, field elements and points, all of them secret.

use crate::secret::{secret, still_secret};
use group::{
    Curve, GroupEncoding,
    ff::{FromUniformBytes, PrimeField},
};
use phalanx::{
    AffinePoint, FieldElement, Point, Scalar,
    msm::{FixedBase, Msm},
    subtle::{ConditionallySelectable, ConstantTimeEq},
};
use std::hint::black_box;

pub(crate) const ALL: &[(&str, fn())] = &[
    ("scalar_invert", scalar_invert),
    ("scalar_batch_invert", scalar_batch_invert),
    ("scalar_arithmetic", scalar_arithmetic),
    ("scalar_pow", scalar_pow),
    ("field_invert", field_invert),
    ("field_arithmetic", field_arithmetic),
    ("point_mul", point_mul),
    ("point_arithmetic", point_arithmetic),
    ("point_encoding", point_encoding),
    ("affine_points", affine_points),
    ("fields_of_ff", fields_of_ff),
    ("fixed_base_commit", fixed_base_commit),
];

fn scalars() -> [Scalar; 2] {
    [secret(Scalar::from_bytes_reduced(&[0x5a; 32])), secret(Scalar::from_bytes_reduced(&[0xfe; 32]))]
}

fn scalar_invert() {
    let [x, y] = scalars();
    black_box((x.invert(), secret(Scalar::ZERO).invert_or_zero()));
    still_secret(y.invert_or_zero());
}

fn scalar_batch_invert() {
    let [x, y] = scalars();
    let mut values = [x, secret(Scalar::ZERO), y, secret(Scalar::ONE)];
    Scalar::batch_invert(&mut values);
    still_secret(values);
}

fn scalar_arithmetic() {
    let [x, y] = scalars();
    black_box((x + y, x - y, x * y, -x, x.square(), x.double(), x.is_zero(), x.is_high(), x.to_bytes(), x.cmp(&y)));
    still_secret([x + y, x - y, x * y, -x, x.square(), x.double()].map(|z| z.to_bytes()));
    black_box((Scalar::conditional_select(&x, &y, x.is_high()), Scalar::from_bytes_wide(&secret([0xaa; 64]))));
    black_box(Scalar::from_bytes_reduced(&secret([0xff; 32])));
}

fn scalar_pow() {
    let [x, y] = scalars();
    black_box(x.pow(secret([0x0123_4567_89ab_cdef, 5])));
    black_box(group::ff::Field::pow_vartime(&y, [65537]));
}

fn elements() -> [FieldElement; 2] {
    [0x5a, 0x33].map(|byte| secret(FieldElement::from_bytes(&[byte; 32]).expect("below the prime")))
}

fn field_invert() {
    let [x, y] = elements();
    black_box((x.invert(), secret(FieldElement::ZERO).invert()));
    still_secret(y.invert().unwrap_or(FieldElement::ZERO).to_bytes());
    let mut values = [x, secret(FieldElement::ZERO), y];
    FieldElement::batch_invert(&mut values);
    still_secret(values.map(|value| value.to_bytes()));
}

fn field_arithmetic() {
    let [x, y] = elements();
    black_box((x + y, x - y, x * y, -x, x.square(), x.is_zero(), x.is_odd(), x.to_bytes()));
    still_secret([x + y, x - y, x * y, -x, x.square()].map(|z| z.to_bytes()));
    black_box((x.sqrt(), x.pow(secret([0x0123_4567_89ab_cdef]))));
    black_box(FieldElement::conditional_select(&x, &y, y.is_zero()));
}

fn points() -> [Point; 2] {
    [3u64, 5].map(|k| secret(Point::mul_generator(&Scalar::from(k))))
}

fn point_mul() {
    let ([k, high], [p, q]) = (scalars(), points());
    for point in [Point::GENERATOR * k, p * high, q * k, Point::mul_generator(&high)] {
        // But for the prefix, of which all bits but one are known.
        still_secret(<[u8; 32]>::try_from(&point.to_bytes()[1..]).expect("32 bytes"));
    }
    black_box((secret(Point::IDENTITY) * k, p * secret(Scalar::ZERO)));
}

fn point_arithmetic() {
    let [p, q] = points();
    let infinity = secret(Point::IDENTITY);
    black_box((p + q, p - q, p + p, p - secret(p), p + infinity, infinity + q, -p, p.double(), infinity.double()));
    black_box((p.is_identity(), p.endomorphism(), Point::conditional_select(&p, &q, p.is_identity())));
}

fn point_encoding() {
    let [p, _] = points();
    black_box(p.to_bytes());
    black_box(secret(Point::IDENTITY).to_bytes());
    // Whether the point is infinity is what these tell.
    assert!(p.to_affine().is_some() && secret(Point::IDENTITY).to_affine().is_none());
    assert!(Point::batch_to_affine(&[p, secret(Point::IDENTITY)])[1].is_none());
    let [x, y] = elements();
    black_box((Point::from_x(&x, y.is_odd()), Point::from_coordinates(&x, &y)));
}

fn affine_points() {
    let ([k, _], [p, q]) = (scalars(), points());
    let (a, infinity) = (AffinePoint::from(&q), secret(AffinePoint::IDENTITY));
    black_box((p + a, p - a, q + a, q - a, p + infinity, secret(Point::IDENTITY) + a, a * k, infinity * k));
    black_box((-a, a.is_identity(), a.ct_eq(&infinity), Point::from(a), Point::from(infinity)));
    let mut normalized = [AffinePoint::IDENTITY; 2];
    Point::batch_normalize(&[p, secret(Point::IDENTITY)], &mut normalized);
    black_box(normalized);
    // Whether the point is infinity is what this tells.
    black_box((a.to_bytes(), infinity.to_bytes()));
}

fn fields_of_ff() {
    fn of_field<F: PrimeField<Repr = [u8; 32]> + FromUniformBytes<64>>([x, y]: [F; 2]) {
        black_box((x.sqrt(), F::sqrt_ratio(&x, &y), x.invert(), x.cube(), x.pow(secret([0x0123_4567_89ab_cdef]))));
        black_box((F::from_repr(x.to_repr()), F::from_repr(secret([0xff; 32]))));
        still_secret(F::from_uniform_bytes(&secret([0x5a; 64])).to_repr());
    }
    of_field(scalars());
    of_field(elements());
}

fn fixed_base_commit() {
    let ([k, high], [p, q]) = (scalars(), [3u64, 5].map(|k| Point::mul_generator(&Scalar::from(k))));
    // The points are public.
    let base = FixedBase::build(&Msm::new(), &[p, q, p], 0).expect("they are points");
    let commitment = base.commit(&[k, high, secret(Scalar::ZERO)]).expect("as many scalars as points");
    still_secret(<[u8; 32]>::try_from(&commitment.to_bytes()[1..]).expect("32 bytes"));
}
