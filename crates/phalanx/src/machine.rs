//! Single operations on a machine of the caller's choice.

use crate::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh,
    ecdsa::{self, RecoveryId},
    hash::{BuiltIn, Compression},
    mul::Unit,
    schnorr,
};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_engine::word::Ifma;

/// What single operations run on: one lane of any CPU, or the lanes of AVX-512 IFMA. All give the same results, bit for
/// bit.
///
/// The functions of [`ecdsa`], [`schnorr`] and [`ecdh`] take the best machine there is, which is found out once and
/// remembered. A `Machine` is that choice as a value: nothing is asked, remembered or read from the environment when it
/// computes. It serves programs that measure or compare backends, and code without memory of its own, such as an image
/// that another language loads.
///
/// ```
/// use phalanx::{Backend, LowS, Machine, SecretKey};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// for backend in Backend::available() {
///     let machine = Machine::of(*backend)?;
///     let (public, signature) = (machine.public_key(&secret), machine.sign_ecdsa(&[7; 32], &secret));
///     machine.verify_ecdsa(&[7; 32], &signature, &public, LowS::Require)?;
///     assert_eq!(machine.backend(), backend.of_single_calls());
/// }
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Machine(Unit);

impl Machine {
    /// One lane, on any CPU.
    ///
    /// ```
    /// # use phalanx::{Backend, Machine};
    /// assert_eq!(Machine::PORTABLE.backend(), Backend::Portable);
    /// ```
    pub const PORTABLE: Machine = Machine(Unit::OneLane);

    /// What single operations run on where the backend is chosen: its own lanes, or one lane where that is faster
    /// ([`Backend::of_single_calls`]). Asks the CPU.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`] if this build or this CPU does not have it. Without the feature `std` nobody asks
    /// the CPU, and only the portable backend is there; see [`Machine::assume_ifma`].
    ///
    /// ```
    /// # use phalanx::{Backend, Machine};
    /// assert!(Machine::of(Backend::Portable).is_ok());
    /// ```
    pub fn of(backend: Backend) -> Result<Machine, Error> {
        let machine = Machine(Unit::of(backend.check()?));
        let expected = machine.backend() == backend.of_single_calls();
        if expected { Ok(machine) } else { Err(Backend::unavailable(backend.name())) }
    }

    /// The lanes of AVX-512 IFMA, without asking the CPU: for callers that have asked it themselves.
    ///
    /// Not for builds without optimisation, in which it wants more stack than a thread has.
    ///
    /// # Safety
    /// The CPU, and the operating system, must support AVX-512 F, DQ, BW, VL and IFMA, BMI2 and ADX.
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    #[allow(unsafe_code)]
    pub const unsafe fn assume_ifma() -> Machine {
        // SAFETY: the caller promises what this asks for.
        Machine(Unit::Ifma(unsafe { Ifma::assume() }))
    }

    /// The backend whose machine this is: [`Backend::Portable`] for one lane.
    pub const fn backend(self) -> Backend {
        self.0.backend()
    }

    /// [`SecretKey::public_key`]. Constant time.
    pub fn public_key(self, secret: &SecretKey) -> PublicKey {
        secret.public_key_on(self.0)
    }

    /// [`Keypair::from_secret`]. Constant time.
    pub fn keypair(self, secret: SecretKey) -> Keypair {
        Keypair::from_secret_on(self.0, &secret)
    }

    /// [`ecdsa::sign`]. Constant time.
    pub fn sign_ecdsa(self, digest: &[u8; 32], secret: &SecretKey) -> ecdsa::Signature {
        self.sign_ecdsa_recoverable(digest, secret).0
    }

    /// [`ecdsa::sign_recoverable`]. Constant time.
    pub fn sign_ecdsa_recoverable(self, digest: &[u8; 32], secret: &SecretKey) -> (ecdsa::Signature, RecoveryId) {
        self.sign_ecdsa_recoverable_by(BuiltIn, digest, secret)
    }

