//! Computation on the calling thread, on what the caller chooses.

use crate::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, Verdict, XOnlyPublicKey,
    backend::Lanes,
    ecdh,
    ecdsa::{self, RecoveryId},
    mul::Unit,
    schnorr,
};
use core::fmt;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_engine::word::{Fma, Ifma, VectorUnit};

/// A backend on the calling thread: for single calls, and for rows and sums in memory that the caller lends.
///
/// The functions of [`ecdsa`], [`schnorr`] and [`ecdh`] take the best backend there is, which is found out once and
/// remembered. A `OneThread` is that choice as a value: nothing is allocated, asked of the CPU, remembered or read from
/// the environment when it computes. So it serves programs that compare backends, code without an allocator, threads
/// that the caller brings, and calls that must not fail for want of memory. All backends give the same results, bit for
/// bit.
///
/// ```
/// use phalanx::{Backend, LowS, SecretKey, bindings::OneThread};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// for backend in Backend::available() {
///     let one = OneThread::of(*backend)?;
///     let (public, signature) = (one.public_key(&secret), one.sign_ecdsa(&[7; 32], &secret));
///     one.verify_ecdsa(&[7; 32], &signature, &public, LowS::Require)?;
/// }
/// # Ok::<(), phalanx::Error>(())
/// ```
///
/// What a workspace holds when a call begins does not matter, and when it ends no secret is left in it. Where rows are
/// computed, no tables of keys are made.
#[derive(Clone, Copy)]
pub struct OneThread(Lanes);

impl OneThread {
    /// On any CPU.
    pub const PORTABLE: OneThread = OneThread(Lanes::One);

    /// By a backend. Asks the CPU.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`] if this build or this CPU does not have it. Without the feature `std` nobody asks
    /// the CPU; see [`OneThread::assume_ifma`] and [`OneThread::assume_fma`].
    pub fn of(backend: Backend) -> Result<OneThread, Error> {
        Lanes::of(backend).map(OneThread)
    }

    /// By AVX-512 IFMA, without asking the CPU: for callers that have asked it themselves.
    ///
    /// Not for builds without optimisation, in which it wants more stack than a thread has.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX-512 F, DQ, BW, VL and IFMA, BMI2 and ADX.
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    #[allow(unsafe_code)]
    pub const unsafe fn assume_ifma() -> OneThread {
        // SAFETY: the caller promises what this asks for.
        OneThread(Lanes::of_vectors(VectorUnit::Ifma(unsafe { Ifma::assume() })))
    }

    /// By AVX2 and FMA, without asking the CPU: for callers that have asked it themselves.
    ///
    /// Not for builds without optimisation, in which it wants more stack than a thread has.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX2, FMA and BMI2.
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    #[allow(unsafe_code)]
    pub const unsafe fn assume_fma() -> OneThread {
        // SAFETY: the caller promises what this asks for.
        OneThread(Lanes::of_vectors(VectorUnit::Fma(unsafe { Fma::assume() })))
    }

    pub(crate) const fn with(lanes: Lanes) -> OneThread {
        OneThread(lanes)
    }

    /// The backend that computes. Single calls run on its lanes, or on one lane where that is faster.
    pub const fn backend(self) -> Backend {
        self.0.backend()
    }

    /// What computes rows.
    pub(crate) const fn lanes(self) -> Lanes {
        self.0
    }

    /// What computes a single call.
    pub(crate) fn unit(self) -> Unit {
        Unit::of_vectors(self.0.vectors())
    }

    /// [`SecretKey::public_key`]. Constant time.
    pub fn public_key(self, secret: &SecretKey) -> PublicKey {
        secret.public_key_on(self.unit())
    }

    /// [`Keypair::from_secret`]. Constant time.
    pub fn keypair(self, secret: SecretKey) -> Keypair {
        Keypair::from_secret_on(self.unit(), &secret)
    }

    /// [`ecdsa::sign`]. Constant time.
    pub fn sign_ecdsa(self, digest: &[u8; 32], secret: &SecretKey) -> ecdsa::Signature {
        self.sign_ecdsa_recoverable(digest, secret).0
    }

    /// [`ecdsa::sign_recoverable`]. Constant time.
    pub fn sign_ecdsa_recoverable(self, digest: &[u8; 32], secret: &SecretKey) -> (ecdsa::Signature, RecoveryId) {
        ecdsa::sign_recoverable_on(self.unit(), digest, secret)
    }

