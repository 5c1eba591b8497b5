//! Batches on the calling thread, in the caller's memory.

use super::{HintedRow, ecdsa, means::Lent, schnorr};
use crate::{
    Error, LowS, Verdict,
    bulk::{OneThread, Operation, Rows, check, gathered, lines_of_gathered},
    schnorr::Row,
    tuning::ROWS_PER_SUM,
};
use phalanx_engine::{arena::with_room, word::CacheLine};

/// Rows that are summed together at most: enough for most of what a batch gains, in a few megabytes.
const ROWS: usize = if ROWS_PER_SUM < 1 << 12 { ROWS_PER_SUM } else { 1 << 12 };

/// Batch verification ([`crate::batch`]). The verdicts of a batch are those of single rows, but for a row that is
/// wrongly valid with probability below 2^-124.
///
/// ```
/// use phalanx::{Backend, CacheLine, Keypair, SecretKey, Verdict, bulk::OneThread, schnorr};
/// let pair = Keypair::from_secret(SecretKey::from_bytes(&[7; 32])?);
/// let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes(); 100];
/// let keys = [pair.x_only(); 100];
/// let rows = schnorr::rows(&[b"m"; 100], &signatures, &keys)?;
///
/// # let fresh_bytes = [4; 32];
/// let bulk = OneThread::of(Backend::Portable)?;
/// let mut workspace = vec![CacheLine([0; 8]); bulk.lines_of_batch_schnorr(rows.len())];
/// let mut verdicts = [Verdict::InvalidSignature; 100];
/// bulk.batch_schnorr(&rows[..], &fresh_bytes, &mut verdicts, &mut workspace)?;
/// assert_eq!(verdicts, [Verdict::Valid; 100]);
/// # Ok::<(), phalanx::Error>(())
/// ```
impl OneThread {
    /// The number of cache lines of workspace with which [`OneThread::batch_ecdsa`] is fastest for so many rows. They are
    /// enough for fewer rows too. The number stops growing at 4,096 rows, which are summed together.
    pub fn lines_of_batch_ecdsa(self, rows: usize) -> usize {
        let rows = rows.min(ROWS);
        lines_of_ecdsa(rows) + Lent::lines(self, Operation::VerifyEcdsa, rows)
    }

    /// The same for [`OneThread::batch_schnorr`].
    pub fn lines_of_batch_schnorr(self, rows: usize) -> usize {
        let rows = rows.min(ROWS);
        lines_of_schnorr(rows) + Lent::lines(self, Operation::VerifySchnorr, rows)
    }

    /// [`crate::ecdsa::verify_row`] on each row, by sums of products. `randomness` is 32 bytes that nobody could know when
    /// the rows were chosen. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows, [`Error::WorkspaceTooSmall`] if the
    /// workspace is not enough. Then every verdict is [`Verdict::InvalidSignature`].
    pub fn batch_ecdsa<'r>(
        self,
        rows: impl Rows<HintedRow<'r>>,
        low_s: LowS,
        randomness: &[u8; 32],
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        let (rows_at_once, given) = (out.len().min(ROWS), workspace.len());
        let left = given.checked_sub(lines_of_ecdsa(rows_at_once));
        if !left.is_some_and(|left| Lent::are_enough(self, Operation::VerifyEcdsa, rows_at_once, left)) {
            return Err(Error::WorkspaceTooSmall { needed: self.lines_of_batch_ecdsa(out.len()), given });
        }
        let mut first = 0;
        for out in out.chunks_mut(ROWS) {
            let range = first..first + out.len();
            first = range.end;
            gathered(&rows, range, workspace, |rows, memory| {
                with_room(
                    memory,
                    ecdsa::lines(rows.len()),
                    |_| (),
                    |lists, numbers| {
                        let mut means = Lent { bulk: self, memory: numbers.rest() };
                        ecdsa::verify(rows, low_s, randomness, out, lists, &mut means);
                    },
                );
            });
        }
        Ok(())
    }

    /// [`crate::schnorr::verify_row`] on each row, by sums of products. `randomness` is as for
    /// [`OneThread::batch_ecdsa`]. Variable time.
    ///
    /// # Errors
    /// As [`OneThread::batch_ecdsa`].
    pub fn batch_schnorr<'r>(
        self,
        rows: impl Rows<Row<'r>>,
        randomness: &[u8; 32],
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        let (rows_at_once, given) = (out.len().min(ROWS), workspace.len());
        let left = given.checked_sub(lines_of_schnorr(rows_at_once));
        if !left.is_some_and(|left| Lent::are_enough(self, Operation::VerifySchnorr, rows_at_once, left)) {
            return Err(Error::WorkspaceTooSmall { needed: self.lines_of_batch_schnorr(out.len()), given });
        }
        let mut first = 0;
        for out in out.chunks_mut(ROWS) {
            let range = first..first + out.len();
            first = range.end;
            gathered(&rows, range, workspace, |rows, memory| {
                with_room(
                    memory,
                    schnorr::lines(rows.len()),
                    |_| (),
                    |lists, numbers| {
                        let mut means = Lent { bulk: self, memory: numbers.rest() };
                        schnorr::verify(rows, randomness, out, lists, &mut means);
                    },
                );
            });
        }
        Ok(())
    }
}

/// The lines of rows and lists.
fn lines_of_ecdsa(rows: usize) -> usize {
    lines_of_gathered::<HintedRow<'_>>(rows) + ecdsa::lines(rows)
}

/// The lines of rows and lists.
fn lines_of_schnorr(rows: usize) -> usize {
    lines_of_gathered::<Row<'_>>(rows) + schnorr::lines(rows)
}