    /// The same, with a compression function of the caller's for the nonce. Constant time where it is.
    ///
    /// ```
    /// use phalanx::{Machine, SecretKey, hash::{BuiltIn, Compression}};
    /// let secret = SecretKey::from_bytes(&[1; 32])?;
    /// let own = |state: &mut [u32; 8], blocks: &[[u8; 64]]| BuiltIn.compress(state, blocks);
    /// let signed = Machine::PORTABLE.sign_ecdsa_recoverable_by(own, &[7; 32], &secret);
    /// assert_eq!(signed, Machine::PORTABLE.sign_ecdsa_recoverable(&[7; 32], &secret));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_ecdsa_recoverable_by(
        self,
        compression: impl Compression,
        digest: &[u8; 32],
        secret: &SecretKey,
    ) -> (ecdsa::Signature, RecoveryId) {
        ecdsa::sign_recoverable_on(self.0, compression, digest, secret)
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
        ecdsa::verify_on(self.0, digest, signature, public_key, low_s)
    }

    /// [`ecdsa::recover`]. Variable time.
    ///
    /// # Errors
    /// As [`ecdsa::recover`].
    pub fn recover(self, digest: &[u8; 32], signature: &ecdsa::Signature, id: RecoveryId) -> Result<PublicKey, Error> {
        ecdsa::recover_on(self.0, digest, signature, id)
    }

    /// [`schnorr::sign`]. Constant time.
    pub fn sign_schnorr(self, message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> schnorr::Signature {
        self.sign_schnorr_by(BuiltIn, message, pair, aux)
    }

    /// The same, with a compression function of the caller's. Constant time where it is.
    ///
    /// ```
    /// use phalanx::{Keypair, Machine, hash::{BuiltIn, Compression}};
    /// let (machine, pair) = (Machine::PORTABLE, Keypair::random());
    /// let own = |state: &mut [u32; 8], blocks: &[[u8; 64]]| BuiltIn.compress(state, blocks);
    /// let signature = machine.sign_schnorr_by(own, b"m", &pair, &[0; 32]);
    /// assert_eq!(signature, machine.sign_schnorr(b"m", &pair, &[0; 32]));
    /// machine.verify_schnorr_by(own, b"m", &signature, &pair.x_only())?;
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_schnorr_by(
        self,
        compression: impl Compression,
        message: &[u8],
        pair: &Keypair,
        aux: &[u8; 32],
    ) -> schnorr::Signature {
        schnorr::sign_on(self.0, compression, message, pair, aux)
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
        self.verify_schnorr_by(BuiltIn, message, signature, public_key)
    }

    /// The same, with a compression function of the caller's. Variable time.
    ///
    /// # Errors
    /// As [`schnorr::verify`].
    pub fn verify_schnorr_by(
        self,
        compression: impl Compression,
        message: &[u8],
        signature: &schnorr::Signature,
        public_key: &XOnlyPublicKey,
    ) -> Result<(), Error> {
        schnorr::verify_on(self.0, compression, message, signature, public_key)
    }

    /// [`ecdh::shared_secret`]. Constant time.
    pub fn shared_secret(self, public: &PublicKey, secret: &SecretKey) -> [u8; 32] {
        ecdh::shared_secret_on(self.0, public, secret, ecdh::hash_compressed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn every_machine_computes_the_same() {
        for label in 0..8u8 {
            let digest = sha256(&[label]);
            let secret = SecretKey::from_bytes(&sha256(&digest)).unwrap();
            let pair = Keypair::from_secret(secret.clone());
            let other = SecretKey::from_bytes(&[label + 1; 32]).unwrap().public_key();
            let mut backends = 0;
            for backend in Backend::available() {
                let machine = Machine::of(*backend).unwrap();
                assert_eq!(machine.backend(), backend.of_single_calls());
                assert_eq!(machine.public_key(&secret), pair.public_key());
                assert_eq!(machine.keypair(secret.clone()).public_key(), pair.public_key());
                let (signature, id) = machine.sign_ecdsa_recoverable(&digest, &secret);
                assert_eq!((signature, id), ecdsa::sign_recoverable(&digest, &secret));
                assert_eq!(machine.sign_ecdsa(&digest, &secret), signature);
                assert_eq!(machine.recover(&digest, &signature, id), Ok(pair.public_key()));
                let verify = |digest| machine.verify_ecdsa(digest, &signature, &pair.public_key(), LowS::Require);
                assert_eq!((verify(&digest), verify(&[label; 32])), (Ok(()), Err(Error::InvalidSignature)));
                let signature = machine.sign_schnorr(&digest, &pair, &[label; 32]);
                assert_eq!(signature, schnorr::sign(&digest, &pair, &[label; 32]));
                let verify = |message| machine.verify_schnorr(message, &signature, &pair.x_only());
                assert_eq!((verify(&digest), verify(b"another")), (Ok(()), Err(Error::InvalidSignature)));
                assert_eq!(machine.shared_secret(&other, &secret), ecdh::shared_secret(&other, &secret));
                backends += 1;
            }
            assert_eq!(backends, Backend::available().len());
        }
    }

    #[cfg(feature = "internals")]
    #[test]
    fn emulated_words_compute_no_single_operation() {
        assert!(Machine::of(Backend::Emulated).is_err());
    }

    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    #[test]
    #[allow(unsafe_code)]
    fn a_promised_machine_is_the_detected_one() {
        if Machine::of(Backend::Ifma).is_err() {
            return phalanx_tiers::skipped("vector words", "a machine that the caller promises");
        }
        // SAFETY: the CPU has just been asked.
        let machine = unsafe { Machine::assume_ifma() };
        assert_eq!(machine.backend(), Backend::Ifma);
        let secret = SecretKey::from_bytes(&[7; 32]).unwrap();
        assert_eq!(machine.public_key(&secret), Machine::PORTABLE.public_key(&secret));
    }
}
