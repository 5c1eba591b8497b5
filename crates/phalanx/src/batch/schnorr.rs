//! BIP-340: the sum of a_i (s_i G - R_i - e_i P_i) over all rows is infinity.

use super::{
    Batch,
    coefficients::{Coefficients, fresh},
    equation::{Equation, Sum},
    lifts::Lifts,
    verdicts::Verdicts,
};
use crate::tuning::ROWS_PER_SUM;
use crate::{
    Error, Verdict, XOnlyKeyRef, XOnlyPublicKey,
    keys::RowKey,
    schnorr::{self, Row},
};
use alloc::vec::Vec;

impl Batch {
    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Follows BIP-340's batch verification, but for coefficients of 128 bits in place of 256.
    pub fn verify_schnorr(&self, rows: &[Row<'_>]) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.schnorr_chunk(rows, fresh())).collect()
    }

    /// As [`Batch::verify_schnorr`], with randomness that the caller brings: 32 bytes that nobody could know when the
    /// rows were chosen. They are hashed together with the rows.
    ///
    /// ```
    /// # use phalanx::{Batch, Keypair, schnorr};
    /// # let pair = Keypair::random();
    /// # let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes()];
    /// # let keys = [pair.x_only()];
    /// # let from_my_generator = [4; 32];
    /// let rows = schnorr::rows(&[b"m"], &signatures, &keys)?;
    /// assert!(Batch::new().verify_schnorr_with_randomness(&rows, &from_my_generator)[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn verify_schnorr_with_randomness(&self, rows: &[Row<'_>], randomness: &[u8; 32]) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.schnorr_chunk(rows, Some(*randomness))).collect()
    }

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn schnorr_chunk(&self, rows: &[Row<'_>], fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let Some(fresh) = fresh else { return self.bulk.verify_schnorr(rows) };
        let mut verdicts = Verdicts::none(rows.len());
        // Two points to lift a row: the key, unless it is parsed already, and the nonce's.
        let mut lifts = Lifts::with_capacity(2 * rows.len());
        let mut read = Vec::with_capacity(rows.len());
        for (place, row) in rows.iter().enumerate() {
            match schnorr::read_row(row, RowKey::read_x_only) {
                Ok(row) => {
                    let nonce = row.signed().map(|signature| lifts.add(signature.nonce()));
                    read.push((place, row.map_key(|key| lifts.add(key)), nonce));
                }
                Err(error) => verdicts.set(place, error.into()),
            }
        }
        let lifted = lifts.lift(&self.bulk);
        let mut equations = Vec::with_capacity(read.len());
        let mut committed = Vec::with_capacity(64 * read.len());
        let mut places = Vec::with_capacity(read.len());
        for (place, row, nonce) in read {
            let (key, signature) = match row.finish(|key| lifted.point(key).ok_or(Error::BadPublicKey)) {
                Ok(row) => row,
                Err(error) => {
                    verdicts.set(place, error.into());
                    continue;
                }
            };
            let Some(nonce) = nonce.and_then(|nonce| lifted.point(nonce)) else {
                // No point has this x, so s G - e P has another.
                verdicts.set(place, Verdict::InvalidSignature);
                continue;
            };
            let (s, e) = (signature.s(), schnorr::challenge(&signature.r_bytes(), &key.x_bytes(), rows[place].message));
            // The challenge commits to the nonce's point, the key and the message.
            committed.extend_from_slice(&e.to_bytes());
            committed.extend_from_slice(&s.to_bytes());
            equations.push(Equation { u: s, v: -e, key, nonce });
            places.push(place);
        }
        let coefficients = Coefficients::new(&fresh, &committed).take(equations.len());
        let alone = |indices: &[usize]| {
            let keys: Vec<XOnlyPublicKey> = indices.iter().map(|&i| equations[i].key.x_only().0).collect();
            assert_eq!(keys.len(), indices.len(), "a key for each row");
            let row = |(&i, key)| Row { public_key: XOnlyKeyRef::Parsed(key), ..rows[places[i]] };
            self.bulk.verify_schnorr(&indices.iter().zip(&keys).map(row).collect::<Vec<_>>())
        };
        let found = self.search(&Sum { equations: &equations, coefficients: &coefficients }, alone);
        verdicts.set_all(places.into_iter(), found);
        verdicts.finish()
    }
}
