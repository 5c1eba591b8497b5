//! Bulk calls: slices in, one answer per row out.
//!
//! A [`Bulk`] is a backend and a number of threads. Its answers are those of the single operations, row by row and bit
//! for bit. They do not depend on the backend, the number of threads, the grouping of rows or the other rows.
//!
//! - [`OneThread`]: bulk calls on the calling thread, in memory that the caller lends;
//! - `secret_columns`: secret keys in columns;
//! - `builder`: the caller's choices;
//! - `kernels`: the interface that backends share;
//! - `portable`: the backend for any CPU;
//! - `eight`: the backends in eight lanes;
//! - `verify`: verification;
//! - `rows`: rows in slices and in columns;
//! - `memory`: the memory in which a chunk of rows is computed;
//! - [`Operation`]: the operations by name;
//! - `key_tables`: tables of keys that many rows share.

mod builder;
mod eight;
mod kernels;
mod key_tables;
mod memory;
mod one_thread;
mod operation;
mod portable;
mod rows;
mod secret_columns;
mod select;
mod verify;

pub use one_thread::OneThread;
pub use operation::Operation;
pub use rows::Rows;
pub(crate) use rows::{Made, check, gathered, lines as lines_of_gathered, sealed};

use crate::{
    Backend, Error, Keypair, PublicKey, SecretKey,
    backend::{Builder, Threads, refuse},
    ecdsa, schnorr,
    wipe::ScalarStack,
};
use alloc::{vec, vec::Vec};
use core::{fmt, ops::Range};
use kernels::Kernels;
use phalanx_engine::word::CacheLine;
use select::Code;

/// Bulk operations on one backend and a number of threads.
///
/// On a vector unit, eight rows are computed side by side, and a call of fewer takes as long as one of eight. So for a
/// row or two, single calls may be faster.
///
/// ```
/// use phalanx::{Bulk, LowS, SecretKey, Verdict, ecdsa};
/// let secrets: Vec<_> = (1..=100u8).map(|i| SecretKey::from_bytes(&[i; 32])).collect::<Result<_, _>>()?;
/// let digests: Vec<_> = (1..=100u8).map(|i| [i; 32]).collect();
///
/// let bulk = Bulk::new();
/// let keys = bulk.public_keys(&secrets);
/// let signatures = bulk.sign_ecdsa(&digests, &secrets)?;
/// let verdicts = bulk.verify_ecdsa(&ecdsa::rows(&digests, &signatures, &keys)?, LowS::Require);
/// assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone)]
pub struct Bulk {
    backend: Backend,
    code: Code,
    threads: Threads,
    kept: alloc::sync::Arc<key_tables::KeyTableCache>,
}

impl Bulk {
    /// The best backend and all cores, or the backend that the environment variable `PHALANX_BACKEND` names.
    ///
    /// # Panics
    /// If `PHALANX_BACKEND` names a backend that is not available: to go on with another would defeat its purpose.
    /// [`Bulk::builder`] gives an error instead.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert!(Bulk::new().threads() >= 1);
    /// ```
    pub fn new() -> Self {
        Self::builder().build().unwrap_or_else(|error| refuse(error))
    }

    pub(crate) fn with(backend: Backend, threads: Threads) -> Result<Self, Error> {
        Ok(Bulk { backend, code: Code::of(backend)?, threads, kept: key_tables::KeyTableCache::default().into() })
    }

    fn kernels(&self) -> &dyn Kernels {
        self.code.kernels()
    }

    pub(crate) fn backend_and_threads(&self) -> (Backend, Threads) {
        (self.backend, self.threads.clone())
    }

