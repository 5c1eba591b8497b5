//! ECDH: SHA-256 of the compressed product, and its bare x coordinate.

use super::keys::{oracle_secret, public, secret};
use super::operation::{Operation, run};
use k256::elliptic_curve::sec1::ToSec1Point;
use phalanx::ecdh;
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Surface, surfaces};
use sha2::{Digest, Sha256};

/// A key whose x coordinate, or whose secret key, is often on an edge.
pub(crate) fn public_key(draws: &mut Draws) -> [u8; 33] {
    if draws.byte() & 1 == 0 {
        return oracle_secret(&draws.scalar()).public_key().serialize();
    }
    loop {
        let mut encoded = [2 | (draws.byte() & 1); 33];
        encoded[1..].copy_from_slice(&draws.number());
        // About half of all x are those of a point.
        if secp256k1::PublicKey::from_slice(&encoded).is_ok() {
            return encoded;
        }
    }
}

#[test]
fn shared_secrets() {
    run(&Operation::<([u8; 32], [u8; 33]), Option<([u8; 32], [u8; 32])>, dyn Surface> {
        name: "ECDH",
        surfaces,
        draw: |draws| (draws.scalar(), public_key(draws)),
        libsecp256k1: |(secret, public)| {
            let (secret, public) = (oracle_secret(secret), secp256k1::PublicKey::from_slice(public).ok()?);
            let point = secp256k1::ecdh::shared_secret_point(&public, &secret);
            let shared = secp256k1::ecdh::SharedSecret::new(&public, &secret).to_secret_bytes();
            Some((shared, point[..32].try_into().ok()?))
        },
        k256: |(secret, public)| {
            let secret = k256::SecretKey::from_slice(secret).ok()?.to_nonzero_scalar();
            let public = k256::PublicKey::from_sec1_bytes(public).ok()?;
            let point = (public.to_projective() * *secret).to_affine().to_sec1_point(true);
            Some((Sha256::digest(point.as_bytes()).into(), point.as_bytes()[1..].try_into().ok()?))
        },
        phalanx: |surface, cases| {
            let secrets: Vec<_> = cases.iter().map(|(key, _)| secret(key)).collect();
            let publics: Vec<_> = cases.iter().map(|(_, key)| public(key)).collect();
            let shared = surface.shared_secrets(&publics, &secrets);
            let x = publics.iter().zip(&secrets).map(|(public, secret)| ecdh::shared_x(public, secret));
            shared.into_iter().zip(x).map(Some).collect()
        },
    });
}
