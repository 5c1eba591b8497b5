//! The field against fiat-crypto's Dettman-form code for the same prime, whose correctness is proved in Coq.

use crate::backends::Backend;
use crate::operations::{Mul, Square};
use crate::reference::{Limbs, from_limbs, p};
use crate::samples::{Random, Shape};
use fiat_crypto::secp256k1_dettman_64::{fiat_secp256k1_dettman_mul as mul, fiat_secp256k1_dettman_square as square};
use phalanx_engine::word::LANES;

#[test]
fn products_agree_with_fiat() {
    let mut random = Random::new(31);
    for backend in Backend::all() {
        for _ in 0..4000 {
            let (a, b) = (Shape::carried(1).eight(&mut random), Shape::carried(1).eight(&mut random));
            let ([product], _) = backend.run(Mul, &[a, b]);
            let ([squared], _) = backend.run(Square, &[a]);
            for lane in 0..LANES {
                let (mut fiat_product, mut fiat_square) = ([0; 5], [0; 5]);
                mul(&mut fiat_product, &a[lane], &b[lane]);
                square(&mut fiat_square, &a[lane]);
                let same = |ours: Limbs, theirs: Limbs| from_limbs(ours) % p() == from_limbs(theirs) % p();
                assert!(same(product[lane], fiat_product), "{:x?} * {:x?}", a[lane], b[lane]);
                assert!(same(squared[lane], fiat_square), "{:x?} squared", a[lane]);
            }
        }
    }
}
