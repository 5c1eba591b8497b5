//! Rows with one error each, for every class of the verdict contract and each way into it, made from valid rows; and
//! rows with two errors, which pin the order of the checks.

use crate::Fallible;
use crate::error_row::{Cell, ErrorRow};
use crate::oracle;
use crate::row::VerifyRow;
use secp256k1::SecretKey;
use secp256k1::constants::{CURVE_ORDER as N, FIELD_SIZE as P};

/// The rows, in the order of the checks.
pub(crate) fn rows(block: &[VerifyRow], schnorr: &[VerifyRow]) -> Fallible<Vec<ErrorRow>> {
    let low_s = |row: &&VerifyRow| oracle::high_s(std::slice::from_ref(*row)) == 0;
    // 70 and 71 bytes stay clear of 64 and 65, the lengths of compact signatures, when a byte is added or removed.
    let usual = |row: &&VerifyRow| matches!(row.sig.len(), 70 | 71);
    let compressed = |row: &&VerifyRow| row.pubkey.len() == 33;
    let ecdsa = block.iter().filter(compressed).filter(usual).find(low_s).ok_or("no compressed low-S row")?;
    let other = block.iter().filter(compressed).find(|row| row.pubkey != ecdsa.pubkey).ok_or("one key only")?;
    let uncompressed = block.iter().filter(usual).filter(low_s).find(|row| row.pubkey.len() == 65);
    let uncompressed = uncompressed.ok_or("no uncompressed low-S row")?;
    let high_s = block.iter().find(|row| !low_s(row)).ok_or("no high-S row")?;
    let [schnorr, other_schnorr, ..] = schnorr else { return Err("fewer than two BIP-340 rows".into()) };

    let mut rows = valid(ecdsa, uncompressed, high_s, schnorr)?;
    rows.extend(malformed(ecdsa, schnorr));
    rows.extend(bad_public_key(ecdsa, uncompressed, schnorr));
    rows.extend(bad_encoding(ecdsa, schnorr));
    rows.extend(out_of_range(ecdsa, schnorr)?);
    rows.extend(bad_equation(ecdsa, other, high_s, schnorr, other_schnorr)?);
    Ok(rows)
}

fn valid(
    ecdsa: &VerifyRow,
    uncompressed: &VerifyRow,
    high_s: &VerifyRow,
    schnorr: &VerifyRow,
) -> Fallible<Vec<ErrorRow>> {
    let row = |id, from| ErrorRow::new(id, from, "valid");
    Ok(vec![
        row("valid, DER", ecdsa),
        row("valid, compact", ecdsa).signature(compact(ecdsa)?),
        row("valid, uncompressed key", uncompressed),
        row("valid, BIP-340", schnorr),
        row("high S, DER", high_s).low_s("high_s"),
        row("high S, compact", high_s).signature(compact(high_s)?).low_s("high_s"),
    ])
}

fn malformed(ecdsa: &VerifyRow, schnorr: &VerifyRow) -> Vec<ErrorRow> {
    let row = |id| ErrorRow::new(id, ecdsa, "malformed_row");
    let cut = |bytes: &[u8]| Cell::Bytes(bytes[..bytes.len() - 1].to_vec());
    vec![
        row("message missing").msg_hash(Cell::Missing),
        row("message null").msg_hash(Cell::Null),
        row("message a number").msg_hash(Cell::Number(7)),
        row("message not hex").msg_hash(Cell::Text("zz".repeat(32).leak())),
        row("message with an odd number of digits").msg_hash(Cell::Text("0".repeat(63).leak())),
        row("message of 31 bytes").msg_hash(cut(&ecdsa.msg_hash)),
        row("message of 33 bytes").msg_hash(Cell::Bytes([&ecdsa.msg_hash[..], &[0]].concat())),
        ErrorRow::new("BIP-340 msg_hash of 31 bytes", schnorr, "malformed_row").msg_hash(cut(&schnorr.msg_hash)),
        row("public key missing").pubkey(Cell::Missing),
        row("public key null").pubkey(Cell::Null),
        row("public key not hex").pubkey(Cell::Text("public key")),
        row("signature missing").sig(Cell::Missing),
        row("signature null").sig(Cell::Null),
        row("signature a number").sig(Cell::Number(64)),
        row("signature not hex").sig(Cell::Text("signature")),
        row("unknown scheme").scheme(Cell::Text("ed25519")),
        row("scheme a number").scheme(Cell::Number(1)),
        row("message of 31 bytes and a bad public key").msg_hash(cut(&ecdsa.msg_hash)).key([5; 33]),
    ]
}

