//! The traits of the crate `signature` for ECDSA: other people's generic code signs and verifies by them.
//!
//! Messages are hashed by SHA-256. Signatures are those of [`super::sign`]; a high s is refused, because the traits
//! leave no room to name another policy.

use super::{Signature, sign, verify};
use crate::{LowS, PublicKey, SecretKey, hash::sha256};
use signature::{
    Error, Keypair, SignatureEncoding, Signer, Verifier,
    hazmat::{PrehashSigner, PrehashVerifier},
};

impl Keypair for SecretKey {
    type VerifyingKey = PublicKey;

    fn verifying_key(&self) -> PublicKey {
        self.public_key()
    }
}

impl Signer<Signature> for SecretKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, Error> {
        Ok(sign(&sha256(message), self))
    }
}

/// Fails for a digest that is not 32 bytes.
impl PrehashSigner<Signature> for SecretKey {
    fn sign_prehash(&self, digest: &[u8]) -> Result<Signature, Error> {
        Ok(sign(digest.try_into().map_err(|_| Error::new())?, self))
    }
}

/// As [`super::sign_with_entropy`], with 32 bytes of the generator.
#[cfg(feature = "rand_core")]
impl signature::RandomizedSigner<Signature> for SecretKey {
    fn try_sign_with_rng<R: rand_core::TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        let mut entropy = [0; 32];
        rng.try_fill_bytes(&mut entropy).map_err(|_| Error::new())?;
        Ok(super::sign_with_entropy(&sha256(message), self, &entropy))
    }
}

impl Verifier<Signature> for PublicKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        verify(&sha256(message), signature, self, LowS::Require).map_err(|_| Error::new())
    }
}

/// Fails for a digest that is not 32 bytes.
impl PrehashVerifier<Signature> for PublicKey {
    fn verify_prehash(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        let digest = digest.try_into().map_err(|_| Error::new())?;
        verify(digest, signature, self, LowS::Require).map_err(|_| Error::new())
    }
}

/// The 64 bytes of [`Signature::to_compact`].
impl SignatureEncoding for Signature {
    type Repr = [u8; 64];
}

impl TryFrom<&[u8]> for Signature {
    type Error = crate::Error;

    /// Reads the 64-byte form.
    fn try_from(bytes: &[u8]) -> Result<Signature, crate::Error> {
        Signature::from_compact(bytes)
    }
}

impl From<Signature> for [u8; 64] {
    fn from(signature: Signature) -> [u8; 64] {
        signature.to_compact()
    }
}
