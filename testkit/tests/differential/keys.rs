//! Public keys of secret keys, and which numbers are secret keys.

use crate::operation::{Operation, run};
use k256::elliptic_curve::sec1::ToSec1Point;
use phalanx::SecretKey;
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::Surface;

struct PublicKeys;

/// Compressed and full encodings; none where the number is no secret key.
type Encodings = Option<([u8; 33], [u8; 65])>;

impl Operation for PublicKeys {
    const NAME: &'static str = "public key";
    type Case = [u8; 32];
    type Answer = Encodings;
    type Detail = Encodings;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> [u8; 32] {
        draws.number()
    }

    fn libsecp256k1(case: &[u8; 32]) -> Encodings {
        let key = secp256k1::SecretKey::from_secret_bytes(*case).ok()?.public_key();
        Some((key.serialize(), key.serialize_uncompressed()))
    }

    fn k256(case: &[u8; 32]) -> Encodings {
        let point = k256::SecretKey::from_slice(case).ok()?.public_key();
        let encode = |compress| point.to_sec1_point(compress).as_bytes().to_vec();
        Some((encode(true).try_into().ok()?, encode(false).try_into().ok()?))
    }

    fn phalanx(surface: &Self::Surface, cases: &[[u8; 32]]) -> Vec<Encodings> {
        let secrets: Vec<_> = cases.iter().map(|case| SecretKey::from_bytes(case).ok()).collect();
        let valid: Vec<_> = secrets.iter().flatten().cloned().collect();
        let mut keys = surface.public_keys(&valid).into_iter();
        let encodings = secrets.iter().map(|secret| {
            secret.as_ref()?;
            let key = keys.next()?;
            Some((key.to_bytes(), key.to_bytes_uncompressed()))
        });
        encodings.collect()
    }

    fn answer(detail: &Encodings) -> Encodings {
        *detail
    }

    fn is_positive(answer: &Encodings) -> bool {
        answer.is_some()
    }
}

#[test]
fn public_keys() {
    run::<PublicKeys>();
}
