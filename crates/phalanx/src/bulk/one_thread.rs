//! Bulk operations on the calling thread, in the caller's memory.

use super::{
    Operation, RowSet,
    columns::{ColumnCall, ColumnOptions},
    operation::RowOperation,
};
use crate::{Backend, Column, Error, Verdict, backend::Lanes, mul::Unit};
use core::fmt;
use phalanx_engine::word::CacheLine;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_engine::word::{Fma, Ifma, VectorUnit};

/// Bulk operations on the calling thread: answers go to the caller's slices, and all memory that a call needs beyond
/// the stack is the caller's.
///
/// Nothing is allocated, asked of the CPU, remembered or read from the environment. So this serves code without an
/// allocator, threads that the caller brings, and calls that must not fail for want of memory. The answers are those of
/// [`Bulk`](super::Bulk), which computes by the same code; but no tables of keys are made.
///
/// ```
/// use phalanx::{Backend, CacheLine, LowS, SecretKey, Verdict, bulk::OneThread, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (digests, keys) = ([[7; 32]; 20], [secret.public_key(); 20]);
/// let signatures = [ecdsa::sign(&[7; 32], &secret); 20];
/// let rows = ecdsa::rows(&digests, &signatures, &keys)?;
///
/// let bulk = OneThread::of(Backend::Portable)?;
/// let mut workspace = vec![CacheLine([0; 8]); bulk.workspace_lines()];
/// let mut verdicts = [Verdict::InvalidSignature; 20];
/// bulk.verify_ecdsa(&rows[..], LowS::Require, &mut verdicts, &mut workspace)?;
/// assert_eq!(verdicts, [Verdict::Valid; 20]);
/// # Ok::<(), phalanx::Error>(())
/// ```
///
/// What a workspace holds when a call begins does not matter, and when it ends no secret is left in it.
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

    pub(super) fn with(lanes: Lanes) -> OneThread {
        OneThread(lanes)
    }

    /// The backend that computes.
    pub const fn backend(self) -> Backend {
        self.0.backend()
    }

    /// What computes.
    pub(crate) const fn lanes(self) -> Lanes {
        self.0
    }

    /// What calls for one row run on.
    pub(crate) fn unit(self) -> Unit {
        Unit::of_vectors(self.0.vectors())
    }

    /// The number of cache lines of workspace that an operation on rows takes: any operation, on any number of rows,
    /// because they are computed in chunks.
    pub const fn workspace_lines(self) -> usize {
        self.0.lines_of_rows()
    }

    /// An operation on rows in columns, which are those of [`Operation::declaration`].
    ///
    /// Every row gets a verdict: [`Verdict::Valid`], or what is wrong with it; where both keys of a row are wrong, what
    /// is wrong with the public one. `answer` is called for each output of each valid row, in their order, with the
    /// number of the row, the number of the output, and the value. A secret key of zero, or not below the group order,
    /// makes a row [`Verdict::MalformedRow`]. Constant time in secret keys and tweaks; the rest is variable time where
    /// the operation is. The workspace is of [`OneThread::workspace_lines`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows in every column, [`Error::BadColumn`] if a
    /// column is missing or has another width, [`Error::WorkspaceTooSmall`] for a smaller workspace. Then every verdict
    /// is [`Verdict::InvalidSignature`], and there is no answer.
    ///
    /// ```
    /// use phalanx::{CacheLine, Column, SecretKey, Verdict, bulk::{ColumnOptions, OneThread, Operation}};
    /// let (bulk, secrets) = (OneThread::PORTABLE, [[7; 32], [0; 32], [9; 32]]);
    /// let mut workspace = vec![CacheLine([0; 8]); bulk.workspace_lines()];
    /// let (mut verdicts, mut keys, options) = ([Verdict::InvalidSignature; 3], Vec::new(), ColumnOptions::default());
    /// let columns = [Column::of(&secrets)];
    /// bulk.in_columns(Operation::PublicKeys, &columns, options, &mut verdicts, &mut workspace, |row, _, key| {
    ///     keys.push((row, key.to_vec()));
    /// })?;
    /// assert_eq!(verdicts, [Verdict::Valid, Verdict::MalformedRow, Verdict::Valid]);
    /// assert_eq!(keys[1], (2, SecretKey::from_bytes(&[9; 32])?.public_key().to_bytes().to_vec()));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn in_columns(
        self,
        operation: Operation,
        columns: &[Column<'_>],
        options: ColumnOptions,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        answer: impl FnMut(usize, usize, &[u8]),
    ) -> Result<(), Error> {
        verdicts.fill(Verdict::InvalidSignature);
        let call = ColumnCall { lanes: self.0, kinds: &[], columns, options, verdicts, workspace };
        operation.in_columns(call, answer)
    }

    /// Writes the answers of rows.
    pub(super) fn run<O: RowOperation>(
        self,
        operation: O,
        rows: O::Rows<'_>,
        out: &mut [O::Out],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(rows.count()?, out.len())?;
        let memory = self.0.enough(workspace)?;
        self.0.run(operation, rows, out, memory);
        Ok(())
    }
}

impl fmt::Debug for OneThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OneThread").field(&self.backend()).finish()
    }
}
