//! ECDSA verification.

use crate::bulk::{
    Bulk, Rows, check,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{KeyMultiples, KeyPoints, KeysByX, RowSums, WantedX, place},
    key_tables::{KeyedOperation, TableRows},
    memory::{Lines, with_arena},
    one_lane::inverses,
    one_lane_by_x::{Claim, ClaimedSums, verify_by_x},
    operation::{OnRows, RowOperation},
};
use crate::{
    Error, LowS, OneThread, Scalar, Verdict,
    ecdsa::{self, SignedDigest},
    group::{Group, Jacobian, Secp256k1, above_order},
    keys::{ReadRow, RowKey},
    lanes::{Fractions, Machine, U256x8, divide_fractions},
    mul::{Digits, same_x},
};
use alloc::{vec, vec::Vec};
use core::marker::PhantomData;
use phalanx_engine::word::{LANES, Mask, Mask8};

/// [`ecdsa::verify_row`] on each row.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct VerifyEcdsa(pub(in crate::bulk) LowS);

impl Bulk {
    /// [`ecdsa::verify_row`] on each row. Variable time.
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
        self.schedule().verify(self.lanes, VerifyEcdsa(low_s), &rows, &mut out);
        out
    }

    /// [`Bulk::verify_ecdsa`] into the caller's slice. A thread keeps the memory that it computes in from call to call,
    /// so that a later call of no more rows allocates nothing, unless keys repeat or the system's threads do.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows. Then every verdict is
    /// [`Verdict::InvalidSignature`].
    #[cfg(feature = "bindings")]
    pub fn verify_ecdsa_into<'r>(
        &self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.schedule().verify(self.lanes, VerifyEcdsa(low_s), &rows, out);
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
        call.verify(VerifyEcdsa(low_s), ecdsa::row::Columns::new(digests, signatures, keys)?)
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

/// A row as far as it can be read on one lane.
type ReadOnOneLane<'a> = Result<ReadRow<RowKey, SignedDigest<'a>>, Error>;

/// [`ecdsa::verify_row`] on each row.
fn one_lane<'env>(rows: &[ecdsa::Row<'env>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let read = rows.iter().map(|row| ecdsa::read_row(row, low_s, RowKey::read));
        let read = arena.collect::<ReadOnOneLane<'env>>(read);
        let s = |row: &ReadRow<RowKey, SignedDigest<'env>>| row.signed().map_or(Scalar::ZERO, SignedDigest::s);
        let inverses = inverses(&read, s, arena);
        verify_by_x(&EcdsaSums { inverses: &inverses, digests: PhantomData }, &read, out, arena);
    });
}

/// The sums of rows, by the inverses of their s.
struct EcdsaSums<'a, 'r> {
    inverses: &'a [Scalar],
    digests: PhantomData<&'r [u8; 32]>,
}

impl<'r> ClaimedSums for EcdsaSums<'_, 'r> {
    type Signed = SignedDigest<'r>;

    const EVEN: bool = false;

    fn claim(&self, row: usize, signed: &SignedDigest<'r>) -> Claim {
        let inverse = self.inverses[row];
        Claim { a: signed.r() * inverse, b: signed.z() * inverse, x: signed.r().limbs() }
    }
    fn has_x(&self, signed: &SignedDigest<'r>, sum: &Jacobian) -> bool {
        Secp256k1::x_reduces_to_vartime(sum, &signed.r())
    }
}

/// A row as far as it can be read.
type ReadEcdsa<'a> = Result<ReadRow<(), SignedDigest<'a>>, Error>;

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
        let mut keys = KeyPoints::new(multiples.read(rows.len()), arena);
        let mut fractions = arena.filled(groups, Fractions::ONE);
        let mut x = arena.filled(groups, U256x8::ZERO);
        let mut read = arena.list::<ReadEcdsa<'env>>(rows.len());
        for (i, row) in rows.iter().enumerate() {
            let row = ecdsa::read_row(row, low_s, |key| {
                if multiples.are_read() {
                    keys.set(i, &RowKey::read(key)?);
                }
                Ok(())
            });
            if let Some(signed) = row.as_ref().ok().and_then(ReadRow::signed) {
                let ((group, lane), r) = (place(i), signed.r());
                fractions[group].set(lane, [&r, &signed.z()], &signed.s());
                x[group].set(lane, r.limbs());
            }
            read.push(row);
        }
        divide_fractions(machine, &mut fractions, arena.spare());
        let mut digits = arena.filled(groups, Digits::ZERO);
        for i in 0..rows.len() {
            let (group, lane) = place(i);
            let [a, b] = fractions[group].get(lane);
            digits[group].set_for(multiples.windows(), lane, &a, &b);
        }
        match multiples {
            KeyMultiples::Tables(tables) => {
                let sums = RowSums::by_tables(machine, rows.len(), tables, &digits, arena);
                decide(machine, &read, &sums, out, arena.spare());
            }
            KeyMultiples::Keys if keys.are_points() => {
                let sums = RowSums::under_points(machine, rows.len(), &keys, &digits, arena);
                decide(machine, &read, &sums, out, arena.spare());
            }
            KeyMultiples::Keys => {
                let keys = KeysByX::new(machine, keys, &digits, WantedX { x: &x, even: false }, arena);
                let open = keys.open_rows(&read, out, arena);
                keys.settle(machine, &open, &digits, arena.spare(), |sums, memory| {
                    decide(machine, &read, sums, out, memory);
                });
            }
        }
    });
}

/// The verdicts of rows by their sums.
fn decide<M: Machine>(machine: M, read: &[ReadEcdsa<'_>], sums: &RowSums<'_>, out: &mut [Verdict], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let groups = sums.sums.len();
        let mut x = arena.filled(groups, [U256x8::ZERO; 2]);
        let mut second = arena.filled(groups, Mask8::NONE);
        for (i, row) in sums.rows.iter().enumerate() {
            let (group, lane) = place(i);
            if let Some(signed) = read[*row].as_ref().ok().and_then(ReadRow::signed) {
                let r = signed.r();
                x[group][0].set(lane, r.limbs());
                if let Some(above) = above_order(&r) {
                    second[group].0 |= 1 << lane;
                    x[group][1].set(lane, above);
                }
            }
        }
        for (group, rows) in sums.rows.chunks(LANES).enumerate() {
            let mut holds = same_x(machine, &sums.sums[group], &x[group][0]);
            if second[group].any() {
                holds = holds.or(same_x(machine, &sums.sums[group], &x[group][1]).and(second[group]));
            }
            holds = holds.and(sums.infinite[group].not());
            for (lane, row) in rows.iter().enumerate() {
                let checked = read[*row].and_then(|row| row.finish(|()| sums.check_key(LANES * group + lane)));
                out[*row] = checked.and_then(|_| Error::check_equation(holds.lane(lane))).into();
            }
        }
    });
}
