//! ECDSA with the nonce's point known: the sum of a_i (u_i G + v_i Q_i - R_i) over all rows is infinity, where u = z /
//! s and v = r / s.

#[cfg(feature = "bindings")]
use super::verify_chunks;
use super::{
    Batch,
    backend::BatchBackend,
    coefficients::{Coefficients, Commitment, fresh},
    equation::{Equation, Equations},
    lifts::{Lifts, Pending},
    search::Search,
};
#[cfg(feature = "bindings")]
use crate::bulk::Rows;
use crate::tuning::ROWS_PER_SUM;
use crate::{
    Column, Error, LowS, PublicKey, PublicKeyRef, Scalar, Verdict,
    bulk::{IndexedRows, sealed},
    ecdsa::{self, Hint, HintedRow, RecoveryId, Row, SignedDigest},
    group::above_order,
    keys::{ReadRow, RowKey},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::arena::{Arena, List};

/// The columns of rows with recovery ids as hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintedColumns<'a> {
    columns: ecdsa::row::Columns<'a>,
    ids: Column<'a>,
}

impl<'a> HintedColumns<'a> {
    /// Rows, and recovery ids of one byte; an id above 3 says that there is none.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many ids as rows; [`Error::BadColumn`] if ids are not one byte
    /// wide.
    pub fn new(columns: ecdsa::row::Columns<'a>, ids: Column<'a>) -> Result<Self, Error> {
        Error::check_lengths(columns.len(), ids.len())?;
        if ids.width() == 1 { Ok(HintedColumns { columns, ids }) } else { Err(Error::BadColumn) }
    }
}

impl<'a> sealed::Rows<HintedRow<'a>> for HintedColumns<'a> {
    fn count(&self) -> usize {
        self.ids.len()
    }
    fn row(&self, index: usize) -> HintedRow<'a> {
        HintedRow { row: self.columns.get(index), hint: Hint::RecoveryId(self.ids.get(index)[0]) }
    }
    fn as_rows(&self) -> Option<&[HintedRow<'a>]> {
        None
    }
}

/// A row as far as it could be read, and its nonce's point.
type PendingEcdsa<'r> = (u32, ReadRow<Pending, SignedDigest<'r>>, Option<Pending>);
/// A row without the nonce's point, with its key.
type RowAndKey = (u32, PublicKey);

impl Batch {
    /// [`crate::ecdsa::verify_row`] on each row. Variable time.
    ///
    /// ```
    /// use phalanx::{Batch, LowS, SecretKey, ecdsa::{Hint, HintedRow, self}};
    /// let secret = SecretKey::random();
    /// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
    /// let (digests, signatures, keys) = ([[1; 32]], [signature], [secret.public_key()]);
    /// let rows = ecdsa::rows(&digests, &signatures, &keys)?;
    /// let hinted = [HintedRow { row: rows[0], hint: Hint::RecoveryId(id.to_u8()) }];
    /// assert!(Batch::new().verify_ecdsa(&hinted, LowS::Require)[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn verify_ecdsa(&self, rows: &[HintedRow<'_>], low_s: LowS) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.ecdsa_chunk(rows, low_s, fresh())).collect()
    }

    /// As [`Batch::verify_ecdsa`], with the verdicts in the caller's memory, and by randomness that the caller may bring:
    /// 32 bytes that nobody could know when the rows were chosen. They are hashed together with the rows.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows.
    #[cfg(feature = "bindings")]
    pub fn verify_ecdsa_into<'r>(
        &self,
        rows: impl Rows<HintedRow<'r>>,
        low_s: LowS,
        randomness: Option<&[u8; 32]>,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        verify_chunks(rows, out, |rows| self.ecdsa_chunk(rows, low_s, randomness.copied().or_else(fresh)))
    }

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn ecdsa_chunk(&self, rows: &[HintedRow<'_>], low_s: LowS, fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        match fresh {
            None => {
                let row = |i: usize| rows[i].row;
                (&mut &*self).verify_ecdsa(IndexedRows { count: rows.len(), row: &row }, low_s, &mut out);
            }
            Some(fresh) => self.in_arena(lines(rows.len()), |arena| {
                verify(rows, low_s, &fresh, &mut out, arena, &mut &*self);
            }),
        }
        out
    }
}

/// The memory of [`verify`].
struct EcdsaLists<'m, 'r> {
    lifts: Lifts<'m>,
    read: List<'m, PendingEcdsa<'r>>,
    /// Rows with the nonce's point, whose key and nonce are in the equation of the same number.
    places: List<'m, u32>,
    signed: List<'m, SignedDigest<'r>>,
    inverses: List<'m, Scalar>,
    equations: Equations<'m>,
    /// The other rows, and their verdicts.
    others: List<'m, RowAndKey>,
    found: List<'m, Verdict>,
    search: Search<'m>,
}