    /// [`ecdsa::verify`]. Variable time.
    ///
    /// # Errors
    /// As [`ecdsa::verify`].
    pub fn verify_ecdsa(
        self,
        digest: &[u8; 32],
        signature: &ecdsa::Signature,
        public_key: &PublicKey,
        low_s: LowS,
    ) -> Result<(), Error> {
        ecdsa::verify_on(self.unit(), digest, signature, public_key, low_s)
    }

    /// [`ecdsa::verify_row`]. Variable time.
    pub fn verify_ecdsa_row(self, row: &ecdsa::Row<'_>, low_s: LowS) -> Verdict {
        ecdsa::verify_row_on(self.unit(), row, low_s)
    }

    /// [`schnorr::verify_row`]. Variable time.
    pub fn verify_schnorr_row(self, row: &schnorr::Row<'_>) -> Verdict {
        schnorr::verify_row_on(self.unit(), row)
    }

    /// [`ecdsa::recover`]. Variable time.
    ///
    /// # Errors
    /// As [`ecdsa::recover`].
    pub fn recover(self, digest: &[u8; 32], signature: &ecdsa::Signature, id: RecoveryId) -> Result<PublicKey, Error> {
        ecdsa::recover_on(self.unit(), digest, signature, id)
    }

    /// [`schnorr::sign`]. Constant time.
    pub fn sign_schnorr(self, message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> schnorr::Signature {
        schnorr::sign_on(self.unit(), message, pair, aux)
    }

    /// [`schnorr::verify`]. Variable time.
    ///
    /// # Errors
    /// As [`schnorr::verify`].
    pub fn verify_schnorr(
        self,
        message: &[u8],
        signature: &schnorr::Signature,
        public_key: &XOnlyPublicKey,
    ) -> Result<(), Error> {
        schnorr::verify_on(self.unit(), message, signature, public_key)
    }

    /// [`ecdh::shared_secret`]. Constant time.
    pub fn shared_secret(self, public: &PublicKey, secret: &SecretKey) -> [u8; 32] {
        self.shared_secret_with(public, secret, ecdh::hash_compressed)
    }

    /// [`ecdh::shared_secret_with`]. Constant time.
    pub fn shared_secret_with<T>(
        self,
        public: &PublicKey,
        secret: &SecretKey,
        hash: impl FnOnce(&[u8; 32], &[u8; 32]) -> T,
    ) -> T {
        ecdh::shared_secret_on(self.unit(), public, secret, hash)
    }
}

impl fmt::Debug for OneThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OneThread").field(&self.backend()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn every_one_computes_the_same() {
        for label in 0..8u8 {
            let digest = sha256(&[label]);
            let secret = SecretKey::from_bytes(&sha256(&digest)).unwrap();
            let pair = Keypair::from_secret(secret.clone());
            let other = SecretKey::from_bytes(&[label + 1; 32]).unwrap().public_key();
            let mut backends = 0;
            for backend in Backend::available() {
                let one = OneThread::of(*backend).unwrap();
                assert_eq!(one.backend(), *backend);
                assert_eq!(one.public_key(&secret), pair.public_key());
                assert_eq!(one.keypair(secret.clone()).public_key(), pair.public_key());
                let (signature, id) = one.sign_ecdsa_recoverable(&digest, &secret);
                assert_eq!((signature, id), ecdsa::sign_recoverable(&digest, &secret));
                assert_eq!(one.sign_ecdsa(&digest, &secret), signature);
                assert_eq!(one.recover(&digest, &signature, id), Ok(pair.public_key()));
                let verify = |digest| one.verify_ecdsa(digest, &signature, &pair.public_key(), LowS::Require);
                assert_eq!((verify(&digest), verify(&[label; 32])), (Ok(()), Err(Error::InvalidSignature)));
                let signature = one.sign_schnorr(&digest, &pair, &[label; 32]);
                assert_eq!(signature, schnorr::sign(&digest, &pair, &[label; 32]));
                let verify = |message| one.verify_schnorr(message, &signature, &pair.x_only());
                assert_eq!((verify(&digest), verify(b"another")), (Ok(()), Err(Error::InvalidSignature)));
                assert_eq!(one.shared_secret(&other, &secret), ecdh::shared_secret(&other, &secret));
                assert_eq!(one.shared_secret_with(&other, &secret, |x, _| *x), ecdh::shared_x(&other, &secret));
                backends += 1;
            }
            assert_eq!(backends, Backend::available().len());
        }
    }
}
