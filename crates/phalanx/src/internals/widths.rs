//! The verification of ECDSA with other tables than those that ship: the equation and the multiplication are the
//! library's own, instantiated with another group of the same points.

use crate::{
    PublicKey, Scalar,
    ecdsa::{Signature, equation},
    glv::Half,
    group::{Affine, Fe, Group, Jacobian, Secp256k1},
    mul::{
        Combine, Unit,
        double::one_lane::{Endomorphism, OddMultiples},
        isomorphic_curve::IsomorphicTable,
    },
    tables::G_ODD_WNAF_WIDTH,
};
use core::marker::PhantomData;
use phalanx_engine::{
    curve::{Curve, GlvCurve},
    field::Field,
};
use std::vec::Vec;

/// Whether a signature is one of a digest under a key. Variable time.
pub type Verification = fn(&[u8; 32], &Signature, &PublicKey) -> bool;

/// Each choice, and the verification by it; the first is the one that ships for one lane.
pub fn verifications() -> Vec<(&'static str, Verification)> {
    Vec::from([
        ("ships: point width 5, generator width 13, endomorphism", by::<Secp256k1> as Verification),
        ("point width 4", by::<Choice<Endomorphism<4>, 4, G_ODD_WNAF_WIDTH>>),
        ("point width 6", by::<Choice<Endomorphism<16>, 6, G_ODD_WNAF_WIDTH>>),
        ("generator width 8, 8 KiB", by::<Choice<Endomorphism<8>, 5, 8>>),
        ("no endomorphism: 256 doublings, point width 5", by::<Choice<Doublings<8>, 5, G_ODD_WNAF_WIDTH>>),
        ("no joint chain: two multiplications and a sum", apart),
    ])
}

fn by<G: Combine<Scalar = Scalar>>(digest: &[u8; 32], signature: &Signature, key: &PublicKey) -> bool {
    let inverse = signature.s().invert_vartime().unwrap_or_default();
    let z = Scalar::from_bytes_reduced(digest);
    equation::holds::<G>(Unit::OneLane, &z, &signature.r(), &inverse, &key.affine())
}

/// By the general path: each product alone.
fn apart(digest: &[u8; 32], signature: &Signature, key: &PublicKey) -> bool {
    let inverse = signature.s().invert_vartime().unwrap_or_default();
    let (a, b) = (signature.r() * inverse, Scalar::from_bytes_reduced(digest) * inverse);
    let multiply = |a: &Scalar, point: &Affine, b: &Scalar| Secp256k1::double_mul_vartime(Unit::OneLane, a, point, b);
    let generator = multiply(&Scalar::ZERO, &Affine::generator::<Secp256k1>(), &b);
    let sum = multiply(&a, &key.affine(), &Scalar::ZERO).add_complete(generator);
    Secp256k1::x_reduces_to_vartime(&sum, &signature.r())
}

/// secp256k1 with other multiples of the point and other widths.
#[derive(Debug, Clone, Copy)]
struct Choice<M, const POINT: u32, const GENERATOR: u32>(PhantomData<M>);

impl<M: Copy + 'static, const POINT: u32, const GENERATOR: u32> Curve for Choice<M, POINT, GENERATOR> {
    type Field = <Secp256k1 as Curve>::Field;
    const B: [u64; 4] = Secp256k1::B;
    const GENERATOR: [[u64; 4]; 2] = Secp256k1::GENERATOR;
}

impl<M: Copy + 'static, const POINT: u32, const GENERATOR: u32> GlvCurve for Choice<M, POINT, GENERATOR> {
    const BETA: [u64; 4] = Secp256k1::BETA;
}

impl<M: Choosable, const POINT: u32, const GENERATOR: u32> Group for Choice<M, POINT, GENERATOR> {
    type Scalar = Scalar;
    const POINT_WIDTH: u32 = POINT;
    const GENERATOR_WIDTH: u32 = GENERATOR;

    #[inline(always)]
    fn halves(k: &Scalar) -> [Half; 2] {
        M::halves(k)
    }
    #[inline(always)]
    fn low_high(k: &Scalar) -> [u128; 2] {
        Secp256k1::low_high(k)
    }
    #[inline(always)]
    fn generator_odd_multiple(table: usize, index: usize) -> Affine {
        Secp256k1::generator_odd_multiple(table, index)
    }
    fn x_reduces_to_vartime(point: &Jacobian, r: &Scalar) -> bool {
        Secp256k1::x_reduces_to_vartime(point, r)
    }
}

impl<M: Choosable, const POINT: u32, const GENERATOR: u32> Combine for Choice<M, POINT, GENERATOR> {
    type Multiples = M;
}

/// Multiples, and the halves that choose among them.
trait Choosable: OddMultiples + Copy + 'static {
    fn halves(k: &Scalar) -> [Half; 2];
}

impl<const N: usize> Choosable for Endomorphism<N> {
    #[inline(always)]
    fn halves(k: &Scalar) -> [Half; 2] {
        Secp256k1::halves(k)
    }
}

/// Multiples of P and of 2^128 P, for a scalar's lower and upper 128 bits: no endomorphism.
#[derive(Debug, Clone, Copy)]
struct Doublings<const N: usize>([[Affine; N]; 2]);

impl<const N: usize> Choosable for Doublings<N> {
    #[inline(always)]
    fn halves(k: &Scalar) -> [Half; 2] {
        Secp256k1::low_high(k).map(|magnitude| Half { neg: 0, magnitude })
    }
}

impl<const N: usize> OddMultiples for Doublings<N> {
    fn of<G: Group>(point: &Affine) -> (Self, Fe) {
        let near = IsomorphicTable::<N>::odd_multiples(point);
        let far = (0..128).fold(near.points[0].to_jacobian(), |far, _| far.double());
        // Affine on the model whose scale is Z times larger.
        let far_multiples = IsomorphicTable::<N>::odd_multiples(&Affine { x: far.x, y: far.y });
        let growth = far.z.mul(far_multiples.scale);
        let square = growth.square();
        let over = |point: Affine| Affine { x: point.x.mul(square), y: point.y.mul(square.mul(growth)) };
        (Self([near.points.map(over), far_multiples.points]), near.scale.mul(growth))
    }
    #[inline(always)]
    fn get(&self, half: usize, index: usize) -> Affine {
        self.0[half][index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SecretKey, ecdsa, hash::sha256};

    #[test]
    fn every_choice_verifies_alike() {
        for label in 0..4u8 {
            let digest = sha256(&[label]);
            let secret = SecretKey::from_bytes(&sha256(&digest)).unwrap();
            let (key, signature) = (secret.public_key(), ecdsa::sign(&digest, &secret));
            for (name, verify) in verifications() {
                assert!(verify(&digest, &signature, &key), "{name}");
                assert!(!verify(&sha256(&[label, 1]), &signature, &key), "{name}");
            }
        }
    }
}
