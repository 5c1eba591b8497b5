//! BIP-340: the sum of a_i (s_i G - R_i - e_i P_i) over all rows is infinity.

use super::{
    Batch,
    coefficients::{self, Coefficients, fresh},
    refused,
    search::Claims,
};
use crate::tuning::ROWS_PER_SUM;
use crate::{
    PublicKey, Scalar, Verdict, XOnlyKeyRef, XOnlyPublicKey,
    glv::Half,
    keys::RowKey,
    msm::Products,
    schnorr::{self, Row},
};
use alloc::{vec, vec::Vec};

/// What a row says, where it can be said.
struct Claim {
    s: Scalar,
    e: Scalar,
    key: PublicKey,
    nonce: PublicKey,
}

impl Batch {
    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Follows BIP-340's batch verification, but for coefficients of 128 bits in place of 256.
    pub fn verify_schnorr(&self, rows: &[Row<'_>]) -> Vec<Verdict> {
        rows.chunks(ROWS_PER_SUM).flat_map(|rows| self.schnorr_chunk(rows, fresh())).collect()
    }

    /// By a sum with coefficients from fresh bytes; without these, row by row.
    pub(super) fn schnorr_chunk(&self, rows: &[Row<'_>], fresh: Option<[u8; 32]>) -> Vec<Verdict> {
        let Some(fresh) = fresh else { return self.bulk.verify_schnorr(rows) };
        let mut verdicts = vec![Verdict::Valid; rows.len()];
        // Two points to lift a row: the key, unless it is parsed already, and the nonce's.
        let mut lifts = Vec::with_capacity(2 * rows.len());
        let mut signatures = vec![None; rows.len()];
        for ((row, signature), verdict) in rows.iter().zip(&mut signatures).zip(&mut verdicts) {
            let parsed = RowKey::read_x_only(&row.public_key).and_then(|key| {
                if let RowKey::Lift { x, odd } = key {
                    lifts.push((x, odd));
                }
                let parsed = schnorr::Signature::from_bytes(row.signature)?;
                lifts.push((parsed.r_words(), false));
                Ok(parsed)
            });
            match parsed {
                Ok(parsed) => *signature = Some(parsed),
                Err(error) => *verdict = refused(error),
            }
        }
        let mut points = self.bulk.lift(&lifts).into_iter();
        let mut claims = Vec::with_capacity(rows.len());
        let mut committed = Vec::with_capacity(64 * rows.len());
        let mut places = Vec::with_capacity(rows.len());
        for (i, (row, signature)) in rows.iter().zip(&signatures).enumerate() {
            // A key out of range has no lift; one in range has, whether or not its signature was read.
            let key = match (&row.public_key, verdicts[i]) {
                (_, Verdict::BadPublicKey) => continue,
                (XOnlyKeyRef::Parsed(key), _) => Some(key.public_key()),
                (XOnlyKeyRef::Encoded(_), _) => points.next().flatten(),
            };
            let nonce = signature.as_ref().map(|_| points.next().flatten());
            let Some(key) = key else {
                verdicts[i] = Verdict::BadPublicKey;
                continue;
            };
            let (Some(signature), Some(nonce)) = (signature, nonce) else { continue };
            let Some(nonce) = nonce else {
                // No point has this x, so s G - e P has another.
                verdicts[i] = Verdict::InvalidSignature;
                continue;
            };
            let Some((r, s)) = row.signature.split_first_chunk() else {
                verdicts[i] = Verdict::InvalidSignature;
                continue;
            };
            let e = schnorr::challenge(r, &key.x_bytes(), row.message);
            // The challenge commits to the nonce's point, the key and the message.
            committed.extend_from_slice(&e.to_bytes());
            committed.extend_from_slice(s);
            claims.push(Claim { s: signature.s(), e, key, nonce });
            places.push(i);
        }
        let coefficients = Coefficients::new(&fresh, &committed).take(claims.len());
        let alone = |indices: &[usize]| {
            let keys: Vec<XOnlyPublicKey> = indices.iter().map(|&i| claims[i].key.x_only().0).collect();
            let row = |(&i, key)| Row { public_key: XOnlyKeyRef::Parsed(key), ..rows[places[i]] };
            self.bulk.verify_schnorr(&indices.iter().zip(&keys).map(row).collect::<Vec<_>>())
        };
        let found = self.search(&Equations { claims: &claims, coefficients: &coefficients }, claims.len(), alone);
        for (place, verdict) in places.into_iter().zip(found) {
            verdicts[place] = verdict;
        }
        verdicts
    }
}

struct Equations<'a> {
    claims: &'a [Claim],
    coefficients: &'a [Half],
}

impl Claims for Equations<'_> {
    fn random(&self, index: usize) -> u64 {
        self.coefficients[index].magnitude as u64
    }

    fn products(&self, rows: core::ops::Range<usize>) -> Products<'static> {
        let mut products = Products::with_capacity(rows.len() + 1, rows.len());
        let mut generator = Scalar::ZERO;
        for (claim, a) in self.claims[rows.clone()].iter().zip(&self.coefficients[rows]) {
            let coefficient = coefficients::scalar(a);
            generator += coefficient * claim.s;
            products.push(&-(coefficient * claim.e), &claim.key.entry());
            products.push_short(Half { neg: !a.neg, ..*a }, &claim.nonce.entry());
        }
        products.push(&generator, &PublicKey::GENERATOR.entry());
        products
    }
}
