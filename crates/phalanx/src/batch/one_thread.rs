//! Batches on the calling thread, in the caller's memory.

use super::{backend::InWorkspace, ecdsa, schnorr};
use crate::{
    Error, LowS, OneThread, Verdict,
    bulk::{Rows, check},
    ecdsa::HintedRow,
    schnorr::Row,
    tuning::ROWS_PER_WORKSPACE_SUM,
};
use phalanx_engine::{arena::Arena, word::CacheLine};

/// Batch verification ([`crate::Batch`]). The verdicts of a batch are those of single rows, but for a row that is
/// wrongly valid with probability below 2^-124.
///
/// ```
/// use phalanx::{Backend, Keypair, SecretKey, Verdict, bindings::{CacheLine, OneThread}, schnorr};
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
    /// The number of cache lines of workspace with which [`OneThread::batch_ecdsa`] is fastest for a given number of
    /// rows. They are enough for fewer rows too. The number stops growing at 4,096 rows, which are summed together.
    pub fn lines_of_batch_ecdsa(self, rows: usize) -> usize {
        ECDSA.lines::<HintedRow<'_>>(self, rows)
    }

    /// The same for [`OneThread::batch_schnorr`].
    pub fn lines_of_batch_schnorr(self, rows: usize) -> usize {
        SCHNORR.lines::<Row<'_>>(self, rows)
    }

    /// [`crate::ecdsa::verify_row`] on each row, by sums of products. `randomness` is 32 bytes that nobody could know
    /// when the rows were chosen. Variable time.
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
        ECDSA.in_pieces(self, &rows, out, workspace, |rows, out, arena, backend| {
            ecdsa::verify(rows, low_s, randomness, out, arena, backend);
        })
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
        SCHNORR.in_pieces(self, &rows, out, workspace, |rows, out, arena, backend| {
            schnorr::verify(rows, randomness, out, arena, backend);
        })
    }
}

/// Batches of a scheme: the lines of the lists of a given number of rows.
struct BatchScheme(fn(usize) -> usize);

const ECDSA: BatchScheme = BatchScheme(ecdsa::lines);
const SCHNORR: BatchScheme = BatchScheme(schnorr::lines);

impl BatchScheme {
    /// The lines of a given number of rows `R` and of their lists.
    fn lines_of_rows<R: Copy>(&self, rows: usize) -> usize {
        Arena::count(|arena| {
            arena.list::<R>(rows);
        }) + (self.0)(rows)
    }

    /// The lines with which a batch is fastest.
    fn lines<R: Copy>(&self, bulk: OneThread, rows: usize) -> usize {
        let rows = rows.min(ROWS_PER_WORKSPACE_SUM);
        self.lines_of_rows::<R>(rows) + InWorkspace::lines(bulk, rows)
    }

    /// Verifies piece by piece; `verify` writes the verdicts of a piece.
    fn in_pieces<'r, R: Copy + 'r>(
        &self,
        bulk: OneThread,
        rows: &impl Rows<R>,
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
        verify: impl Fn(&[R], &mut [Verdict], &mut Arena<'_, 'r>, &mut InWorkspace<'_>),
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(rows, out)?;
        let (rows_at_once, given) = (out.len().min(ROWS_PER_WORKSPACE_SUM), workspace.len());
        let left = given.checked_sub(self.lines_of_rows::<R>(rows_at_once));
        if !left.is_some_and(|left| InWorkspace::are_enough(bulk, rows_at_once, left)) {
            return Err(Error::WorkspaceTooSmall { needed: self.lines::<R>(bulk, out.len()), given });
        }
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_WORKSPACE_SUM) {
            let range = first..first + out.len();
            first = range.end;
            // The rows and the lists come from the front; what is behind them is for the work.
            let (lists, memory) = workspace.split_at_mut(self.lines_of_rows::<R>(out.len()));
            let mut lent = InWorkspace { bulk, memory };
            Arena::over(
                lists,
                |_| (),
                |arena| {
                    let rows = arena.collect(range.map(|row| rows.row(row)));
                    verify(&rows, out, arena, &mut lent);
                },
            );
        }
        Ok(())
    }
}
