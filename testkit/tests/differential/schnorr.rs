//! BIP-340: signing and verification.

use crate::operation::{Operation, run};
use phalanx::schnorr::Row;
use phalanx::{Keypair, SecretKey, Verdict, XOnlyKeyRef};
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Surface, Verifier};
use secp256k1 as oracle;

struct Sign;

#[derive(Debug)]
pub(crate) struct SignCase {
    message: Vec<u8>,
    secret: [u8; 32],
    aux: [u8; 32],
}

impl Operation for Sign {
    const NAME: &'static str = "Schnorr sign";
    type Case = SignCase;
    type Answer = [u8; 64];
    type Detail = [u8; 64];
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> SignCase {
        SignCase { message: draws.message(), secret: draws.scalar(), aux: draws.number() }
    }

    fn libsecp256k1(case: &SignCase) -> [u8; 64] {
        let secret = oracle::SecretKey::from_secret_bytes(case.secret).expect("in range");
        oracle::schnorr::sign_with_aux_rand(&case.message, &secret.keypair(), &case.aux).to_byte_array()
    }

    fn k256(case: &SignCase) -> [u8; 64] {
        let key = k256::schnorr::SigningKey::from_slice(&case.secret).expect("in range");
        key.sign_raw(&case.message, &case.aux).expect("a nonce other than zero").to_bytes()
    }

    fn phalanx(surface: &Self::Surface, cases: &[SignCase]) -> Vec<[u8; 64]> {
        let messages: Vec<_> = cases.iter().map(|case| &case.message[..]).collect();
        let pair = |case: &SignCase| Keypair::from_secret(SecretKey::from_bytes(&case.secret).expect("in range"));
        let pairs: Vec<_> = cases.iter().map(pair).collect();
        let aux: Vec<_> = cases.iter().map(|case| case.aux).collect();
        surface.sign_schnorr(&messages, &pairs, &aux).iter().map(|signature| signature.to_bytes()).collect()
    }

    fn answer(detail: &[u8; 64]) -> [u8; 64] {
        *detail
    }

    fn is_positive(_: &[u8; 64]) -> bool {
        true
    }
}

struct Verify;

#[derive(Debug)]
pub(crate) struct VerifyCase {
    message: Vec<u8>,
    signature: [u8; 64],
    public: [u8; 32],
}

impl VerifyCase {
    fn row(&self) -> Row<'_> {
        Row { message: &self.message, signature: &self.signature, public_key: XOnlyKeyRef::Encoded(&self.public) }
    }
}

impl Operation for Verify {
    const NAME: &'static str = "Schnorr verify";
    type Case = VerifyCase;
    type Answer = bool;
    type Detail = Verdict;
    type Surface = dyn Verifier;

    fn draw(draws: &mut Draws) -> VerifyCase {
        let mut message = draws.message();
        let pair = oracle::SecretKey::from_secret_bytes(draws.scalar()).expect("in range").keypair();
        let mut signature = oracle::schnorr::sign_with_aux_rand(&message, &pair, &draws.number()).to_byte_array();
        let mut public = pair.public_key().x_only_public_key().0.to_byte_array();
        match draws.below(12) {
            0 => signature[..32].copy_from_slice(&draws.number()),
            1 => signature[32..].copy_from_slice(&draws.number()),
            2 => public = draws.number(),
            3 => signature[draws.below(64)] ^= 1 << draws.below(8),
            4 => message.push(0),
            5 => signature.rotate_left(32),
            _ => {}
        }
        VerifyCase { message, signature, public }
    }

    fn libsecp256k1(case: &VerifyCase) -> bool {
        let public = oracle::XOnlyPublicKey::from_byte_array(case.public);
        let signature = oracle::schnorr::Signature::from_byte_array(case.signature);
        public.is_ok_and(|public| signature.verify(&case.message, &public).is_ok())
    }

    fn k256(case: &VerifyCase) -> bool {
        let public = k256::schnorr::VerifyingKey::from_slice(&case.public);
        let signature = k256::schnorr::Signature::try_from(&case.signature[..]);
        let (Ok(public), Ok(signature)) = (public, signature) else { return false };
        public.verify_raw(&case.message, &signature).is_ok()
    }

    fn phalanx(surface: &Self::Surface, cases: &[VerifyCase]) -> Vec<Verdict> {
        let rows: Vec<_> = cases.iter().map(VerifyCase::row).collect();
        surface.verify_schnorr(&rows)
    }

    fn answer(detail: &Verdict) -> bool {
        detail.is_valid()
    }

    fn is_positive(answer: &bool) -> bool {
        *answer
    }
}

#[test]
fn sign() {
    run::<Sign>();
}

#[test]
fn verify() {
    run::<Verify>();
}
