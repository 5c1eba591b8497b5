//! Recovery of public keys.

use crate::bulk::{
    Bulk, IndexedRows,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{KeyPoints, place},
    memory::{Lines, with_arena},
    one_lane::{affine, inverses},
    operation::{OnRows, RowOperation},
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{
    Column, Error, PublicKey, ecdsa,
    lanes::{Fractions, JacobianX8, Machine, U256x8, divide_fractions, to_affine},
    mul::{Digits, DoubleMuls, Unit, double_mul_rows},
};
use alloc::vec::Vec;
use phalanx_engine::word::{LANES, Mask, Mask8};

/// [`ecdsa::recover_row`] on each row.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct Recover;

impl Bulk {
    /// [`ecdsa::recover_row`] on each row. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
    /// let signature = ecdsa::SignatureRef::Parsed(&signature);
    /// let row = ecdsa::RecoverRow { digest: &[1; 32], signature, recovery_id: id.to_u8() };
    /// assert_eq!(Bulk::new().recover(&[row]), [Ok(secret.public_key())]);
    /// ```
    pub fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>> {
        self.answers(Recover, rows).expect("one slice")
    }
}

impl RowOperation for Recover {
    type Rows<'a> = &'a [ecdsa::RecoverRow<'a>];
    type Out = Result<PublicKey, Error>;

    const NONE: Self::Out = Err(Error::InvalidSignature);
    const SECRET: bool = false;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        one_lane(rows, out, memory);
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        eight_lanes(machine, rows, out, memory);
    }
}

impl ColumnOperation for Recover {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 3>(|block| {
            let found = &mut [Self::NONE; ROWS][..block.verdicts.len()];
            block.on_rows(Recover, in_rows(block.columns), found);
            block.answer_keys(found, &mut answer);
        })
    }
}

/// Columns of digests, compact signatures and recovery ids of one byte, as rows.
pub(in crate::bulk) fn in_rows<'c>(
    [digests, signatures, ids]: [Column<'c>; 3],
) -> IndexedRows<impl Fn(usize) -> ecdsa::RecoverRow<'c> + Copy> {
    let row = move |row| ecdsa::RecoverRow {
        digest: digests.get(row),
        signature: ecdsa::SignatureRef::Compact(signatures.get(row)),
        recovery_id: ids.get(row)[0],
    };
    IndexedRows { count: digests.len(), row }
}

impl<'r> OnRows<ecdsa::RecoverRow<'r>> for Recover {
    fn rows<'a>(rows: &'a [ecdsa::RecoverRow<'r>]) -> &'a [ecdsa::RecoverRow<'a>] {
        rows
    }
}

/// A row to recover a key from.
type RecoveryOrError<'a> = Result<ecdsa::Recovery<'a>, Error>;

/// [`ecdsa::recover_row`] on each row.
fn one_lane<'env>(rows: &[ecdsa::RecoverRow<'env>], out: &mut [Result<PublicKey, Error>], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let rows = arena.collect::<RecoveryOrError<'env>>(rows.iter().map(ecdsa::read_recover_row));
        let inverses = inverses(&rows, ecdsa::Recovery::denominator, arena);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "an answer for each row");
        let find = |(row, inverse): (&RecoveryOrError<'env>, _)| (*row)?.find_with(Unit::OneLane, inverse);
        let points = arena.collect(rows.iter().zip(inverses.iter()).map(find));
        for (point, out) in affine(&points, Error::InvalidSignature, arena).zip(out) {
            *out = point.map(PublicKey::from_affine);
        }
    });
}

/// [`ecdsa::recover_row`] on each row.
fn eight_lanes<M: Machine>(
    machine: M,
    rows: &[ecdsa::RecoverRow<'_>],
    out: &mut [Result<PublicKey, Error>],
    memory: &mut Lines,
) {
    assert_eq!(rows.len(), out.len(), "an answer for each row");
    let groups = rows.len().div_ceil(LANES);
    with_arena(memory, |arena| {
        let mut points = KeyPoints::new(rows.len(), arena);
        let mut fractions = arena.filled(groups, Fractions::ONE);
        let read = arena.collect(rows.iter().enumerate().map(|(i, row)| {
            ecdsa::read_recover_row(row).and_then(|recovery| {
                points.set(i, &recovery.nonce()?);
                let (group, lane) = place(i);
                let [a, b] = recovery.numerators();
                fractions[group].set(lane, [&a, &b], &recovery.denominator());
                Ok(())
            })
        }));
        points.lift(machine);

        divide_fractions(machine, &mut fractions, arena.spare());
        let mut digits = arena.filled(groups, Digits::ZERO);
        for i in 0..rows.len() {
            let (group, lane) = place(i);
            let [a, b] = fractions[group].get(lane);
            digits[group].set(lane, &a, &b);
        }

        let mut sums = arena.filled(groups, JacobianX8::ZERO);
        let mut infinite = arena.filled(groups, Mask8::NONE);
        let work = DoubleMuls { points: &points.groups, digits: &digits, sums: &mut sums, infinite: &mut infinite };
        double_mul_rows(machine, work, arena.spare());
        let mut affine = arena.filled(groups, [U256x8::ZERO; 2]);
        to_affine(machine, &sums, &mut affine, arena.spare());
        for (i, (row, out)) in read.iter().zip(out).enumerate() {
            let (group, lane) = place(i);
            let [x, y] = &affine[group];
            // A nonce that is no point and a key at infinity are the same answer: there is no such key.
            let exists = points.check(i).is_ok() && !infinite[group].lane(lane);
            *out = row.and_then(|()| {
                Error::check_equation(exists).map(|()| PublicKey::from_canonical(x.get(lane), y.get(lane)))
            });
        }
    });
}
