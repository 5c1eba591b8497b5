//! Batch verification as one more way to ask for verdicts.
//!
//! The rows of a call are asked about a few at a time, each few among valid rows of this file's own: so that there are
//! enough for a sum of products, and few enough bad ones that it is not given up. The valid rows must stay valid.

use crate::chain_data::SignedRow;
use crate::verifier::{Share, Verifier};
use phalanx::{
    Batch, Bulk, Keypair, LowS, Point, PublicKey, Scalar, SecretKey, Verdict,
    ecdsa::{self, Hint, HintedRow},
    hash, schnorr,
};
use std::sync::LazyLock;

/// What the rows say of their nonces' points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints {
    /// The truth, where there is one: by turns the recovery id and the point, compressed or not.
    Right,
    /// By turns nothing, the truth, and each kind of untruth.
    Mixed,
}

/// Batch verification with such hints.
#[derive(Debug)]
pub struct Together {
    batch: Batch,
    hints: Hints,
}

/// Rows asked about at a time.
const FEW: usize = 24;
/// Valid rows before them and, as many again, behind them: with them there are more rows than are verified alone.
const BESIDE: usize = 20;

impl Together {
    /// By the means of these bulk operations.
    pub fn new(bulk: &Bulk, hints: Hints) -> Together {
        Together { batch: Batch::with(bulk), hints }
    }

    fn few_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        let good = GOOD.ecdsa.iter().map(SignedRow::ecdsa);
        let rows: Vec<_> = good.clone().take(BESIDE).chain(rows.iter().copied()).chain(good.skip(BESIDE)).collect();
        let points: Vec<_> = rows.iter().map(NoncePoint::of).collect();
        let hint = |(i, (row, point))| HintedRow { row, hint: self.hint(i, point) };
        let hinted: Vec<_> = rows.iter().copied().zip(&points).enumerate().map(hint).collect();
        self.without_good(self.batch.verify_ecdsa(&hinted, low_s))
    }

    fn few_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        let good = GOOD.schnorr.iter().map(SignedRow::schnorr);
        let rows: Vec<_> = good.clone().take(BESIDE).chain(rows.iter().copied()).chain(good.skip(BESIDE)).collect();
        self.without_good(self.batch.verify_schnorr(&rows))
    }

    fn without_good(&self, verdicts: Vec<Verdict>) -> Vec<Verdict> {
        let asked = BESIDE..verdicts.len() - BESIDE;
        let good = verdicts[..asked.start].iter().chain(&verdicts[asked.end..]);
        assert!(good.clone().all(|verdict| verdict.is_valid()), "a good row was harmed, {}", self.name());
        verdicts[asked].to_vec()
    }

    /// What row `i` says, whose equation holds for this point.
    fn hint<'a>(&self, i: usize, point: &'a Option<NoncePoint>) -> Hint<'a> {
        // Where no equation can hold, whatever the row says is wrong.
        let Some(point) = point else { return [Hint::None, Hint::RecoveryId(0), Hint::RecoveryId(1)][i % 3] };
        match (self.hints, i % 9) {
            // The equation holds for this point, whose x is not what the signature says.
            (_, i) if !point.is_signed => [Hint::Point(&point.compressed), Hint::RecoveryId(point.id)][i % 2],
            (Hints::Right, i) if i % 3 == 0 => Hint::Point(&point.compressed),
            (Hints::Right, i) if i % 3 == 1 => Hint::Point(&point.uncompressed),
            (Hints::Right, _) | (Hints::Mixed, 0) => Hint::RecoveryId(point.id),
            (Hints::Mixed, 1) => Hint::None,
            (Hints::Mixed, 2) => Hint::RecoveryId(point.id ^ 1),
            (Hints::Mixed, 3) => Hint::RecoveryId(point.id ^ 2),
            (Hints::Mixed, 4) => Hint::RecoveryId(point.id | 4),
            (Hints::Mixed, 5) => Hint::Point(&point.opposite),
            (Hints::Mixed, 6) => Hint::Point(&*GENERATOR),
            (Hints::Mixed, 7) => Hint::Point(&point.compressed[..32]),
            (Hints::Mixed, _) => Hint::Point(&[2; 33]),
        }
    }
}

impl Verifier for Together {
    fn name(&self) -> String {
        format!("batches with {:?} hints, backend {}", self.hints, self.batch.bulk().backend())
    }

    fn share(&self) -> Share {
        Share::of(self.batch.bulk().backend()).at_places(8)
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        assert_eq!(self.batch.verify_ecdsa(&[], low_s), []);
        rows.chunks(FEW).flat_map(|rows| self.few_ecdsa(rows, low_s)).collect()
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        assert_eq!(self.batch.verify_schnorr(&[]), []);
        rows.chunks(FEW).flat_map(|rows| self.few_schnorr(rows)).collect()
    }
}

/// A point that is no row's nonce.
static GENERATOR: LazyLock<[u8; 33]> = LazyLock::new(|| PublicKey::GENERATOR.to_bytes());

/// The point for which a row's equation holds, and its opposite.
struct NoncePoint {
    /// Whether its x is r modulo n, which makes the row valid.
    is_signed: bool,
    id: u8,
    compressed: [u8; 33],
    uncompressed: [u8; 65],
    opposite: [u8; 33],
}

impl NoncePoint {
    /// (z / s) G + (r / s) Q.
    fn of(row: &ecdsa::Row<'_>) -> Option<NoncePoint> {
        let signature = row.signature.parse().ok()?;
        let digest = Scalar::from_bytes_reduced(row.digest.try_into().ok()?);
        let key = Point::from(row.public_key.parse().ok()?);
        let inverse = signature.s().invert_vartime()?;
        let point = Point::double_mul_vartime(&(signature.r() * inverse), &key, &(digest * inverse));
        let point = PublicKey::try_from(&point).ok()?;
        let compressed = point.to_bytes();
        let (sign, x) = (compressed[0] & 1, compressed[1..].try_into().ok()?);
        let r = signature.r();
        let over = u8::from(r.to_bytes() != x);
        Some(NoncePoint {
            is_signed: Scalar::from_bytes_reduced(&x) == r,
            id: sign | over << 1,
            compressed,
            uncompressed: point.to_bytes_uncompressed(),
            opposite: point.negate().to_bytes(),
        })
    }
}

/// The valid rows, `BESIDE` before and `BESIDE` behind.
struct Good {
    ecdsa: Vec<SignedRow>,
    schnorr: Vec<SignedRow>,
}

static GOOD: LazyLock<Good> = LazyLock::new(|| {
    let message = |i: u8| hash::sha256(&[b'b', i]);
    let secret = |i: u8| SecretKey::from_bytes(&hash::sha256(&[b'a', i])).expect("a hash is hardly ever above n");
    let ecdsa = |i: u8| SignedRow {
        schnorr: false,
        message: message(i).to_vec(),
        public_key: secret(i).public_key().to_bytes().to_vec(),
        signature: ecdsa::sign(&message(i), &secret(i)).to_compact().to_vec(),
    };
    let schnorr = |i: u8| {
        let pair = Keypair::from_secret(secret(i));
        SignedRow {
            schnorr: true,
            message: message(i).to_vec(),
            public_key: pair.x_only().to_bytes().to_vec(),
            signature: schnorr::sign(&message(i), &pair, &[i; 32]).to_bytes().to_vec(),
        }
    };
    let all = || 0..2 * BESIDE as u8;
    Good { ecdsa: all().map(ecdsa).collect(), schnorr: all().map(schnorr).collect() }
});
