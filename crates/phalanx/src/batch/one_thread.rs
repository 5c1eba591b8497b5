//! Batches on the calling thread, in the caller's memory.

use super::{HintedRow, backend::Lent, ecdsa, schnorr};
use crate::{
    Error, LowS, Verdict,
    bulk::{OneThread, Operation, Rows, check, gathered, lines_of_gathered},
    schnorr::Row,
    tuning::ROWS_PER_LENT_SUM,
};
use phalanx_engine::{
    arena::{Lists, with_room},
    word::CacheLine,
};

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
        ECDSA.in_pieces(self, &rows, out, workspace, |rows, out, lists, backend| {
            ecdsa::verify(rows, low_s, randomness, out, lists, backend);
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
        SCHNORR.in_pieces(self, &rows, out, workspace, |rows, out, lists, backend| {
            schnorr::verify(rows, randomness, out, lists, backend);
        })
    }
}

/// What batches of a scheme take.
struct BatchScheme {
    /// The operation by which single rows are verified.
    operation: Operation,
    /// The lines of the lists of a given number of rows.
    lists: fn(usize) -> usize,
}

const ECDSA: BatchScheme = BatchScheme { operation: Operation::VerifyEcdsa, lists: ecdsa::lines };
const SCHNORR: BatchScheme = BatchScheme { operation: Operation::VerifySchnorr, lists: schnorr::lines };

impl BatchScheme {
    /// The lines of a given number of rows `R` and of their lists.
    fn lines_of_rows<R>(&self, rows: usize) -> usize {
        lines_of_gathered::<R>(rows) + (self.lists)(rows)
    }

    /// The lines with which a batch is fastest.
    fn lines<R>(&self, bulk: OneThread, rows: usize) -> usize {
        let rows = rows.min(ROWS_PER_LENT_SUM);
        self.lines_of_rows::<R>(rows) + Lent::lines(bulk, self.operation, rows)
    }

    /// Verifies piece by piece; `verify` writes the verdicts of a piece.
    fn in_pieces<'r, R: Copy + 'r>(
        &self,
        bulk: OneThread,
        rows: &impl Rows<R>,
        out: &mut [Verdict],
        workspace: &mut [CacheLine],
        verify: impl Fn(&[R], &mut [Verdict], &mut Lists<'_, 'r>, &mut Lent<'_>),
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(rows, out)?;
        let (rows_at_once, given) = (out.len().min(ROWS_PER_LENT_SUM), workspace.len());
        let left = given.checked_sub(self.lines_of_rows::<R>(rows_at_once));
        if !left.is_some_and(|left| Lent::are_enough(bulk, self.operation, rows_at_once, left)) {
            return Err(Error::WorkspaceTooSmall { needed: self.lines::<R>(bulk, out.len()), given });
        }
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_LENT_SUM) {
            let range = first..first + out.len();
            first = range.end;
            gathered(rows, range, workspace, |rows, memory| {
                with_room(
                    memory,
                    (self.lists)(rows.len()),
                    |_| (),
                    |lists, numbers| verify(rows, out, lists, &mut Lent { bulk, memory: numbers.rest() }),
                );
            });
        }
        Ok(())
    }
}
