//! ECDH: SHA-256 of the compressed product, and its bare x coordinate.

use crate::operation::{Operation, run};
use k256::elliptic_curve::sec1::ToSec1Point;
use phalanx::{PublicKey, SecretKey, ecdh};
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::Surface;
use sha2::{Digest, Sha256};

struct SharedSecrets;

#[derive(Debug)]
struct Case {
    secret: [u8; 32],
    /// The compressed encoding of a key.
    public: [u8; 33],
}

type Hashed = ([u8; 32], [u8; 32]);

impl Operation for SharedSecrets {
    const NAME: &'static str = "ECDH";
    type Case = Case;
    type Answer = Hashed;
    type Detail = Hashed;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> Case {
        Case { secret: draws.scalar(), public: public_key(draws) }
    }

    fn libsecp256k1(case: &Case) -> Hashed {
        let secret = secp256k1::SecretKey::from_secret_bytes(case.secret).expect("in range");
        let public = secp256k1::PublicKey::from_slice(&case.public).expect("on the curve");
        let point = secp256k1::ecdh::shared_secret_point(&public, &secret);
        let shared = secp256k1::ecdh::SharedSecret::new(&public, &secret).to_secret_bytes();
        (shared, point[..32].try_into().expect("32 bytes"))
    }

    fn k256(case: &Case) -> Hashed {
        let secret = k256::SecretKey::from_slice(&case.secret).expect("in range").to_nonzero_scalar();
        let public = k256::PublicKey::from_sec1_bytes(&case.public).expect("on the curve");
        let point = (public.to_projective() * *secret).to_affine().to_sec1_point(true);
        let point = point.as_bytes();
        (Sha256::digest(point).into(), point[1..].try_into().expect("32 bytes"))
    }

    fn phalanx(surface: &Self::Surface, cases: &[Case]) -> Vec<Hashed> {
        let secrets: Vec<_> = cases.iter().map(|case| SecretKey::from_bytes(&case.secret).expect("in range")).collect();
        let publics: Vec<_> =
            cases.iter().map(|case| PublicKey::from_bytes(&case.public).expect("on the curve")).collect();
        let shared = surface.shared_secrets(&publics, &secrets);
        let x = publics.iter().zip(&secrets).map(|(public, secret)| ecdh::shared_x(public, secret));
        shared.into_iter().zip(x).collect()
    }

    fn answer(detail: &Hashed) -> Hashed {
        *detail
    }

    fn is_positive(_: &Hashed) -> bool {
        true
    }
}

/// A key whose x coordinate, or whose secret key, is often on an edge.
pub(crate) fn public_key(draws: &mut Draws) -> [u8; 33] {
    if draws.byte() & 1 == 0 {
        let secret = secp256k1::SecretKey::from_secret_bytes(draws.scalar()).expect("in range");
        return secret.public_key().serialize();
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
    run::<SharedSecrets>();
}
