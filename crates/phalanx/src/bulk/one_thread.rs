//! Bulk operations on the calling thread, in the caller's memory.

use super::{
    Operation,
    eight::LaneKernels,
    kernels::{Kernels, Lines, SchnorrSecrets},
    portable::Portable,
    rows::{self, Rows, check, gathered},
    select::{Code, on},
};
use crate::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdsa, mul::Unit, schnorr,
    tuning::ROWS_PER_CHUNK_MAX, wipe::ChunkStack,
};
use core::{fmt, ops::Range};
use phalanx_engine::word::{CacheLine, VectorUnit};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_engine::word::{Fma, Ifma};

/// Bulk operations on the calling thread: answers go to the caller's slices, and all memory that a call needs beyond
/// the stack is the caller's.
///
/// Nothing is allocated, asked of the CPU, remembered or read from the environment. So this serves code without an
/// allocator, threads that the caller brings, and calls that must not fail for want of memory. The answers are those of
/// [`Bulk`](super::Bulk), which computes by the same code; but no tables of keys are made.
///
/// ```
/// use phalanx::{Backend, CacheLine, LowS, SecretKey, Verdict, bulk::{OneThread, Operation}, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (digests, keys) = ([[7; 32]; 20], [secret.public_key(); 20]);
/// let signatures = [ecdsa::sign(&[7; 32], &secret); 20];
/// let rows = ecdsa::rows(&digests, &signatures, &keys)?;
///
/// let bulk = OneThread::of(Backend::Portable)?;
/// let mut workspace = vec![CacheLine([0; 8]); bulk.lines(Operation::VerifyEcdsa, rows.len())];
/// let mut verdicts = [Verdict::InvalidSignature; 20];
/// bulk.verify_ecdsa(&rows[..], LowS::Require, &mut verdicts, &mut workspace)?;
/// assert_eq!(verdicts, [Verdict::Valid; 20]);
/// # Ok::<(), phalanx::Error>(())
/// ```
///
/// What a workspace holds when a call begins does not matter, and when it ends no secret is left in it.
#[derive(Clone, Copy)]
pub struct OneThread(Code);

impl OneThread {
    /// On any CPU.
    pub const PORTABLE: OneThread = OneThread(Code::Portable(Portable));

    /// By a backend. Asks the CPU.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`] if this build or this CPU does not have it. Without the feature `std` nobody asks
    /// the CPU; see [`OneThread::assume_ifma`] and [`OneThread::assume_fma`].
    pub fn of(backend: Backend) -> Result<OneThread, Error> {
        Code::of(backend).map(OneThread)
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
        OneThread(Code::Vectors(LaneKernels(VectorUnit::Ifma(unsafe { Ifma::assume() }))))
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
        OneThread(Code::Vectors(LaneKernels(VectorUnit::Fma(unsafe { Fma::assume() }))))
    }

    pub(super) fn with(code: Code) -> OneThread {
        OneThread(code)
    }

    /// The backend that computes.
    pub const fn backend(self) -> Backend {
        self.0.backend()
    }

    /// The vector unit that computes, if it is one.
    pub(crate) fn vectors(self) -> Option<VectorUnit> {
        match self.0 {
            Code::Vectors(LaneKernels(machine)) => Some(machine),
            _ => None,
        }
    }

    /// What calls for one row run on.
    pub(crate) fn unit(self) -> Unit {
        Unit::of_vectors(self.vectors())
    }

    /// The number of cache lines of workspace that an operation on a given number of rows takes. It stops growing where
    /// rows are computed in chunks.
    pub fn lines(self, operation: Operation, rows: usize) -> usize {
        let rows = rows.min(ROWS_PER_CHUNK_MAX);
        if operation == Operation::SharedSecrets {
            // Keys in columns are decompressed first.
            let decompress = on!(&self.0, kernels => kernels.lines(Operation::Decompress, rows));
            return decompress.max(on!(&self.0, kernels => kernels.lines(operation, rows)));
        }
        let gathered = match operation {
            Operation::VerifyEcdsa => rows::lines::<ecdsa::Row<'_>>(rows),
            Operation::VerifySchnorr => rows::lines::<schnorr::Row<'_>>(rows),
            Operation::Recover => rows::lines::<ecdsa::RecoverRow<'_>>(rows),
            _ => 0,
        };
        gathered + on!(&self.0, kernels => kernels.lines(operation, rows))
    }

