//! The compressed form in which btcd keeps unspent outputs (the one of Bitcoin Core's chain state, without its
//! obfuscation): header, amount and script type as base-128 numbers, then the script's payload.
//!
//! Source: `blockchain/compress.go` and `blockchain/chainio.go` of the btcd module describe it.

use crate::Fallible;
use bitcoin::{OutPoint, ScriptBuf, Txid, hashes::Hash};
use std::collections::HashMap;

/// The script of each output of a `utxostore` file: records of transaction id, output index (u32), length (u32), entry.
pub(crate) fn scripts(mut file: &[u8]) -> Fallible<HashMap<OutPoint, ScriptBuf>> {
    let mut scripts = HashMap::new();
    while !file.is_empty() {
        let (txid, rest) = file.split_at_checked(32).ok_or("utxostore ends inside a transaction id")?;
        let (vout, rest) = little_endian_u32(rest)?;
        let (length, rest) = little_endian_u32(rest)?;
        let (entry, rest) = rest.split_at_checked(length as usize).ok_or("utxostore ends inside an entry")?;
        scripts.insert(OutPoint::new(Txid::from_slice(txid)?, vout), script(entry)?);
        file = rest;
    }
    Ok(scripts)
}

/// The locking script of one entry.
fn script(entry: &[u8]) -> Fallible<ScriptBuf> {
    let (_height_and_coinbase, rest) = base128(entry)?;
    let (_compressed_amount, rest) = base128(rest)?;
    let (kind, payload) = base128(rest)?;
    let script = match (kind, payload.len()) {
        (0, 20) => [&[0x76, 0xa9, 20], payload, &[0x88, 0xac]].concat(),
        (1, 20) => [&[0xa9, 20], payload, &[0x87]].concat(),
        (2 | 3, 32) => [&[33, kind as u8], payload, &[0xac]].concat(),
        (4 | 5, 32) => {
            let key = secp256k1::PublicKey::from_slice(&[&[kind as u8 - 2], payload].concat())?;
            [&[65], &key.serialize_uncompressed()[..], &[0xac]].concat()
        }
        (6.., length) if kind - 6 == length as u64 => payload.to_vec(),
        _ => return Err(format!("utxo entry of kind {kind} with {} bytes", payload.len()).into()),
    };
    Ok(ScriptBuf::from_bytes(script))
}

/// A number in base 128, most significant digit first, where every continued digit adds one: no number has two forms.
fn base128(bytes: &[u8]) -> Fallible<(u64, &[u8])> {
    let mut number = 0u64;
    for (position, byte) in bytes.iter().enumerate() {
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Ok((number, &bytes[position + 1..]));
        }
        number += 1;
    }
    Err("utxo entry ends inside a number".into())
}

fn little_endian_u32(bytes: &[u8]) -> Fallible<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk().ok_or("utxostore ends inside a number")?;
    Ok((u32::from_le_bytes(*number), rest))
}
