//! Banderwagon's scalars and elements, all of them secret.

use crate::secret::{secret, still_secret};
use phalanx_banderwagon::{Basis, Element, Scalar};
use std::hint::black_box;

pub(crate) const ALL: &[(&str, fn())] = &[
    ("banderwagon_scalars", scalar_arithmetic),
    ("banderwagon_elements", element_arithmetic),
    ("banderwagon_mul", element_mul),
    ("banderwagon_encoding", element_encoding),
    ("banderwagon_commit", commit),
];

fn scalars() -> [Scalar; 2] {
    [0x5a, 0xfe].map(|byte| Scalar::from_le_bytes_reduced(&secret([byte; 32])))
}

fn scalar_arithmetic() {
    let [x, y] = scalars();
    black_box((x + y, x - y, x * y, -x, x.to_be_bytes(), Scalar::from_be_bytes_reduced(&secret([0xff; 32]))));
    still_secret([x + y, x - y, x * y, -x].map(|z| z.to_le_bytes()));
}

fn elements() -> [Element; 2] {
    let g = Element::generator();
    [secret(g.double()), secret(g)]
}

fn element_arithmetic() {
    let [p, q] = elements();
    let neutral = secret(Element::identity());
    black_box((p + q, p - q, p + p, p - secret(p), p + neutral, neutral + q, -p, p.double(), neutral.double()));
}

fn element_mul() {
    let ([k, high], [p, q]) = (scalars(), elements());
    still_secret([p.mul(&k), q.mul(&high)].map(|product| product.map_to_scalar_field().to_le_bytes()));
    black_box((secret(Element::identity()).mul(&k), p * secret(Scalar::ZERO)));
}

fn element_encoding() {
    let [p, q] = elements();
    still_secret(p.to_bytes());
    let (mut bytes, mut scalars) = ([[0; 32]; 2], [Scalar::ZERO; 2]);
    Element::batch_to_bytes(&[p, q], &mut bytes);
    Element::batch_map_to_scalar_field(&[p, q], &mut scalars);
    still_secret(bytes);
    black_box((scalars, q.to_uncompressed(), secret(Element::identity()).map_to_scalar_field()));
}

fn commit() {
    let [k, high] = scalars();
    let basis = Basis::draw(Basis::VERKLE_SEED, 4);
    still_secret(basis.commit(&[k, secret(Scalar::ZERO), high, secret(Scalar::ONE)]).to_bytes());
}
