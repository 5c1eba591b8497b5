//! BIP-340: signing and verification.

use super::keys::{oracle_secret, secret};
use super::operation::{Operation, run};
use phalanx::schnorr::Row;
use phalanx::{Keypair, Verdict, XOnlyKeyRef};
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Surface, Verifier, surfaces, verifiers};
use secp256k1 as oracle;

/// Message, secret key, auxiliary randomness.
type Signing = (Vec<u8>, [u8; 32], [u8; 32]);

#[test]
fn sign() {
    run(&Operation::<Signing, Option<[u8; 64]>, dyn Surface> {
        name: "Schnorr sign",
        surfaces,
        draw: |draws| (draws.message(), draws.scalar(), draws.number()),
        libsecp256k1: |(message, secret, aux)| {
            let pair = oracle_secret(secret).keypair();
            Some(oracle::schnorr::sign_with_aux_rand(message, &pair, aux).to_byte_array())
        },
        k256: |(message, secret, aux)| {
            let key = k256::schnorr::SigningKey::from_slice(secret).ok()?;
            Some(key.sign_raw(message, aux).ok()?.to_bytes())
        },
        phalanx: |surface, cases| {
            let messages: Vec<_> = cases.iter().map(|(message, ..)| &message[..]).collect();
            let pairs: Vec<_> = cases.iter().map(|(_, key, _)| Keypair::from_secret(secret(key))).collect();
            let aux: Vec<_> = cases.iter().map(|(.., aux)| *aux).collect();
            let signatures = surface.sign_schnorr(&messages, &pairs, &aux);
            signatures.iter().map(|signature| Some(signature.to_bytes())).collect()
        },
    });
}

/// Message, signature, x-only key.
type Claim = (Vec<u8>, [u8; 64], [u8; 32]);

/// Half of them valid.
fn claim(draws: &mut Draws) -> Claim {
    let mut message = draws.message();
    let pair = oracle_secret(&draws.scalar()).keypair();
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
    (message, signature, public)
}

#[test]
fn verify() {
    run(&Operation::<Claim, Verdict, dyn Verifier> {
        name: "Schnorr verify",
        surfaces: verifiers,
        draw: claim,
        libsecp256k1: |(message, signature, public)| {
            let public = oracle::XOnlyPublicKey::from_byte_array(*public).ok()?;
            oracle::schnorr::Signature::from_byte_array(*signature).verify(message, &public).ok()
        },
        k256: |(message, signature, public)| {
            let public = k256::schnorr::VerifyingKey::from_slice(public).ok()?;
            public.verify_raw(message, &k256::schnorr::Signature::try_from(&signature[..]).ok()?).ok()
        },
        phalanx: |surface, cases| {
            let rows = cases.iter().map(|(message, signature, public)| Row {
                message,
                signature,
                public_key: XOnlyKeyRef::Encoded(public),
            });
            surface.verify_schnorr(&rows.collect::<Vec<_>>())
        },
    });
}