fn bad_public_key(ecdsa: &VerifyRow, uncompressed: &VerifyRow, schnorr: &VerifyRow) -> Vec<ErrorRow> {
    let row = |id| ErrorRow::new(id, ecdsa, "bad_public_key");
    let long = |id| ErrorRow::new(id, uncompressed, "bad_public_key");
    let x_only = |id| ErrorRow::new(id, schnorr, "bad_public_key");
    let x = &ecdsa.pubkey[1..];
    let prefixed = |prefix: u8, rest: &[u8]| [&[prefix], rest].concat();
    let (long_x, long_y) = uncompressed.pubkey[1..].split_at(32);
    // x = 5 is the smallest positive x for which x^3 + 7 is no square.
    let mut not_on_curve = [0; 32];
    not_on_curve[31] = 5;
    let mut y_changed = uncompressed.pubkey.clone();
    y_changed[64] ^= 1;
    let hybrid = 6 + (long_y[31] & 1);
    vec![
        row("public key of one byte").key([2]),
        row("public key of 32 bytes").key(x),
        row("public key of 34 bytes").key(prefixed(2, &[x, &[0]].concat())),
        long("public key of 64 bytes").key(&uncompressed.pubkey[1..]),
        long("public key of 66 bytes").key([&uncompressed.pubkey[..], &[0]].concat()),
        row("public key with prefix 00").key(prefixed(0, x)),
        row("public key with prefix 01").key(prefixed(1, x)),
        row("compressed public key with prefix 04").key(prefixed(4, x)),
        row("public key with prefix 05").key(prefixed(5, x)),
        row("public key with prefix ff").key(prefixed(0xff, x)),
        long("uncompressed public key with prefix 02").key(prefixed(2, &[long_x, long_y].concat())),
        long("hybrid public key").key(prefixed(hybrid, &[long_x, long_y].concat())),
        long("hybrid public key of the wrong parity").key(prefixed(hybrid ^ 1, &[long_x, long_y].concat())),
        row("x = p").key(prefixed(2, &P)),
        row("x = 2^256 - 1").key(prefixed(2, &[0xff; 32])),
        row("x not on the curve").key(prefixed(2, &not_on_curve)),
        long("y not that of x").key(y_changed),
        long("uncompressed x = p").key(prefixed(4, &[&P[..], long_y].concat())),
        long("uncompressed y = p").key(prefixed(4, &[long_x, &P[..]].concat())),
        long("uncompressed zeros").key(prefixed(4, &[0; 64])),
        x_only("x-only key of 31 bytes").key(&schnorr.pubkey[..31]),
        x_only("x-only key p").key(P),
        x_only("x-only key that does not lift").key(not_on_curve),
        row("bad public key and bad signature").key(prefixed(5, x)).signature([0x30]),
    ]
}

fn bad_encoding(ecdsa: &VerifyRow, schnorr: &VerifyRow) -> Vec<ErrorRow> {
    let row = |id| ErrorRow::new(id, ecdsa, "bad_signature_encoding");
    let bip340 = |id| ErrorRow::new(id, schnorr, "bad_signature_encoding");
    let der = &ecdsa.sig[..];
    let changed = |position: usize, byte: u8| {
        let mut changed = der.to_vec();
        changed[position] = byte;
        changed
    };
    let length = der.len();
    let length_r = usize::from(der[3]);
    let (integer_r, integer_s) = der[2..].split_at(2 + length_r);
    let sequence = |content: &[u8]| [&[0x30, content.len() as u8], content].concat();
    let padded = [&[2, der[3] + 1, 0], &integer_r[2..]].concat();
    vec![
        row("signature of one byte").signature([0x30]),
        row("signature of 63 bytes").signature([1; 63]),
        row("signature of 66 bytes").signature([1; 66]),
        row("DER with another tag").signature(changed(0, 0x31)),
        row("DER with another integer tag").signature(changed(2, 3)),
        row("DER cut short").signature(&der[..length - 1]),
        row("DER with a trailing byte").signature([der, &[0]].concat()),
        row("DER with a trailing byte inside").signature(sequence(&[&der[2..], &[0]].concat())),
        row("DER with a length too small").signature(changed(1, der[1] - 1)),
        row("DER with a length too large").signature(changed(1, der[1] + 1)),
        row("DER with a BER length").signature([&[0x30, 0x81, der[1]], &der[2..]].concat()),
        row("DER with an indefinite length").signature([&[0x30, 0x80], &der[2..], &[0, 0]].concat()),
        row("DER with a padded r").signature(sequence(&[&padded, integer_s].concat())),
        row("DER with a negative r").signature(sequence(&[&[2, 32], &[0x80; 32][..], integer_s].concat())),
        row("DER with an empty r").signature(sequence(&[&[2, 0], integer_s].concat())),
        row("DER without s").signature(sequence(integer_r)),
        bip340("BIP-340 signature of 63 bytes").signature(&schnorr.sig[..63]),
        bip340("BIP-340 signature of 65 bytes").signature([&schnorr.sig[..], &[1]].concat()),
        bip340("BIP-340 signature in DER").signature(der),
    ]
}

