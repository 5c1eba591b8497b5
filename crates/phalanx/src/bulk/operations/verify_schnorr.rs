//! BIP-340 verification.

use crate::bulk::{
    Bulk, Rows, check,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{KeyMultiples, KeyPoints, KeysByX, RowSums, WantedX, place},
    key_tables::{KeyedOperation, TableRows},
    memory::{Lines, with_arena},
    one_lane_by_x::{Claim, ClaimedSums, verify_by_x},
    operation::{OnRows, RowOperation},
};
use crate::{
    Error, OneThread, Scalar, Verdict,
    group::Jacobian,
    keys::{ReadRow, RowKey},
    lanes::{Machine, U256x8, to_affine},
    mul::Digits,
    schnorr,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask};

/// [`schnorr::verify_row`] on each row.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct VerifySchnorr;

impl Bulk {
    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes()];
    /// let keys = [pair.x_only()];
    /// let verdicts = Bulk::new().verify_schnorr(&schnorr::rows(&[b"m"], &signatures, &keys)?);
    /// assert!(verdicts[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn verify_schnorr<'r>(&self, rows: impl Rows<schnorr::Row<'r>>) -> Vec<Verdict> {
        let mut out = vec![Verdict::InvalidSignature; rows.count()];
        self.schedule().verify(self.lanes, VerifySchnorr, &rows, &mut out);
        out
    }

    /// [`Bulk::verify_schnorr`] into the caller's slice, as [`Bulk::verify_ecdsa_into`].
    ///
    /// # Errors
    /// As [`Bulk::verify_ecdsa_into`].
    #[cfg(feature = "bindings")]
    pub fn verify_schnorr_into<'r>(&self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.schedule().verify(self.lanes, VerifySchnorr, &rows, out);
        Ok(())
    }
}

impl OneThread {
    /// The verdicts of rows, for batches.
    pub(crate) fn schnorr_verdicts<'r>(
        self,
        rows: impl Rows<schnorr::Row<'r>>,
        out: &mut [Verdict],
        workspace: &mut Lines,
    ) -> Result<(), Error> {
        self.lanes().on_rows(VerifySchnorr, rows, out, workspace)
    }
}

impl RowOperation for VerifySchnorr {
    type Rows<'a> = &'a [schnorr::Row<'a>];
    type Out = Verdict;

    const NONE: Verdict = Verdict::InvalidSignature;
    const SECRET: bool = false;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Verdict], memory: &mut Lines) {
        with_arena(memory, |arena| {
            let read = arena.collect(rows.iter().map(|row| schnorr::read_row(row, RowKey::read_x_only)));
            verify_by_x(&SchnorrSums { rows, read: &read }, &read, out, arena);
        });
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Verdict], memory: &mut Lines) {
        eight_lanes(machine, rows, KeyMultiples::Keys, out, memory);
    }
}

impl ColumnOperation for VerifySchnorr {
    fn in_columns(call: ColumnCall<'_>, _: impl Answers) -> Result<(), Error> {
        let [messages, signatures, keys] = call.columns()?;
        call.verify(VerifySchnorr, schnorr::row::Columns::new(messages, signatures, keys)?)
    }
}

impl<'r> OnRows<schnorr::Row<'r>> for VerifySchnorr {
    fn rows<'a>(rows: &'a [schnorr::Row<'r>]) -> &'a [schnorr::Row<'a>] {
        rows
    }
}

impl<'r> KeyedOperation<schnorr::Row<'r>> for VerifySchnorr {
    fn by_tables<M: Machine>(
        self,
        machine: M,
        rows: TableRows<'_, schnorr::Row<'r>>,
        out: &mut [Verdict],
        memory: &mut Lines,
    ) {
        eight_lanes(machine, rows.rows, KeyMultiples::Tables(rows.tables), out, memory);
    }
}

/// The sums of rows.
struct SchnorrSums<'a, 'r> {
    rows: &'a [schnorr::Row<'r>],
    read: &'a [Result<ReadRow<RowKey, schnorr::Signature>, Error>],
}

impl ClaimedSums for SchnorrSums<'_, '_> {
    type Signed = schnorr::Signature;

