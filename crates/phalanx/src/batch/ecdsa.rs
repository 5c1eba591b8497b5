//! ECDSA with the nonce's point known: the sum of a_i (u_i G + v_i Q_i - R_i) over all rows is infinity, where u = z /
//! s and v = r / s.

use super::{
    Batch,
    coefficients::{Coefficients, fresh},
    equation::{Equation, Sum},
    lifts::Lifts,
    verdicts::Verdicts,
};
use crate::tuning::ROWS_PER_SUM;
use crate::{
    Error, LowS, PublicKey, PublicKeyRef, Scalar, Verdict,
    ecdsa::{self, RecoveryId, Row, SignedDigest},
    group::above_order,
    keys::RowKey,
};
use alloc::vec::Vec;

/// What a row says of the point whose x, modulo n, is r. A wrong hint costs time, and changes no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint<'a> {
    /// Nothing: the row is verified alone.
    None,
    /// The recovery id: bit 0 is the parity of y, bit 1 says that x is r + n.
    RecoveryId(u8),
    /// The point itself, compressed or uncompressed.
    Point(&'a [u8]),
}

/// A signature to verify, and what its row says of the nonce's point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintedRow<'a> {
    /// The row.
    pub row: Row<'a>,
    /// The hint.
    pub hint: Hint<'a>,
}

/// A row with its points: the key, and the nonce's that its hint gives.
struct HintedPoints<'a> {
    place: usize,
    signed: SignedDigest<'a>,
    key: PublicKey,
    nonce: PublicKey,
}

impl Batch {
    /// [`crate::ecdsa::verify_row`] on each row. Variable time.
    ///
    /// ```
    /// use phalanx::{Batch, LowS, SecretKey, batch::{Hint, HintedRow}, ecdsa};
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

    /// As [`Batch::verify_ecdsa`], with randomness that the caller brings: 32 bytes that nobody could know when the rows
    /// were chosen. They are hashed together with the rows.
    pub fn verify_ecdsa_with_randomness(
        &self,
        rows: &[HintedRow<'_>],
        low_s: LowS,
        randomness: &[u8; 32],
    ) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.ecdsa_chunk(rows, low_s, Some(*randomness))).collect()
    }

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn ecdsa_chunk(&self, rows: &[HintedRow<'_>], low_s: LowS, fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let Some(fresh) = fresh else {
            return self.bulk.verify_ecdsa(&rows.iter().map(|hinted| hinted.row).collect::<Vec<_>>(), low_s);
        };
        let mut verdicts = Verdicts::none(rows.len());
        let mut lifts = Lifts::with_capacity(2 * rows.len());
        let mut read = Vec::with_capacity(rows.len());
        for (place, hinted) in rows.iter().enumerate() {
            match ecdsa::read_row(&hinted.row, low_s, RowKey::read) {
                Ok(row) => {
                    let nonce = row.signed().and_then(|signed| nonce(&hinted.hint, &signed.r()));
                    let row = row.map_key(|key| lifts.add(key));
                    read.push((place, row, nonce.map(|nonce| lifts.add(nonce))));
                }
                Err(error) => verdicts.set(place, error.into()),
            }
        }
        let lifted = lifts.lift(&self.bulk);
        let mut hinted = Vec::with_capacity(read.len());
        // Rows without the nonce's point, with their keys.
        let mut others: Vec<(usize, PublicKey)> = Vec::new();
        for (place, row, nonce) in read {
            match row.finish(|key| lifted.point(key).ok_or(Error::BadPublicKey)) {
                Err(error) => verdicts.set(place, error.into()),
                Ok((key, signed)) => match nonce.and_then(|nonce| lifted.point(nonce)) {
                    Some(nonce) => hinted.push(HintedPoints { place, signed, key, nonce }),
                    None => others.push((place, key)),
                },
            }
        }

        let mut inverses: Vec<Scalar> = hinted.iter().map(|row| row.signed.s()).collect();
        Scalar::batch_invert(&mut inverses);
        assert_eq!(inverses.len(), hinted.len(), "an inverse for each row");
        let mut equations = Vec::with_capacity(hinted.len());
        let mut committed = Vec::with_capacity(130 * hinted.len());
        for (HintedPoints { signed, key, nonce, .. }, inverse) in hinted.iter().zip(inverses) {
            let (u, v) = (signed.z() * inverse, signed.r() * inverse);
            committed.extend_from_slice(&u.to_bytes());
            committed.extend_from_slice(&v.to_bytes());
            committed.extend_from_slice(&key.to_bytes());
            committed.extend_from_slice(&nonce.to_bytes());
            equations.push(Equation { u, v, key: *key, nonce: *nonce });
        }
        let alone = |keyed: &[(usize, PublicKey)]| {
            let mut single = Vec::with_capacity(keyed.len());
            for (place, key) in keyed {
                single.push(Row { public_key: PublicKeyRef::Parsed(key), ..rows[*place].row });
            }
            self.bulk.verify_ecdsa(&single, low_s)
        };
        verdicts.set_all(others.iter().map(|(place, _)| *place), alone(&others));
        let coefficients = Coefficients::new(&fresh, &committed).take(equations.len());
        let found = self.search(&Sum { equations: &equations, coefficients: &coefficients }, |indices| {
            alone(&indices.iter().map(|&i| (hinted[i].place, hinted[i].key)).collect::<Vec<_>>())
        });
        verdicts.set_all(hinted.iter().map(|row| row.place), found);
        verdicts.finish()
    }
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
