//! One key, one message: ECDSA, then BIP-340 Schnorr, each signed, sent as bytes and verified.
//!
//! `cargo run --release --example sign_and_verify`

use phalanx::{Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdsa, hash, schnorr};

fn main() -> Result<(), Error> {
    let secret = SecretKey::random();
    let public = secret.public_key();
    let digest = hash::sha256(b"pay the bearer");

    // What travels are bytes: a DER signature and a compressed key.
    let signature = ecdsa::sign(&digest, &secret).to_der();
    let key = public.to_bytes();

    // The receiver parses both; a value that exists is well formed.
    let received = ecdsa::Signature::from_der(signature.as_ref())?;
    ecdsa::verify(&digest, &received, &PublicKey::from_bytes(&key)?, LowS::Require)?;
    println!("ECDSA: valid, {} bytes", signature.as_ref().len());

    // Another digest does not match.
    let other = hash::sha256(b"pay the bearer twice");
    assert_eq!(ecdsa::verify(&other, &received, &public, LowS::Require), Err(Error::InvalidSignature));

    // BIP-340 signs messages of any length; fresh bytes protect the nonce against faults.
    let pair = Keypair::from_secret(secret);
    let signature = schnorr::sign(b"pay the bearer", &pair, &hash::sha256(b"fresh bytes")).to_bytes();
    let key = XOnlyPublicKey::from_bytes(&pair.x_only().to_bytes())?;
    schnorr::verify(b"pay the bearer", &schnorr::Signature::from_bytes(&signature)?, &key)?;
    println!("Schnorr: valid, {} bytes", signature.len());
    Ok(())
}
