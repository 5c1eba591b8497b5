//! Rows by single calls, by bulk calls on each backend and in batches: one verdict.
//!
//! The first byte of an input chooses what is asked. Then six bytes make a row: its key and digest, its encoding, which
//! of its parts is changed, where, by what, and what is said of the nonce's point.

use std::sync::LazyLock;

use phalanx::ecdsa::{Hint, HintedRow};
use phalanx::ecdsa::{RecoverRow, SignatureRef};
use phalanx::msm::Msm;
use phalanx::{
    Backend, Batch, Keypair, LowS, Point, PublicKey, PublicKeyRef, Scalar, SecretKey, XOnlyKeyRef, ecdsa, schnorr,
};

/// Rows of one input: more than eight lanes, and some that are left over.
const MOST_ROWS: usize = 27;

/// Numbers at the edges of ranges: n - 1, n, p - 1, p, n / 2, its successor, 2^256 - 1, p - n, 0, 1.
const EDGES: [[u8; 32]; 10] = [
    hex32(b"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"),
    hex32(b"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
    hex32(b"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e"),
    hex32(b"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
    hex32(b"7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"),
    hex32(b"7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1"),
    hex32(b"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    hex32(b"000000000000000000000000000000014551231950b75fc4402da1722fc9baee"),
    [0; 32],
    hex32(b"0000000000000000000000000000000000000000000000000000000000000001"),
];

const fn hex32(digits: &[u8; 64]) -> [u8; 32] {
    match hex::const_decode_to_array(digits) {
        Ok(bytes) => bytes,
        Err(_) => panic!("not 64 hexadecimal digits"),
    }
}

/// The keys of rows: 1, 2 and n - 1 meet the generator's multiples in the tables; the others are any.
static PAIRS: LazyLock<[Keypair; 6]> = LazyLock::new(|| {
    let two = hex32(b"0000000000000000000000000000000000000000000000000000000000000002");
    let pair = |secret: [u8; 32]| Keypair::from_secret(SecretKey::from_bytes(&secret).expect("below the order"));
    [EDGES[9], EDGES[0], [0x11; 32], [0x22; 32], [0x33; 32], two].map(pair)
});

/// A row as its six bytes say, not yet borrowed.
#[derive(Default)]
struct Made {
    digest: Vec<u8>,
    signature: Vec<u8>,
    form: u8,
    key: Vec<u8>,
    id: u8,
    hint: u8,
    nonce: Vec<u8>,
}

fn make(recipe: &[u8], schnorr: bool) -> Made {
    let [begin, form, part, place, by, hint] = *recipe else { unreachable!("six bytes") };
    let pair = &PAIRS[usize::from(begin) % PAIRS.len()];
    let digest = [begin; 32];
    let mut made = Made { digest: digest.to_vec(), form, hint, ..Made::default() };
    if schnorr {
        made.signature = schnorr::sign(&digest, pair, &[form; 32]).to_bytes().to_vec();
        made.key = pair.x_only().to_bytes().to_vec();
    } else {
        let (signature, id) = ecdsa::sign_recoverable(&digest, pair.secret_key());
        let public = pair.public_key();
        made.key = if form & 4 == 0 { public.to_bytes().to_vec() } else { public.to_bytes_uncompressed().to_vec() };
        if form & 8 != 0 && made.key.len() == 65 {
            made.key[0] = 6 | (made.key[64] & 1);
        }
        made.id = id.to_u8();
        made.nonce = [&[2 | (made.id & 1)], &signature.r().to_bytes()[..]].concat();
        let compact = form & 3 == 0;
        made.signature = if compact { signature.to_compact().to_vec() } else { signature.to_der().as_ref().to_vec() };
    }
    let changed = match part % 8 {
        0 => &mut made.digest,
        1 | 2 => &mut made.signature,
        3 => &mut made.key,
        4 => &mut made.nonce,
        _ => return made,
    };
    change(changed, place, by);
    made
}

/// Changes a value: one bit pattern at one place, its length, or half of it to a number at an edge.
fn change(value: &mut Vec<u8>, place: u8, by: u8) {
    let place = usize::from(place);
    match (by, value.len()) {
        (_, 0) => {}
        (0xf0.., _) => drop(value.drain(place % value.len()..)),
        (0xe0..0xf0, _) => value.push(by),
        (0xc0..0xe0, length @ 32..) => {
            let start = (place % (length / 32)) * 32 + length % 32;
            value[start.min(length - 32)..][..32].copy_from_slice(&EDGES[usize::from(by) % EDGES.len()]);
        }
        (_, length) => value[place % length] ^= by,
    }
}

pub(crate) fn check(bytes: &[u8]) {
    let Some((question, recipes)) = bytes.split_first() else { return };
    let recipes = recipes.chunks_exact(6).take(MOST_ROWS);
    let made = |schnorr| -> Vec<Made> { recipes.clone().map(|recipe| make(recipe, schnorr)).collect() };
    match question % 4 {
        0 => ecdsa_rows(&made(false), question & 4 != 0),
        1 => schnorr_rows(&made(true)),
        2 => recoveries(&made(false)),
        _ => sums(&made(false)),
    }
}

fn row(made: &Made) -> ecdsa::Row<'_> {
    let signature = match made.form & 3 {
        0 => SignatureRef::Compact(&made.signature),
        1 => SignatureRef::DerLax(&made.signature),
        _ => SignatureRef::Der(&made.signature),
    };
    let public_key =
        if made.form & 16 != 0 { PublicKeyRef::EncodedHybrid(&made.key) } else { PublicKeyRef::Encoded(&made.key) };
    ecdsa::Row { digest: &made.digest, signature, public_key }
}

fn ecdsa_rows(made: &[Made], require: bool) {
    let low_s = if require { LowS::Require } else { LowS::Allow };
    let rows: Vec<_> = made.iter().map(row).collect();
    let single: Vec<_> = rows.iter().map(|row| ecdsa::verify_row(row, low_s)).collect();
    let hinted = rows.iter().zip(made).map(|(row, made)| {
        let hint = match made.hint % 4 {
            0 => Hint::None,
            1 => Hint::RecoveryId(made.id),
            2 => Hint::RecoveryId(made.hint >> 2),
            _ => Hint::Point(&made.nonce),
        };
        HintedRow { row: *row, hint }
    });
    let hinted: Vec<_> = hinted.collect();
    for bulk in crate::bulks() {
        assert_eq!(bulk.verify_ecdsa(&rows, low_s), single, "bulk calls on {}", bulk.backend());
        assert_eq!(Batch::with(bulk).verify_ecdsa(&hinted, low_s), single, "a batch on {}", bulk.backend());
    }
}

fn schnorr_row(made: &Made) -> schnorr::Row<'_> {
    let Made { digest, signature, key, .. } = made;
    schnorr::Row { message: digest, signature, public_key: XOnlyKeyRef::Encoded(key) }
}

fn schnorr_rows(made: &[Made]) {
    let rows: Vec<_> = made.iter().map(schnorr_row).collect();
    let single: Vec<_> = rows.iter().map(schnorr::verify_row).collect();
    for bulk in crate::bulks() {
        assert_eq!(bulk.verify_schnorr(&rows), single, "bulk calls on {}", bulk.backend());
        assert_eq!(Batch::with(bulk).verify_schnorr(&rows), single, "a batch on {}", bulk.backend());
    }
}

fn recoveries(made: &[Made]) {
    let rows = made.iter().map(|made| {
        let ecdsa::Row { digest, signature, .. } = row(made);
        RecoverRow { digest, signature, recovery_id: if made.hint & 1 == 0 { made.id } else { made.hint >> 1 } }
    });
    let rows: Vec<_> = rows.collect();
    let single: Vec<_> = rows.iter().map(ecdsa::recover_row).collect();
    for (row, key) in rows.iter().zip(&single) {
        if let Ok(key) = key {
            let row =
                ecdsa::Row { digest: row.digest, signature: row.signature, public_key: PublicKeyRef::Parsed(key) };
            assert!(ecdsa::verify_row(&row, LowS::Allow).is_valid(), "what is recovered verifies");
        }
    }
    for bulk in crate::bulks() {
        assert_eq!(bulk.recover(&rows), single, "{}", bulk.backend());
    }
}

/// Sums of products of the rows' digests and keys.
fn sums(made: &[Made]) {
    let term = |made: &Made| {
        let scalar = Scalar::from_bytes_reduced(made.digest.as_slice().try_into().ok()?);
        Some((scalar, PublicKey::from_bytes_hybrid(&made.key).ok()?))
    };
    let (scalars, keys): (Vec<_>, Vec<_>) = made.iter().filter_map(term).unzip();
    let products = scalars
        .iter()
        .zip(&keys)
        .map(|(scalar, key)| Point::from_bytes(&key.to_bytes()).expect("a key is a point").mul_vartime(scalar));
    let expected = products.fold(Point::IDENTITY, |sum, product| sum + product);
    for backend in Backend::available() {
        let msm = Msm::builder().backend(*backend).threads(1).build().expect("it is available");
        assert_eq!(msm.sum_of_products(&scalars, &keys), Ok(expected), "{backend}");
    }
}