fn out_of_range(ecdsa: &VerifyRow, schnorr: &VerifyRow) -> Fallible<Vec<ErrorRow>> {
    let row = |id| ErrorRow::new(id, ecdsa, "out_of_range");
    let bip340 = |id| ErrorRow::new(id, schnorr, "out_of_range");
    let compact = compact(ecdsa)?;
    let (r, s) = compact.split_at(32);
    let (schnorr_r, schnorr_s) = schnorr.sig.split_at(32);
    let mut above_n = N;
    above_n[31] += 1;
    let s_der = &ecdsa.sig[4 + usize::from(ecdsa.sig[3])..];
    let zero_r = [&[0x30, 3 + s_der.len() as u8, 2, 1, 0], s_der].concat();
    let n_as_r = [&[0x30, 35 + s_der.len() as u8, 2, 33, 0], &N[..], s_der].concat();
    Ok(vec![
        row("r = 0").signature([&[0; 32], s].concat()),
        row("s = 0").signature([r, &[0; 32]].concat()),
        row("r = s = 0").signature([0; 64]),
        row("r = n").signature([&N, s].concat()),
        row("s = n").signature([r, &N].concat()),
        row("r = n + 1").signature([&above_n, s].concat()),
        row("s = n + 1").signature([r, &above_n].concat()),
        row("r = 2^256 - 1").signature([&[0xff; 32], s].concat()),
        row("s = 2^256 - 1").signature([r, &[0xff; 32]].concat()),
        row("DER r = 0").signature(zero_r),
        row("DER r = n").signature(n_as_r),
        bip340("BIP-340 r = p").signature([&P, schnorr_s].concat()),
        bip340("BIP-340 r = 2^256 - 1").signature([&[0xff; 32], schnorr_s].concat()),
        bip340("BIP-340 s = n").signature([schnorr_r, &N].concat()),
        bip340("BIP-340 s = 2^256 - 1").signature([schnorr_r, &[0xff; 32]].concat()),
    ])
}

fn bad_equation(
    ecdsa: &VerifyRow,
    other: &VerifyRow,
    high_s: &VerifyRow,
    schnorr: &VerifyRow,
    other_schnorr: &VerifyRow,
) -> Fallible<Vec<ErrorRow>> {
    let row = |id| ErrorRow::new(id, ecdsa, "invalid_signature");
    let bip340 = |id| ErrorRow::new(id, schnorr, "invalid_signature");
    let flipped = |bytes: &[u8]| {
        let mut flipped = bytes.to_vec();
        flipped[31] ^= 1;
        Cell::Bytes(flipped)
    };
    let compact_sig = compact(ecdsa)?;
    let (r, s) = compact_sig.split_at(32);
    let (schnorr_r, schnorr_s) = schnorr.sig.split_at(32);
    let mut negated_key = ecdsa.pubkey.clone();
    negated_key[0] ^= 1;
    Ok(vec![
        row("another message").msg_hash(flipped(&ecdsa.msg_hash)),
        row("message zero").msg_hash(Cell::Bytes(vec![0; 32])),
        row("another key").key(other.pubkey.clone()),
        row("the negated key").key(negated_key),
        row("r and s swapped").signature([s, r].concat()).low_s(swapped_low_s(r)?),
        row("another r").sig(flipped(&compact_sig)),
        ErrorRow::new("high S and another message", high_s, "invalid_signature")
            .msg_hash(flipped(&high_s.msg_hash))
            .low_s("high_s"),
        bip340("BIP-340 another message").msg_hash(flipped(&schnorr.msg_hash)),
        bip340("BIP-340 another key").key(other_schnorr.pubkey.clone()),
        bip340("BIP-340 another r").sig(flipped(&schnorr.sig)),
        bip340("BIP-340 s negated").signature([schnorr_r, &negated(schnorr_s)?[..]].concat()),
        bip340("BIP-340 r = 0").signature([&[0; 32], schnorr_s].concat()),
        bip340("BIP-340 s = 0").signature([schnorr_r, &[0; 32]].concat()),
    ])
}

/// What `--low-s require` says once `r` stands in the place of s.
fn swapped_low_s(r: &[u8]) -> Fallible<&'static str> {
    Ok(if r > &negated(r)?[..] { "high_s" } else { "invalid_signature" })
}

/// n - x for 1 <= x < n.
fn negated(x: &[u8]) -> Fallible<[u8; 32]> {
    Ok(SecretKey::from_secret_bytes(x.try_into()?)?.negate().to_secret_bytes())
}

/// The signature of a row as r and s in 64 bytes.
fn compact(row: &VerifyRow) -> Fallible<Vec<u8>> {
    Ok(secp256k1::ecdsa::Signature::from_der(&row.sig)?.serialize_compact().to_vec())
}