    /// To choose backend and threads.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert_eq!(Bulk::builder().threads(2).build()?.threads(), 2);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn builder() -> Builder<Bulk> {
        Builder::default()
    }

    /// The backend that computes.
    ///
    /// ```
    /// # use phalanx::{Backend, Bulk};
    /// assert!(Backend::available().contains(&Bulk::new().backend()));
    /// ```
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The number of threads that a call made from here uses.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert_eq!(Bulk::builder().threads(1).build()?.threads(), 1);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Deals rows to the threads of this `Bulk`, in chunks: `work` gets the numbers of a chunk's rows, the elements of
    /// `out` for them, and the means to compute on the thread that it runs on, with a workspace that is enough for
    /// `operation` on the chunk. A thread keeps that memory from call to call.
    ///
    /// For work that surrounds a bulk operation, such as reading rows and writing answers.
    ///
    /// ```
    /// use phalanx::{Bulk, PublicKey, SecretKey, bulk::Operation};
    /// let numbers: Vec<u8> = (1..=100).collect();
    /// let mut keys = vec![[0; 33]; 100];
    /// Bulk::new().in_chunks(Operation::PublicKeys, &mut keys, |rows, keys, bulk, workspace| {
    ///     let secrets: Vec<_> =
    ///         numbers[rows].iter().map(|i| SecretKey::from_bytes(&[*i; 32]).expect("below the order")).collect();
    ///     let mut points = vec![PublicKey::GENERATOR; secrets.len()];
    ///     bulk.public_keys(&secrets, &mut points, workspace).expect("a chunk's workspace");
    ///     keys.iter_mut().zip(points).for_each(|(key, point)| *key = point.to_bytes());
    /// });
    /// assert_eq!(keys[41], SecretKey::from_bytes(&[42; 32])?.public_key().to_bytes());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn in_chunks<T: Send>(
        &self,
        operation: Operation,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T], OneThread, &mut [CacheLine]) + Sync,
    ) {
        let bulk = self.one_thread();
        self.threads.fill(out, |range, out| {
            memory::own(bulk.lines(operation, range.len()), |memory| work(range, out, bulk, memory));
        });
    }

    /// The same backend on the calling thread, in memory that the caller lends.
    pub fn one_thread(&self) -> OneThread {
        OneThread::with(self.code)
    }

    /// Answers by an operation of one thread. The slices were compared before, and the workspace is a chunk's.
    fn by_chunks<T: Send>(
        &self,
        operation: Operation,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T], OneThread, &mut [CacheLine]) -> Result<(), Error> + Sync,
    ) {
        self.in_chunks(operation, out, |range, out, bulk, memory| {
            let done = work(range, out, bulk, memory);
            assert_eq!(done, Ok(()), "a chunk has as many answers as rows, and a workspace for them");
        });
    }

    /// [`ecdsa::recover_row`] on each row. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
    /// let keys = Bulk::new().recover(&ecdsa::recover_rows(&[[1; 32]], &[signature], &[id])?);
    /// assert_eq!(keys, [Ok(secret.public_key())]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>> {
        let mut out = vec![Err(Error::InvalidSignature); rows.len()];
        self.by_chunks(Operation::Recover, &mut out, |range, out, bulk, memory| {
            bulk.recover(&rows[range], out, memory)
        });
        out
    }

    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// assert_eq!(Bulk::new().public_keys(&[secret.clone()]), [secret.public_key()]);
    /// ```
    pub fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        let mut out = vec![PublicKey::GENERATOR; secrets.len()];
        self.by_chunks(Operation::PublicKeys, &mut out, |range, out, bulk, memory| {
            bulk.public_keys(&secrets[range], out, memory)
        });
        out
    }

    /// [`ecdsa::sign`] with each digest and key. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let signatures = Bulk::new().sign_ecdsa(&[[1; 32]], &[secret.clone()])?;
    /// assert_eq!(signatures, [ecdsa::sign(&[1; 32], &secret)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Result<Vec<ecdsa::Signature>, Error> {
        Error::check_lengths(digests.len(), secrets.len())?;
        let mut out = vec![ecdsa::Signature::PLACEHOLDER; digests.len()];
        self.by_chunks(Operation::SignEcdsa, &mut out, |range, out, bulk, memory| {
            bulk.sign_ecdsa(&digests[range.clone()], &secrets[range], out, memory)
        });
        Ok(out)
    }

    /// [`schnorr::sign`] with each message, pair and auxiliary randomness. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = Bulk::new().sign_schnorr(&[b"m"], &[pair.clone()], &[[0; 32]])?;
    /// assert_eq!(signatures, [schnorr::sign(b"m", &pair, &[0; 32])]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_schnorr(
        &self,
        messages: &[&[u8]],
        pairs: &[Keypair],
        aux: &[[u8; 32]],
    ) -> Result<Vec<schnorr::Signature>, Error> {
        Error::check_lengths(messages.len(), pairs.len())?;
        Error::check_lengths(messages.len(), aux.len())?;
        let mut out = vec![schnorr::Signature::PLACEHOLDER; messages.len()];
        self.by_chunks(Operation::SignSchnorr, &mut out, |range, out, bulk, memory| {
            let (messages, pairs) = (&messages[range.clone()], &pairs[range.clone()]);
            bulk.sign_schnorr(messages, pairs, &aux[range], out, memory)
        });
        Ok(out)
    }

    /// [`crate::ecdh::shared_secret`] of each pair of keys. Constant time in the secret keys.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdh};
    /// let (mine, theirs) = (SecretKey::random(), SecretKey::random().public_key());
    /// let shared = Bulk::new().shared_secrets(&[theirs], &[mine.clone()])?;
    /// assert_eq!(shared, [ecdh::shared_secret(&theirs, &mine)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Result<Vec<[u8; 32]>, Error> {
        Error::check_lengths(publics.len(), secrets.len())?;
        let mut out = vec![[0; 32]; publics.len()];
        self.by_chunks(Operation::SharedSecrets, &mut out, |range, out, bulk, memory| {
            bulk.shared_secrets(&publics[range.clone()], &secrets[range], out, memory)
        });
        Ok(out)
    }

    /// [`PublicKey::tweak_add`] of each key and tweak. Constant time in the tweaks, except that it tells whether the
    /// result is a key.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// let tweaked = Bulk::new().tweak_add_public(&[key, key], &[[1; 32], [0xff; 32]])?;
    /// assert_eq!(tweaked, [key.tweak_add(&[1; 32]), Err(Error::BadTweak)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tweak_add_public(
        &self,
        keys: &[PublicKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<PublicKey, Error>>, Error> {
        Error::check_lengths(keys.len(), tweaks.len())?;
        let mut out = vec![Err(Error::BadTweak); keys.len()];
        self.by_chunks(Operation::TweakAddPublic, &mut out, |range, out, bulk, memory| {
            bulk.tweak_add_public(&keys[range.clone()], &tweaks[range], out, memory)
        });
        Ok(out)
    }

    /// [`SecretKey::tweak_add`] of each key and tweak. Constant time, except that it tells whether the result is a key.
    ///
    /// An addition modulo the group order is so little work that one thread does it, the same way on every backend.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// let tweaked = Bulk::new().tweak_add_secret(&[secret.clone()], &[[1; 32]])?;
    /// assert_eq!(tweaked, [secret.tweak_add(&[1; 32])]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add_secret(
        &self,
        secrets: &[SecretKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<SecretKey, Error>>, Error> {
        Error::check_lengths(secrets.len(), tweaks.len())?;
        let tweaked = || secrets.iter().zip(tweaks).map(|(secret, tweak)| secret.tweak_add(tweak)).collect();
        Ok(ScalarStack::cleared(tweaked))
    }

    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    pub(crate) fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        assert_eq!(x.len(), out.len(), "a place for each point");
        self.threads.fill(out, |range, out| {
            let lines = self.kernels().lines(Operation::Decompress, range.len());
            memory::own(lines, |memory| self.kernels().lift(&x[range], out, memory));
        });
    }

    /// [`PublicKey::from_bytes`] of each encoding. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(Bulk::new().decompress(&[&key.to_bytes(), &[]]), [Ok(key), Err(Error::BadPublicKey)]);
    /// ```
    pub fn decompress(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        let mut out = vec![Err(Error::BadPublicKey); encoded.len()];
        self.by_chunks(Operation::Decompress, &mut out, |range, out, bulk, memory| {
            bulk.decompress(&encoded[range], out, memory)
        });
        out
    }
}

impl Default for Bulk {
    /// As [`Bulk::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Bulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("backend", &self.backend).field("threads", &self.threads()).finish()
    }
}