impl<'m, 'r: 'm> EcdsaLists<'m, 'r> {
    fn with_room(rows: usize, arena: &mut Arena<'m, 'r>) -> Self {
        EcdsaLists {
            lifts: Lifts::with_room(2 * rows, arena),
            read: arena.list(rows),
            places: arena.list(rows),
            signed: arena.list(rows),
            inverses: arena.list(rows),
            equations: Equations::with_room(rows, arena),
            others: arena.list(rows),
            found: arena.filled(rows, Verdict::InvalidSignature),
            search: Search::with_room(rows, arena),
        }
    }
}

/// The lines that [`verify`] takes for a given number of rows.
pub(super) fn lines(rows: usize) -> usize {
    Arena::count(|arena| {
        EcdsaLists::with_room(rows, arena);
    })
}

/// Verifies rows by a sum. All verdicts are those of invalid signatures when it begins.
pub(super) fn verify<'r, B: BatchBackend>(
    rows: &[HintedRow<'r>],
    low_s: LowS,
    fresh: &[u8; 32],
    out: &mut [Verdict],
    arena: &mut Arena<'_, 'r>,
    backend: &mut B,
) {
    let EcdsaLists {
        mut lifts,
        mut read,
        mut places,
        mut signed,
        mut inverses,
        mut equations,
        mut others,
        mut found,
        mut search,
    } = EcdsaLists::with_room(rows.len(), arena);
    for (place, hinted) in rows.iter().enumerate() {
        match ecdsa::read_row(&hinted.row, low_s, RowKey::read) {
            Ok(row) => {
                let nonce = row.signed().and_then(|signed| nonce(&hinted.hint, &signed.r()));
                let row = row.map_key(|key| lifts.add(key));
                read.push((place as u32, row, nonce.map(|nonce| lifts.add(nonce))));
            }
            Err(error) => out[place] = error.into(),
        }
    }
    let lifted = lifts.lift(backend);
    for (place, row, nonce) in read.iter().copied() {
        match row.finish(|key| lifted.point(key).ok_or(Error::BadPublicKey)) {
            Err(error) => out[place as usize] = error.into(),
            Ok((key, digest)) => match nonce.and_then(|nonce| lifted.point(nonce)) {
                Some(nonce) => {
                    places.push(place);
                    signed.push(digest);
                    inverses.push(digest.s());
                    equations.push(Equation { u: Scalar::ZERO, v: Scalar::ZERO, key, nonce });
                }
                None => others.push((place, key)),
            },
        }
    }
    Scalar::batch_invert(&mut inverses);
    assert_eq!(inverses.len(), equations.as_slice().len(), "an inverse for each row");
    let mut committed = Commitment::new();
    for ((equation, signed), inverse) in equations.as_mut_slice().iter_mut().zip(signed.iter()).zip(inverses.iter()) {
        (equation.u, equation.v) = (signed.z() * inverse, signed.r() * inverse);
        committed.add(&equation.u.to_bytes());
        committed.add(&equation.v.to_bytes());
        committed.add(&equation.key.to_bytes());
        committed.add(&equation.nonce.to_bytes());
    }
    let found = &mut found[..others.len()];
    let row = |i: usize| {
        let (place, key) = &others[i];
        Row { public_key: PublicKeyRef::Parsed(key), ..rows[*place as usize].row }
    };
    backend.verify_ecdsa(IndexedRows { count: others.len(), row: &row }, low_s, found);
    others.iter().zip(found.iter()).for_each(|((place, _), found)| out[*place as usize] = *found);

    equations.draw(&Coefficients::new(fresh, committed));
    let alone = |backend: &mut B, equations: &Equations<'_>, numbers: &[u32], found: &mut [Verdict]| {
        let row = |i: usize| {
            let (place, equation) = (places[numbers[i] as usize], &equations.as_slice()[numbers[i] as usize]);
            Row { public_key: PublicKeyRef::Parsed(&equation.key), ..rows[place as usize].row }
        };
        backend.verify_ecdsa(IndexedRows { count: numbers.len(), row: &row }, low_s, found);
    };
    let found = search.run(backend, &mut equations, &alone);
    assert_eq!(found.len(), places.len(), "a verdict for each row");
    places.iter().zip(found).for_each(|(place, found)| out[*place as usize] = found);
}

/// The nonce's point, as far as the hint tells it without a square root.
fn nonce(hint: &Hint<'_>, r: &Scalar) -> Option<RowKey> {
    match hint {
        Hint::None => None,
        Hint::RecoveryId(id) => RecoveryId::from_u8(*id).ok()?.nonce(r),
        // Only a point whose x reduces to r says what the row says.
        Hint::Point(bytes) => RowKey::read_bytes(bytes, false).ok().filter(|point| {
            let x = point.x_words();
            x == r.limbs() || above_order(r) == Some(x)
        }),
    }
}
