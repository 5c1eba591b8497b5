//! ECDSA verification.

use crate::bulk::{
    Bulk, Rows, check,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{KeyMultiples, KeyPoints, place},
    key_tables::{KeyedOperation, TableRows},
    memory::{Lines, with_arena},
    one_lane::inverses,
    operation::{OnRows, RowOperation},
};
use crate::{
    Error, LowS, OneThread, Verdict,
    ecdsa::{self, SignedDigest},
    group::above_order,
    keys::{ReadRow, RowKey},
    lanes::{Fractions, JacobianX8, Machine, U256x8, divide_fractions},
    mul::{Digits, Unit, same_x},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// [`ecdsa::verify_row`] on each row.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct VerifyEcdsa(pub(in crate::bulk) LowS);

impl Bulk {
    /// [`ecdsa::verify_row`] on each row, of a slice or of [`ecdsa::Columns`]. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, LowS, PublicKeyRef, Verdict, ecdsa};
    /// let row = ecdsa::Row {
    ///     digest: &[1; 32],
    ///     signature: ecdsa::SignatureRef::Compact(&[1; 64]),
    ///     public_key: PublicKeyRef::Encoded(&[0; 33]),
    /// };
    /// assert_eq!(Bulk::new().verify_ecdsa(&[row], LowS::Allow), [Verdict::BadPublicKey]);
    /// ```
    pub fn verify_ecdsa<'r>(&self, rows: impl Rows<ecdsa::Row<'r>>, low_s: LowS) -> Vec<Verdict> {
        let mut out = vec![Verdict::InvalidSignature; rows.count()];
        self.verify(VerifyEcdsa(low_s), &rows, &mut out);
        out
    }

    /// [`Bulk::verify_ecdsa`] into the caller's slice. A thread keeps the memory that it computes in from call to call,
    /// so that a later call of no more rows allocates nothing, unless keys repeat or the system's threads do.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows. Then every verdict is
    /// [`Verdict::InvalidSignature`].
    pub fn verify_ecdsa_into<'r>(
        &self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.verify(VerifyEcdsa(low_s), &rows, out);
        Ok(())
    }
}

impl OneThread {
    /// The verdicts of rows, for batches.
    pub(crate) fn ecdsa_verdicts<'r>(
        self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
        workspace: &mut Lines,
    ) -> Result<(), Error> {
        self.lanes().on_rows(VerifyEcdsa(low_s), rows, out, workspace)
    }
}

impl RowOperation for VerifyEcdsa {
    type Rows<'a> = &'a [ecdsa::Row<'a>];
    type Out = Verdict;

    const NONE: Verdict = Verdict::InvalidSignature;
    const SECRET: bool = false;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Verdict], memory: &mut Lines) {
        one_lane(rows, self.0, out, memory);
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Verdict], memory: &mut Lines) {
        eight_lanes(machine, rows, KeyMultiples::Keys, self.0, out, memory);
    }
}

impl ColumnOperation for VerifyEcdsa {
    fn in_columns(call: ColumnCall<'_>, _: impl Answers) -> Result<(), Error> {
        let [digests, signatures, keys] = call.columns()?;
        let low_s = call.options.low_s;
        call.verify(VerifyEcdsa(low_s), ecdsa::Columns::new(digests, signatures, keys)?)
    }
}

impl<'r> OnRows<ecdsa::Row<'r>> for VerifyEcdsa {
    fn rows<'a>(rows: &'a [ecdsa::Row<'r>]) -> &'a [ecdsa::Row<'a>] {
        rows
    }
}

impl<'r> KeyedOperation<ecdsa::Row<'r>> for VerifyEcdsa {
    fn by_tables<M: Machine>(
        self,
        machine: M,
        rows: TableRows<'_, ecdsa::Row<'r>>,
        out: &mut [Verdict],
        memory: &mut Lines,
    ) {
        eight_lanes(machine, rows.rows, KeyMultiples::Tables(rows.tables), self.0, out, memory);
    }
}

/// A row that has passed every check but the equation.
type CheckedOrError<'a> = Result<ecdsa::CheckedRow<'a>, Error>;

/// [`ecdsa::verify_row`] on each row.
fn one_lane<'env>(rows: &[ecdsa::Row<'env>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let rows = arena.collect::<CheckedOrError<'env>>(rows.iter().map(|row| ecdsa::check_row(row, low_s)));
        let inverses = inverses(&rows, ecdsa::CheckedRow::denominator, arena);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "a verdict for each row");
        for ((row, inverse), out) in rows.iter().zip(inverses.iter()).zip(out) {
            *out = row.and_then(|row| row.decide_with(Unit::OneLane, inverse)).into();
        }
    });
}