    /// [`ecdsa::verify_row`] on each row. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows, [`Error::WorkspaceTooSmall`] if the
    /// workspace has fewer lines than [`OneThread::lines`] says. Then every verdict is [`Verdict::InvalidSignature`].
    pub fn verify_ecdsa<'r>(
        self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.chunks(Operation::VerifyEcdsa, out, workspace, |range, out, memory| {
            gathered(&rows, range, memory, |rows, memory| {
                on!(&self.0, kernels => kernels.verify_ecdsa(rows, low_s, out, memory));
            });
        })
    }

    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// # Errors
    /// As [`OneThread::verify_ecdsa`].
    pub fn verify_schnorr<'r>(
        self,
        rows: impl Rows<schnorr::Row<'r>>,
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.chunks(Operation::VerifySchnorr, out, workspace, |range, out, memory| {
            gathered(&rows, range, memory, |rows, memory| {
                on!(&self.0, kernels => kernels.verify_schnorr(rows, out, memory));
            });
        })
    }

    /// [`ecdsa::recover_row`] on each row. Variable time.
    ///
    /// # Errors
    /// As [`OneThread::verify_ecdsa`]; then every answer is [`Error::InvalidSignature`].
    pub fn recover<'r>(
        self,
        rows: impl Rows<ecdsa::RecoverRow<'r>>,
        out: &mut [Result<PublicKey, Error>],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Err(Error::InvalidSignature));
        check(&rows, out)?;
        self.chunks(Operation::Recover, out, workspace, |range, out, memory| {
            gathered(&rows, range, memory, |rows, memory| {
                on!(&self.0, kernels => kernels.recover(rows, out, memory));
            });
        })
    }

    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// # Errors
    /// As [`OneThread::verify_ecdsa`]; then `out` is left as it was.
    pub fn public_keys(
        self,
        secrets: &[SecretKey],
        out: &mut [PublicKey],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(secrets.len(), out.len())?;
        self.chunks(
            Operation::PublicKeys,
            out,
            workspace,
            cleared(|range, out, memory| {
                on!(&self.0, kernels => kernels.public_keys(&secrets[range], out, memory));
            }),
        )
    }

    /// [`ecdsa::sign`] with each digest and key. Constant time.
    ///
    /// # Errors
    /// As [`OneThread::public_keys`].
    pub fn sign_ecdsa(
        self,
        digests: &[[u8; 32]],
        secrets: &[SecretKey],
        out: &mut [ecdsa::Signature],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(digests.len(), secrets.len())?;
        Error::check_lengths(digests.len(), out.len())?;
        self.chunks(
            Operation::SignEcdsa,
            out,
            workspace,
            cleared(|range, out, memory| {
                let (digests, secrets) = (&digests[range.clone()], &secrets[range]);
                on!(&self.0, kernels => kernels.sign_ecdsa(digests, secrets, out, memory));
            }),
        )
    }

    /// [`schnorr::sign`] with each message, pair and auxiliary randomness. Constant time.
    ///
    /// # Errors
    /// As [`OneThread::public_keys`].
    pub fn sign_schnorr(
        self,
        messages: &[&[u8]],
        pairs: &[Keypair],
        aux: &[[u8; 32]],
        out: &mut [schnorr::Signature],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(messages.len(), pairs.len())?;
        Error::check_lengths(messages.len(), aux.len())?;
        Error::check_lengths(messages.len(), out.len())?;
        self.chunks(
            Operation::SignSchnorr,
            out,
            workspace,
            cleared(|range, out, memory| {
                let (messages, pairs, aux) = (&messages[range.clone()], &pairs[range.clone()], &aux[range]);
                let rows = SchnorrSecrets { messages, pairs, aux };
                on!(&self.0, kernels => kernels.sign_schnorr(rows, out, memory));
            }),
        )
    }

    /// [`crate::ecdh::shared_secret`] of each pair of keys. Constant time in the secret keys.
    ///
    /// # Errors
    /// As [`OneThread::public_keys`].
    pub fn shared_secrets(
        self,
        publics: &[PublicKey],
        secrets: &[SecretKey],
        out: &mut [[u8; 32]],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(publics.len(), secrets.len())?;
        Error::check_lengths(publics.len(), out.len())?;
        self.chunks(
            Operation::SharedSecrets,
            out,
            workspace,
            cleared(|range, out, memory| {
                let (publics, secrets) = (&publics[range.clone()], &secrets[range]);
                on!(&self.0, kernels => kernels.shared_secrets(publics, secrets, out, memory));
            }),
        )
    }

    /// [`PublicKey::tweak_add`] of each key and tweak. Constant time in the tweaks, except that it tells whether the
    /// result is a key.
    ///
    /// # Errors
    /// As [`OneThread::verify_ecdsa`]; then every answer is [`Error::BadTweak`].
    pub fn tweak_add_public(
        self,
        keys: &[PublicKey],
        tweaks: &[[u8; 32]],
        out: &mut [Result<PublicKey, Error>],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Err(Error::BadTweak));
        Error::check_lengths(keys.len(), tweaks.len())?;
        Error::check_lengths(keys.len(), out.len())?;
        self.chunks(
            Operation::TweakAddPublic,
            out,
            workspace,
            cleared(|range, out, memory| {
                let (keys, tweaks) = (&keys[range.clone()], &tweaks[range]);
                on!(&self.0, kernels => kernels.tweak_add_public(keys, tweaks, out, memory));
            }),
        )
    }

    /// [`PublicKey::from_bytes`] of each encoding. Variable time.
    ///
    /// # Errors
    /// As [`OneThread::verify_ecdsa`]; then every answer is [`Error::BadPublicKey`].
    pub fn decompress(
        self,
        encoded: &[&[u8]],
        out: &mut [Result<PublicKey, Error>],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Err(Error::BadPublicKey));
        Error::check_lengths(encoded.len(), out.len())?;
        self.chunks(Operation::Decompress, out, workspace, |range, out, memory| {
            on!(&self.0, kernels => kernels.decompress(&encoded[range], out, memory));
        })
    }

    /// The points with these x coordinates, below p, and y of these parities, where there is one. The workspace is one
    /// of [`Operation::Decompress`].
    pub(crate) fn lift(self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>], workspace: &mut [CacheLine]) {
        assert_eq!(x.len(), out.len(), "a place for each point");
        for (x, out) in x.chunks(ROWS_PER_CHUNK_MAX).zip(out.chunks_mut(ROWS_PER_CHUNK_MAX)) {
            on!(&self.0, kernels => kernels.lift(x, out, workspace));
        }
    }

    /// Calls `work` on chunks that cover `out`.
    fn chunks<T>(
        self,
        operation: Operation,
        out: &mut [T],
        workspace: &mut [CacheLine],
        mut work: impl FnMut(Range<usize>, &mut [T], &mut Lines),
    ) -> Result<(), Error> {
        let (needed, given) = (self.lines(operation, out.len()), workspace.len());
        if given < needed {
            return Err(Error::WorkspaceTooSmall { needed, given });
        }
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_CHUNK_MAX) {
            let end = first + out.len();
            work(first..end, out, &mut workspace[..needed]);
            first = end;
        }
        Ok(())
    }
}

/// The same work, with the stack that it used overwritten: for work on secrets.
fn cleared<T>(
    mut work: impl FnMut(Range<usize>, &mut [T], &mut Lines),
) -> impl FnMut(Range<usize>, &mut [T], &mut Lines) {
    move |range, out, memory| ChunkStack::cleared(|| work(range, out, memory))
}

impl fmt::Debug for OneThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OneThread").field(&self.backend()).finish()
    }
}
