//! What libsecp256k1 says about a row: the independent check before anything is written.

use crate::Fallible;
use crate::error_row::ErrorRow;
use crate::recover_error_rows::RecoverErrorRow;
use crate::row::{Scheme, SenderRow, VerifyRow};
use secp256k1::ecdsa::{RecoverableSignature, RecoveryId, Signature};
use secp256k1::{Message, PublicKey, XOnlyPublicKey, schnorr};
use sha3::{Digest, Keccak256};

/// Whether a signature under strict encodings is one the mathematics of its scheme accepts; high S is accepted.
pub(crate) fn is_valid(row: &VerifyRow) -> bool {
    verdict(row, false)
}

/// Every row must be valid.
///
/// # Errors
/// Names the first row that is not.
pub(crate) fn check_verify_rows(rows: &[VerifyRow]) -> Fallible<()> {
    match rows.iter().find(|row| !is_valid(row)) {
        Some(row) => Err(format!("row {} is not valid", row.id).into()),
        None => Ok(()),
    }
}

/// How many ECDSA rows have s > n/2, which libsecp256k1 refuses until it is normalised.
pub(crate) fn high_s(rows: &[VerifyRow]) -> usize {
    rows.iter().filter(|row| !verdict(row, true)).count()
}

/// A row with complete fields must be valid exactly when it is expected to be, under either low-S policy.
///
/// # Errors
/// Names the first row on which libsecp256k1 disagrees.
pub(crate) fn check_error_rows(rows: &[ErrorRow]) -> Fallible<()> {
    for row in rows {
        for (expected, low_s_only) in [(row.expected, false), (row.expected_low_s, true)] {
            let valid = row.complete().is_some_and(|row| verdict(&row, low_s_only));
            if valid != (expected == "valid") {
                return Err(format!("row {} is expected {expected}, libsecp256k1 says {valid}", row.id).into());
            }
        }
    }
    Ok(())
}

/// Every sender must recover to its address, and the recovered key must verify the signature.
///
/// # Errors
/// Names the first row that does not.
pub(crate) fn check_sender_rows(rows: &[SenderRow]) -> Fallible<()> {
    for row in rows {
        let key = recover(row)?;
        let signature = Signature::from_compact(&[row.r, row.s].concat())?;
        secp256k1::ecdsa::verify(&signature, Message::from_digest(row.msg_hash), &key)?;
        if address(&key) != row.from_address {
            return Err(format!("{} has another sender", hex::encode(row.transaction_hash)).into());
        }
    }
    Ok(())
}

/// A recovery row must recover to its address exactly when it is expected to be valid.
///
/// # Errors
/// Names the first row on which libsecp256k1 disagrees.
pub(crate) fn check_recover_error_rows(rows: &[RecoverErrorRow]) -> Fallible<()> {
    for row in rows {
        let valid = recovered(row).is_some_and(|address| row.from_address == format!("0x{}", hex::encode(address)));
        if valid != (row.expected == "valid") {
            return Err(format!("row {} is expected {}, libsecp256k1 says {valid}", row.id, row.expected).into());
        }
    }
    Ok(())
}

/// The address that a row of text fields recovers to, if its fields can be read and a key comes out.
fn recovered(row: &RecoverErrorRow) -> Option<[u8; 20]> {
    let word = |text: &str| <[u8; 32]>::try_from(hex::decode(text).ok()?).ok();
    let id = match (&row.v[..], row.v.parse::<i32>()) {
        ("false", _) => 0,
        ("true", _) => 1,
        (_, Ok(v @ 35..)) => (v - 35) % 2,
        (_, Ok(v @ 27..)) => v - 27,
        (_, Ok(v)) => v,
        _ => return None,
    };
    let signature = [word(&row.r)?, word(&row.s)?].concat();
    let signature = RecoverableSignature::from_compact(&signature, RecoveryId::try_from(id).ok()?).ok()?;
    Some(address(&signature.recover(Message::from_digest(word(&row.msg_hash)?)).ok()?))
}

/// The address that signed a transaction; `from_address` is not looked at.
///
/// # Errors
/// When no key can be recovered.
pub(crate) fn recover_address(row: &SenderRow) -> Fallible<[u8; 20]> {
    Ok(address(&recover(row)?))
}

/// The public key that the signature of a row recovers to.
fn recover(row: &SenderRow) -> Fallible<PublicKey> {
    let id = RecoveryId::from_u8_masked(row.parity);
    let signature = RecoverableSignature::from_compact(&[row.r, row.s].concat(), id)?;
    Ok(signature.recover(Message::from_digest(row.msg_hash))?)
}

/// The last 20 bytes of the hash of the uncompressed key without its prefix.
fn address(key: &PublicKey) -> [u8; 20] {
    let hash: [u8; 32] = Keccak256::digest(&key.serialize_uncompressed()[1..]).into();
    let mut address = [0; 20];
    address.copy_from_slice(&hash[12..]);
    address
}

/// Whether libsecp256k1 accepts a row; without `low_s_only` also its counterpart of low S.
fn verdict(row: &VerifyRow, low_s_only: bool) -> bool {
    match row.scheme {
        Scheme::Ecdsa => ecdsa(row, low_s_only),
        Scheme::Schnorr => bip340(row),
    }
}

fn ecdsa(row: &VerifyRow, low_s_only: bool) -> bool {
    // libsecp256k1 reads the hybrid prefixes too, which this project does only when asked.
    let plain = matches!((row.pubkey.len(), row.pubkey.first()), (33, Some(2 | 3)) | (65, Some(4)));
    let compact = row.sig.len() == 64;
    let signature = if compact { Signature::from_compact(&row.sig) } else { Signature::from_der(&row.sig) };
    let (Ok(key), Ok(mut signature)) = (PublicKey::from_slice(&row.pubkey), signature) else { return false };
    if !low_s_only {
        signature.normalize_s();
    }
    plain && secp256k1::ecdsa::verify(&signature, Message::from_digest(row.msg_hash), &key).is_ok()
}

fn bip340(row: &VerifyRow) -> bool {
    let (Ok(key), Ok(sig)) = (row.pubkey[..].try_into(), row.sig[..].try_into()) else { return false };
    XOnlyPublicKey::from_byte_array(key)
        .is_ok_and(|key| schnorr::verify(&schnorr::Signature::from_byte_array(sig), &row.msg_hash, &key).is_ok())
}