/// A row as far as it can be read.
type ReadEcdsa<'a> = Result<ReadRow<(), SignedDigest<'a>>, Error>;
/// A row whose key is a point.
type CheckedDigest<'a> = Result<SignedDigest<'a>, Error>;

/// [`ecdsa::verify_row`] on each row, by the multiples of its key.
fn eight_lanes<'env, M: Machine>(
    machine: M,
    rows: &[ecdsa::Row<'env>],
    multiples: KeyMultiples<'_>,
    low_s: LowS,
    out: &mut [Verdict],
    memory: &mut Lines,
) {
    assert_eq!(rows.len(), out.len(), "a verdict for each row");
    let groups = rows.len().div_ceil(LANES);
    with_arena(memory, |arena| {
        let mut points = KeyPoints::new(multiples.read(rows.len()), arena);
        let mut fractions = arena.filled(groups, Fractions::ONE);
        let mut read = arena.list::<ReadEcdsa<'env>>(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let row = ecdsa::read_row(row, low_s, |key| {
                if multiples.are_read() {
                    points.set(i, &RowKey::read(key)?);
                }
                Ok(())
            });
            if let Some(signed) = row.as_ref().ok().and_then(ReadRow::signed) {
                let (group, lane) = place(i);
                fractions[group].set(lane, [&signed.r(), &signed.z()], &signed.s());
            }
            read.push(row);
        }
        points.lift(machine);
        // A key with a table is known to be a point.
        let point = |i| if multiples.are_read() { points.check(i) } else { Ok(()) };
        let finish = |(i, row): (usize, &ReadEcdsa<'env>)| (*row)?.finish(|()| point(i)).map(|((), signed)| signed);
        let checked = arena.collect::<CheckedDigest<'env>>(read.iter().enumerate().map(finish));

        divide_fractions(machine, &mut fractions, arena.spare());
        let mut digits = arena.filled(groups, Digits::ZERO);
        let mut x = arena.filled(groups, [U256x8::ZERO; 2]);
        let mut second = arena.filled(groups, Mask8::NONE);
        for (i, row) in checked.iter().enumerate() {
            let (group, lane) = place(i);
            if let Ok(signed) = row {
                let r = signed.r();
                x[group][0].set(lane, r.limbs());
                if let Some(above) = above_order(&r) {
                    second[group].0 |= 1 << lane;
                    x[group][1].set(lane, above);
                }
            }
            let [a, b] = fractions[group].get(lane);
            digits[group].set_for(multiples.windows(), lane, &a, &b);
        }

        let mut sums = arena.filled(groups, JacobianX8::ZERO);
        let mut infinite = arena.filled(groups, Mask8::NONE);
        multiples.double_muls(machine, &points.groups, &digits, &mut sums, &mut infinite, arena.spare());
        for (group, (rows, out)) in checked.chunks(LANES).zip(out.chunks_mut(LANES)).enumerate() {
            let mut holds = same_x(machine, &sums[group], &x[group][0]);
            if second[group].any() {
                holds = holds.or(same_x(machine, &sums[group], &x[group][1]).and(second[group]));
            }
            holds = holds.and(infinite[group].not());
            for (lane, (row, out)) in rows.iter().zip(out).enumerate() {
                *out = row.and_then(|_| Error::check_equation(holds.lane(lane))).into();
            }
        }
    });
}
