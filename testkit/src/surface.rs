//! The surfaces of the library that must all give the same answers: single calls, and bulk calls on each backend, the
//! emulated one among them; for verdicts also batches.
//!
//! A test that runs over [`surfaces`] or [`verifiers`] gets a new backend without a change. One that adds a surface of
//! another kind (a binding, the command) adds one line to these lists.

use crate::batch_rows::{Hints, Together};
pub use crate::verifier::{Share, Verifier, backends};
use phalanx::internals::backend_of_single_calls;
use phalanx::{Backend, Bulk, Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdh, ecdsa, schnorr};

/// One way to ask the library for everything. Slices that pair up have equal lengths.
pub trait Surface: Verifier {
    /// One key or error per row.
    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>>;

    /// One public key per secret key.
    fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey>;

    /// One signature per digest and key.
    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Vec<ecdsa::Signature>;

    /// One signature per message, pair and auxiliary randomness.
    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]]) -> Vec<schnorr::Signature>;

    /// SHA-256 of the compressed product, per pair of keys.
    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Vec<[u8; 32]>;

    /// The key plus tweak times generator, per key and tweak.
    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]]) -> Vec<Result<PublicKey, Error>>;

    /// The key plus tweak, per key and tweak.
    fn tweak_add_secret(&self, secrets: &[SecretKey], tweaks: &[[u8; 32]]) -> Vec<Result<SecretKey, Error>>;

    /// One key or error per encoding of 33 or 65 bytes.
    fn decode(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>>;
}

/// Every surface this machine can run.
pub fn surfaces() -> Vec<Box<dyn Surface>> {
    let mut surfaces: Vec<Box<dyn Surface>> = vec![Box::new(Single)];
    surfaces.extend(backends().into_iter().map(|backend| Box::new(bulk(backend)) as Box<dyn Surface>));
    surfaces
}

/// Every surface that gives verdicts.
pub fn verifiers() -> Vec<Box<dyn Verifier>> {
    let mut verifiers: Vec<_> = surfaces().into_iter().map(|surface| surface as Box<dyn Verifier>).collect();
    for backend in backends() {
        for hints in [Hints::Right, Hints::Mixed] {
            verifiers.push(Box::new(Together::new(&bulk(backend), hints)));
        }
    }
    verifiers
}

/// Bulk calls on a backend that is available, and on no other.
///
/// # Panics
/// When another backend would run.
pub fn bulk(backend: Backend) -> Bulk {
    let bulk = Bulk::builder().backend(backend).threads(2).build().expect("an available backend can be built");
    assert_eq!(bulk.backend(), backend);
    bulk
}

/// One call per item.
#[derive(Debug)]
pub struct Single;

impl Verifier for Single {
    fn name(&self) -> String {
        format!("single calls, backend {}", backend_of_single_calls())
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        rows.iter().map(|row| ecdsa::verify_row(row, low_s)).collect()
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        rows.iter().map(schnorr::verify_row).collect()
    }
}

impl Surface for Single {
    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>> {
        rows.iter().map(ecdsa::recover_row).collect()
    }

    fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        secrets.iter().map(SecretKey::public_key).collect()
    }

    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Vec<ecdsa::Signature> {
        digests.iter().zip(secrets).map(|(digest, secret)| ecdsa::sign(digest, secret)).collect()
    }

    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]]) -> Vec<schnorr::Signature> {
        let items = messages.iter().zip(pairs).zip(aux);
        items.map(|((message, pair), aux)| schnorr::sign(message, pair, aux)).collect()
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Vec<[u8; 32]> {
        publics.iter().zip(secrets).map(|(public, secret)| ecdh::shared_secret(public, secret)).collect()
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]]) -> Vec<Result<PublicKey, Error>> {
        keys.iter().zip(tweaks).map(|(key, tweak)| key.tweak_add(tweak)).collect()
    }

    fn tweak_add_secret(&self, secrets: &[SecretKey], tweaks: &[[u8; 32]]) -> Vec<Result<SecretKey, Error>> {
        secrets.iter().zip(tweaks).map(|(secret, tweak)| secret.tweak_add(tweak)).collect()
    }

    fn decode(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        encoded.iter().map(|bytes| PublicKey::from_bytes(bytes)).collect()
    }
}

impl Verifier for Bulk {
    fn name(&self) -> String {
        format!("bulk calls, backend {}, {} threads", self.backend(), self.threads())
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        Bulk::verify_ecdsa(self, rows, low_s)
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        Bulk::verify_schnorr(self, rows)
    }

    fn share(&self) -> Share {
        Share::of(self.backend())
    }
}

impl Surface for Bulk {
    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>> {
        Bulk::recover(self, rows)
    }

    fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        Bulk::public_keys(self, secrets)
    }

    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Vec<ecdsa::Signature> {
        Bulk::sign_ecdsa(self, digests, secrets).expect("equal lengths")
    }

    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]]) -> Vec<schnorr::Signature> {
        Bulk::sign_schnorr(self, messages, pairs, aux).expect("equal lengths")
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Vec<[u8; 32]> {
        Bulk::shared_secrets(self, publics, secrets).expect("equal lengths")
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]]) -> Vec<Result<PublicKey, Error>> {
        Bulk::tweak_add_public(self, keys, tweaks).expect("equal lengths")
    }

    fn tweak_add_secret(&self, secrets: &[SecretKey], tweaks: &[[u8; 32]]) -> Vec<Result<SecretKey, Error>> {
        Bulk::tweak_add_secret(self, secrets, tweaks).expect("equal lengths")
    }

    fn decode(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        self.decompress(encoded)
    }
}
