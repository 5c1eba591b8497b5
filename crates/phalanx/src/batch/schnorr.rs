//! BIP-340: the sum of a_i (s_i G - R_i - e_i P_i) over all rows is infinity.

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
    Error, Verdict, XOnlyKeyRef, XOnlyPublicKey,
    bulk::IndexedRows,
    keys::{ReadRow, RowKey},
    schnorr::{self, Row, Signature},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::arena::{Arena, List};

/// A row as far as it could be read, and its nonce's point.
type PendingSchnorr = (u32, ReadRow<Pending, Signature>, Option<Pending>);

impl Batch {
    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Follows BIP-340's batch verification, but for coefficients of 128 bits in place of 256.
    pub fn verify_schnorr(&self, rows: &[Row<'_>]) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.schnorr_chunk(rows, fresh())).collect()
    }

    /// As [`Batch::verify_schnorr`], with the verdicts in the caller's memory, and by randomness that the caller may
    /// bring: 32 bytes that nobody could know when the rows were chosen. They are hashed together with the rows.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows.
    ///
    /// ```
    /// # use phalanx::{Batch, Keypair, Verdict, schnorr};
    /// # let pair = Keypair::random();
    /// # let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes()];
    /// # let keys = [pair.x_only()];
    /// # let from_my_generator = [4; 32];
    /// let rows = schnorr::rows(&[b"m"], &signatures, &keys)?;
    /// let mut verdicts = [Verdict::InvalidSignature];
    /// Batch::new().verify_schnorr_into(&rows[..], Some(&from_my_generator), &mut verdicts)?;
    /// assert!(verdicts[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[cfg(feature = "bindings")]
    pub fn verify_schnorr_into<'r>(
        &self,
        rows: impl Rows<Row<'r>>,
        randomness: Option<&[u8; 32]>,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        verify_chunks(rows, out, |rows| self.schnorr_chunk(rows, randomness.copied().or_else(fresh)))
    }

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn schnorr_chunk(&self, rows: &[Row<'_>], fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let Some(fresh) = fresh else { return self.bulk.verify_schnorr(rows) };
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        self.in_arena(lines(rows.len()), |arena| verify(rows, &fresh, &mut out, arena, &mut &*self));
        out
    }
}

/// The memory of [`verify`].
struct SchnorrLists<'m> {
    /// Two points to lift a row: the key, unless it is parsed already, and the nonce's.
    lifts: Lifts<'m>,
    read: List<'m, PendingSchnorr>,
    places: List<'m, u32>,
    keys: List<'m, XOnlyPublicKey>,
    equations: Equations<'m>,
    search: Search<'m>,
}

impl<'m> SchnorrLists<'m> {
    fn with_room(rows: usize, arena: &mut Arena<'m, '_>) -> Self {
        SchnorrLists {
            lifts: Lifts::with_room(2 * rows, arena),
            read: arena.list(rows),
            places: arena.list(rows),
            keys: arena.list(rows),
            equations: Equations::with_room(rows, arena),
            search: Search::with_room(rows, arena),
        }
    }
}

/// The lines that [`verify`] takes for a given number of rows.
pub(super) fn lines(rows: usize) -> usize {
    Arena::count(|arena| {
        SchnorrLists::with_room(rows, arena);
    })
}

/// Verifies rows by a sum. All verdicts are those of invalid signatures when it begins.
pub(super) fn verify<'r, B: BatchBackend>(
    rows: &[Row<'r>],
    fresh: &[u8; 32],
    out: &mut [Verdict],
    arena: &mut Arena<'_, 'r>,
    backend: &mut B,
) {
    let lists = SchnorrLists::with_room(rows.len(), arena);
    let SchnorrLists { mut lifts, mut read, mut places, mut keys, mut equations, mut search } = lists;
    for (place, row) in rows.iter().enumerate() {
        match schnorr::read_row(row, RowKey::read_x_only) {
            Ok(row) => {
                let nonce = row.signed().map(|signature| lifts.add(signature.nonce()));
                read.push((place as u32, row.map_key(|key| lifts.add(key)), nonce));
            }
            Err(error) => out[place] = error.into(),
        }
    }
    let lifted = lifts.lift(backend);
    let mut committed = Commitment::new();
    for (place, row, nonce) in read.iter().copied() {
        let (key, signature) = match row.finish(|key| lifted.point(key).ok_or(Error::BadPublicKey)) {
            Ok(row) => row,
            Err(error) => {
                out[place as usize] = error.into();
                continue;
            }
        };
        // Where no point has this x, s G - e P has another: the row is invalid, as it stands.
        let Some(nonce) = nonce.and_then(|nonce| lifted.point(nonce)) else { continue };
        let message = rows[place as usize].message;
        let (s, e) = (signature.s(), schnorr::challenge(&signature.r_bytes(), &key.x_bytes(), message));
        // The challenge commits to the nonce's point, the key and the message.
        committed.add(&e.to_bytes());
        committed.add(&s.to_bytes());
        equations.push(Equation { u: s, v: -e, key, nonce });
        keys.push(key.x_only().0);
        places.push(place);
    }
    equations.draw(&Coefficients::new(fresh, committed));
    let alone = |backend: &mut B, _: &Equations<'_>, numbers: &[u32], found: &mut [Verdict]| {
        let row = |i: usize| {
            let number = numbers[i] as usize;
            Row { public_key: XOnlyKeyRef::Parsed(&keys[number]), ..rows[places[number] as usize] }
        };
        backend.verify_schnorr(IndexedRows { count: numbers.len(), row: &row }, found);
    };
    let found = search.run(backend, &mut equations, &alone);
    assert_eq!(found.len(), places.len(), "a verdict for each row");
    places.iter().zip(found).for_each(|(place, found)| out[*place as usize] = found);
}
