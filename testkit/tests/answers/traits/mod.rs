//! Other people's traits: code that is generic over `ff`, `group` and `signature` gives with Phalanx what it gives with
//! k256, and what Phalanx's own calls give.
//!
//! | file | holds |
//! |---|---|
//! | `fields` | scalars and coordinates as fields |
//! | `groups` | points, and `group`'s own tests of a curve |
//! | `frost` | threshold signatures by the crate `frost-core` |
//! | here | keys and signatures, and sources of randomness |

mod fields;
mod frost;
mod groups;

use k256::ecdsa::signature::{
    Keypair as _, RandomizedSigner, SignatureEncoding, Signer, Verifier,
    hazmat::{PrehashSigner, PrehashVerifier},
};
use phalanx::{
    Error, Keypair, LowS, SecretKey, ecdsa,
    hash::sha256,
    rand_core::{Infallible, Rng, TryCryptoRng, TryRng},
    schnorr,
};

/// SHA-256 in counter mode: the same bytes in each run.
struct Counter(u64);

impl TryRng for Counter {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for piece in bytes.chunks_mut(32) {
            self.0 += 1;
            piece.copy_from_slice(&sha256(&self.0.to_le_bytes())[..piece.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

/// A source without randomness.
struct Dry;

#[derive(Debug, PartialEq)]
struct Exhausted;

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("exhausted")
    }
}

impl std::error::Error for Exhausted {}

impl TryRng for Dry {
    type Error = Exhausted;

    fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
        Err(Exhausted)
    }

    fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
        Err(Exhausted)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Exhausted> {
        Err(Exhausted)
    }
}

impl TryCryptoRng for Dry {}

#[test]
fn keys_from_a_generator() {
    let (a, b) = (SecretKey::generate(&mut Counter(0)), Keypair::generate(&mut Counter(0)));
    assert_eq!(a, SecretKey::from_bytes(&sha256(&1u64.to_le_bytes())).unwrap());
    assert_eq!(a, *b.secret_key());
    assert_eq!(SecretKey::try_generate(&mut Dry), Err(Exhausted));
    assert_eq!(Keypair::try_generate(&mut Dry).unwrap_err(), Exhausted);
}

/// What a program signs and checks that names no scheme.
fn signed<S: SignatureEncoding, K: Signer<S> + k256::ecdsa::signature::Keypair<VerifyingKey: Verifier<S>>>(
    key: &K,
) -> Vec<u8> {
    let signature = key.sign(b"the message");
    key.verifying_key().verify(b"the message", &signature).unwrap();
    assert!(key.verifying_key().verify(b"another", &signature).is_err());
    assert!(S::try_from(&signature.to_vec()[1..]).is_err());
    let read = S::try_from(&signature.to_vec()).ok().unwrap();
    key.verifying_key().verify(b"the message", &read).unwrap();
    signature.to_vec()
}

#[test]
fn generic_signatures_agree() {
    let (secret, digest) = (SecretKey::from_bytes(&[7; 32]).unwrap(), sha256(b"the message"));
    let theirs = k256::ecdsa::SigningKey::from_slice(&[7; 32]).unwrap();
    let own = ecdsa::sign(&digest, &secret);
    assert_eq!(signed::<ecdsa::Signature, _>(&secret), own.to_compact());
    assert_eq!(signed::<k256::ecdsa::Signature, _>(&theirs), own.to_compact());

    let pair = Keypair::from_secret(secret.clone());
    let own = schnorr::sign(b"the message", &pair, &[0; 32]);
    assert_eq!(signed::<schnorr::Signature, _>(&pair), own.to_bytes());
    let theirs = k256::schnorr::SigningKey::from_slice(&[7; 32]).unwrap();
    assert_eq!(theirs.verifying_key().to_bytes().as_slice(), pair.x_only().to_bytes());
    assert_eq!(theirs.sign_raw(b"the message", &[0; 32]).unwrap().to_bytes(), own.to_bytes());
}

#[test]
fn prehashed_and_randomised_signatures() {
    let (secret, digest) = (SecretKey::from_bytes(&[7; 32]).unwrap(), [9; 32]);
    let key = secret.verifying_key();
    let signature = secret.sign_prehash(&digest).unwrap();
    assert_eq!(signature, ecdsa::sign(&digest, &secret));
    key.verify_prehash(&digest, &signature).unwrap();
    for length in [0, 31, 33] {
        assert!(PrehashSigner::<ecdsa::Signature>::sign_prehash(&secret, &vec![9; length]).is_err());
        assert!(key.verify_prehash(&vec![9; length], &signature).is_err());
    }
    let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s()).unwrap();
    assert!(key.verify_prehash(&digest, &high).is_err(), "a high s is refused");
    assert_eq!(ecdsa::verify(&digest, &high, &key, LowS::Allow), Ok(()));
    assert_eq!(ecdsa::Signature::try_from(&[0; 64][..]), Err(Error::OutOfRange));

    let entropy = sha256(&1u64.to_le_bytes());
    let random: ecdsa::Signature = secret.sign_with_rng(&mut Counter(0), b"m");
    assert_eq!(random, ecdsa::sign_with_entropy(&sha256(b"m"), &secret, &entropy));
    let pair = Keypair::from_secret(secret.clone());
    let random: schnorr::Signature = pair.sign_with_rng(&mut Counter(0), b"m");
    assert_eq!(random, schnorr::sign(b"m", &pair, &entropy));
    assert!(RandomizedSigner::<ecdsa::Signature>::try_sign_with_rng(&secret, &mut Dry, b"m").is_err());
    assert!(RandomizedSigner::<schnorr::Signature>::try_sign_with_rng(&pair, &mut Dry, b"m").is_err());
}
