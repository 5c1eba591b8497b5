//! The Verkle basis, and rows of any basis.

use hex_literal::hex;
use phalanx_banderwagon::{Basis, Element};
use phalanx_engine::lanes::{INFINITY, is_infinity};

/// The published first and last elements, and the hash of all, which [`Basis::verkle`] checks itself.
#[test]
fn verkle_basis_is_the_published_one() {
    let basis = Basis::verkle();
    let encodings: Vec<[u8; 32]> = basis.elements().iter().map(Element::to_bytes).collect();
    assert_eq!(encodings.len(), 256);
    assert_eq!(encodings[0], hex!("01587ad1336675eb912550ec2a28eb8923b824b490dd2ba82e48f14590a298a0"));
    assert_eq!(encodings[255], hex!("3de2be346b539395b0c0de56a5ccca54a317f1b5c80107b0802af9a62276a4d8"));
    assert_eq!(Basis::VERKLE_DIGEST, hex!("1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb"));
    assert_eq!(basis.digest(), Basis::VERKLE_DIGEST);
}

/// The trap: decoded points (x, larger y) of which some 126 have even order.
#[test]
fn some_decoded_points_have_even_order_and_are_normalised() {
    let basis = Basis::verkle();
    // The point (x, y) with the encoded x has the larger y. It is the held one unless that was normalised.
    let moved = basis.elements().iter().filter(|element| element.to_uncompressed()[..32] != element.to_bytes());
    assert_eq!(moved.count(), 126);
}

#[test]
fn prefixes_and_other_seeds_are_drawn_alike() {
    let (whole, five) = (Basis::verkle(), Basis::draw(Basis::VERKLE_SEED, 5));
    assert_eq!(five.elements(), &whole.elements()[..5]);
    assert_ne!(Basis::draw(b"another seed", 1).elements()[0], whole.elements()[0]);
    assert!(Basis::draw(b"", 0).is_empty());
}

#[test]
fn rows_are_the_points_and_infinity_for_the_neutral_element() {
    let g = Element::generator();
    let basis = Basis::new(vec![g, Element::identity(), g, -g, g.double()]);
    let rows = basis.rows();
    assert_eq!(rows.iter().map(is_infinity).collect::<Vec<_>>(), [false, true, false, false, false]);
    assert_eq!(rows[1].0, INFINITY.0);
    assert_eq!(rows[0].0, rows[2].0);
    // A negated point has the same x.
    assert_eq!((rows[0].0[..4] == rows[3].0[..4], rows[0].0[4..] == rows[3].0[4..]), (true, false));
    assert_eq!((basis.len(), Basis::new(Vec::new()).rows().len()), (5, 0));
}
