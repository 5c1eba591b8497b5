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
    /// The number of cache lines of workspace that [`OneThread::batch_ecdsa`] takes for so many rows. It stops growing
    /// at 4,096 rows, which are summed together.
    pub fn lines_of_batch_ecdsa(self, rows: usize) -> usize {
        let rows = rows.min(ROWS);
        lines_of_gathered::<HintedRow<'_>>(rows) + ecdsa::lines(rows) + Lent::lines(self, Operation::VerifyEcdsa, rows)
    }

    /// The number of cache lines of workspace that [`OneThread::batch_schnorr`] takes for so many rows. It stops growing
    /// at 4,096 rows, which are summed together.
    pub fn lines_of_batch_schnorr(self, rows: usize) -> usize {
        let rows = rows.min(ROWS);
        lines_of_gathered::<Row<'_>>(rows) + schnorr::lines(rows) + Lent::lines(self, Operation::VerifySchnorr, rows)
    }

    /// [`crate::ecdsa::verify_row`] on each row, by sums of products. `randomness` is 32 bytes that nobody could know when
    /// the rows were chosen. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows, [`Error::WorkspaceTooSmall`] if the
    /// workspace has fewer lines than [`OneThread::lines_of_batch_ecdsa`] says. Then every verdict is
    /// [`Verdict::InvalidSignature`].
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
        enough(self.lines_of_batch_ecdsa(out.len()), workspace)?;
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
        enough(self.lines_of_batch_schnorr(out.len()), workspace)?;
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

fn enough(needed: usize, workspace: &[CacheLine]) -> Result<(), Error> {
    let given = workspace.len();
    if given < needed { Err(Error::WorkspaceTooSmall { needed, given }) } else { Ok(()) }
}