    const EVEN: bool = true;

    fn claim(&self, row: usize, signature: &schnorr::Signature) -> Claim {
        let key_x = self.read[row].map_or([0; 32], |read| read.key().x_bytes());
        let e = schnorr::challenge(&signature.r_bytes(), &key_x, self.rows[row].message);
        Claim { a: -e, b: signature.s(), x: signature.r_words() }
    }
    fn has_x(&self, signature: &schnorr::Signature, sum: &Jacobian) -> bool {
        schnorr::has_x(sum, signature.r_words())
    }
}

/// A row as far as it can be read.
type ReadSchnorr = Result<ReadRow<(), schnorr::Signature>, Error>;

/// [`schnorr::verify_row`] on each row, by the multiples of its key.
fn eight_lanes<M: Machine>(
    machine: M,
    rows: &[schnorr::Row<'_>],
    multiples: KeyMultiples<'_>,
    out: &mut [Verdict],
    memory: &mut Lines,
) {
    let groups = rows.len().div_ceil(LANES);
    assert_eq!(rows.len(), out.len(), "a verdict for each row");
    with_arena(memory, |arena| {
        let mut keys = KeyPoints::new(multiples.read(rows.len()), arena);
        let mut read = arena.list::<ReadSchnorr>(rows.len());
        let mut digits = arena.filled(groups, Digits::ZERO);
        let mut x = arena.filled(groups, U256x8::ZERO);
        for (i, row) in rows.iter().enumerate() {
            let (group, lane) = place(i);
            let mut key_x = [0; 32];
            let result = schnorr::read_row(row, |key| {
                let key = RowKey::read_x_only(key)?;
                if multiples.are_read() {
                    keys.set(i, &key);
                }
                key_x = key.x_bytes();
                Ok(())
            });
            let (mut a, mut b) = (Scalar::ONE, Scalar::ONE);
            if let Some(signature) = result.as_ref().ok().and_then(ReadRow::signed) {
                (a, b) = (-schnorr::challenge(&signature.r_bytes(), &key_x, row.message), signature.s());
                x[group].set(lane, signature.r_words());
            }
            digits[group].set_for(multiples.windows(), lane, &a, &b);
            read.push(result);
        }
        match multiples {
            KeyMultiples::Tables(tables) => {
                let sums = RowSums::by_tables(machine, rows.len(), tables, &digits, arena);
                decide(machine, &read, &sums, &x, out, arena.spare());
            }
            KeyMultiples::Keys if keys.are_points() => {
                let sums = RowSums::under_points(machine, rows.len(), &keys, &digits, arena);
                decide(machine, &read, &sums, &x, out, arena.spare());
            }
            KeyMultiples::Keys => {
                let keys = KeysByX::new(machine, keys, &digits, WantedX { x: &x, even: true }, arena);
                let open = keys.open_rows(&read, out, arena);
                keys.settle(machine, &open, &digits, arena.spare(), |sums, memory| {
                    decide(machine, &read, sums, &x, out, memory);
                });
            }
        }
    });
}

/// The verdicts of rows by their sums, which are to have the x of all rows.
fn decide<M: Machine>(
    machine: M,
    read: &[ReadSchnorr],
    sums: &RowSums<'_>,
    x: &[U256x8],
    out: &mut [Verdict],
    memory: &mut Lines,
) {
    with_arena(memory, |arena| {
        let mut affine = arena.filled(sums.sums.len(), [U256x8::ZERO; 2]);
        to_affine(machine, &sums.sums, &mut affine, arena.spare());
        for (i, row) in sums.rows.iter().enumerate() {
            let ((group, lane), (own_group, own)) = (place(i), place(*row));
            let [found, y] = &affine[group];
            let same = found.get(lane) == x[own_group].get(own) && y.get(lane)[0] & 1 == 0;
            let holds = same && !sums.infinite[group].lane(lane);
            let checked = read[*row].and_then(|row| row.finish(|()| sums.check_key(i)));
            out[*row] = checked.and_then(|_| Error::check_equation(holds)).into();
        }
    });
}
