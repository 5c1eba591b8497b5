//! ECDSA with the nonce's point known: the sum of a_i (u_i G + v_i Q_i - R_i) over all rows is infinity, where u = z / s and
//! v = r / s.

use super::{
    Batch,
    coefficients::{self, Coefficients, fresh},
    refused,
    search::Claims,
};
use crate::tuning::ROWS_PER_SUM;
use crate::{
    Error, LowS, PublicKey, PublicKeyRef, Scalar, Verdict,
    ecdsa::{Row, Signature},
    glv::Half,
    group::above_order,
    keys::RowKey,
    msm::Products,
};
use alloc::{vec, vec::Vec};
use core::ops::Range;

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

/// What a row says, before its points are lifted.
struct Read {
    digest: Scalar,
    signature: Signature,
    key: RowKey,
    nonce: Option<RowKey>,
}

struct Claim {
    u: Scalar,
    v: Scalar,
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

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn ecdsa_chunk(&self, rows: &[HintedRow<'_>], low_s: LowS, fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let Some(fresh) = fresh else {
            return self.bulk.verify_ecdsa(&rows.iter().map(|hinted| hinted.row).collect::<Vec<_>>(), low_s);
        };
        let mut verdicts = vec![Verdict::Valid; rows.len()];
        let read: Vec<Option<Read>> = rows
            .iter()
            .zip(&mut verdicts)
            .map(|(row, verdict)| read(row, low_s).map_err(|error| *verdict = refused(error)).ok())
            .collect();
        let mut lifts = Vec::with_capacity(2 * rows.len());
        for row in read.iter().flatten() {
            for sought in [Some(&row.key), row.nonce.as_ref()].into_iter().flatten() {
                if let RowKey::Lift { x, odd } = sought {
                    lifts.push((*x, *odd));
                }
            }
        }
        let mut lifted = self.bulk.lift(&lifts).into_iter();
        let mut find = |sought: &RowKey| match sought {
            RowKey::Point(point) => Some(*point),
            RowKey::Lift { .. } => lifted.next().flatten(),
        };

        let mut inverses: Vec<Scalar> = read.iter().flatten().map(|row| row.signature.s()).collect();
        Scalar::batch_invert(&mut inverses);
        let mut inverses = inverses.into_iter();
        let (mut claims, mut places) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        let mut committed = Vec::with_capacity(130 * rows.len());
        // Rows without the nonce's point, with their keys.
        let mut others: Vec<(usize, PublicKey)> = Vec::new();
        for (i, row) in read.iter().enumerate() {
            let Some(row) = row else { continue };
            let inverse = inverses.next().unwrap_or(Scalar::ONE);
            let (key, nonce) = (find(&row.key), row.nonce.as_ref().and_then(&mut find));
            let Some(key) = key else {
                verdicts[i] = Verdict::BadPublicKey;
                continue;
            };
            let Some(nonce) = nonce else {
                others.push((i, key));
                continue;
            };
            let (u, v) = (row.digest * inverse, row.signature.r() * inverse);
            committed.extend_from_slice(&u.to_bytes());
            committed.extend_from_slice(&v.to_bytes());
            committed.extend_from_slice(&key.to_bytes());
            committed.extend_from_slice(&nonce.to_bytes());
            claims.push(Claim { u, v, key, nonce });
            places.push(i);
        }
        let alone = |keyed: &[(usize, PublicKey)]| {
            let mut single = Vec::with_capacity(keyed.len());
            for (i, key) in keyed {
                single.push(Row { public_key: PublicKeyRef::Parsed(key), ..rows[*i].row });
            }
            self.bulk.verify_ecdsa(&single, low_s)
        };
        for ((i, _), verdict) in others.iter().zip(alone(&others)) {
            verdicts[*i] = verdict;
        }
        let coefficients = Coefficients::new(&fresh, &committed).take(claims.len());
        let found = self.search(&Equations { claims: &claims, coefficients: &coefficients }, claims.len(), |indices| {
            alone(&indices.iter().map(|&i| (places[i], claims[i].key)).collect::<Vec<_>>())
        });
        for (place, verdict) in places.iter().zip(found) {
            verdicts[*place] = verdict;
        }
        verdicts
    }
}

/// All checks of [`crate::ecdsa::verify_row`] that need no arithmetic on the curve, in its order; the hint as far as it is of use.
fn read(hinted: &HintedRow<'_>, low_s: LowS) -> Result<Read, Error> {
    let row = &hinted.row;
    let digest: &[u8; 32] = row.digest.try_into().map_err(|_| Error::BadDigest)?;
    let key = RowKey::read(&row.public_key)?;
    let signature = match row.signature.parse() {
        Ok(signature) if low_s == LowS::Require && signature.is_high_s() => Err(Error::HighS),
        parsed => parsed,
    };
    let signature = match (signature, &key) {
        // The contract asks for the key first: it may be no point at all.
        (Err(error), RowKey::Lift { .. }) => return Err(key.point().err().unwrap_or(error)),
        (signature, _) => signature?,
    };
    let r = signature.r();
    let nonce = match hinted.hint {
        Hint::None => None,
        Hint::RecoveryId(id @ 0..=1) => Some(RowKey::Lift { x: r.limbs(), odd: id == 1 }),
        Hint::RecoveryId(id @ 2..=3) => above_order(&r).map(|x| RowKey::Lift { x, odd: id == 3 }),
        Hint::RecoveryId(_) => None,
        // Only a point whose x reduces to r says what the row says.
        Hint::Point(bytes) => RowKey::read_bytes(bytes, false).ok().filter(|point| {
            let x = point.x_words();
            x == r.limbs() || above_order(&r) == Some(x)
        }),
    };
    Ok(Read { digest: Scalar::from_bytes_reduced(digest), signature, key, nonce })
}

struct Equations<'a> {
    claims: &'a [Claim],
    coefficients: &'a [Half],
}

impl Claims for Equations<'_> {
    fn random(&self, index: usize) -> u64 {
        self.coefficients[index].magnitude as u64
    }

    fn products(&self, rows: Range<usize>) -> Products<'static> {
        let mut products = Products::with_capacity(rows.len() + 1, rows.len());
        let mut generator = Scalar::ZERO;
        for (claim, a) in self.claims[rows.clone()].iter().zip(&self.coefficients[rows]) {
            let coefficient = coefficients::scalar(a);
            generator += coefficient * claim.u;
            products.push(&(coefficient * claim.v), &claim.key.entry());
            products.push_short(Half { neg: !a.neg, ..*a }, &claim.nonce.entry());
        }
        products.push(&generator, &PublicKey::GENERATOR.entry());
        products
    }
}
