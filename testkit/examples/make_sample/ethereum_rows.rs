//! Recovery rows from Ethereum mainnet: every transaction of blocks 18189758 and 19431837.

use crate::Fallible;
use crate::oracle;
use crate::rlp;
use crate::row::SenderRow;
use sha3::{Digest, Keccak256};
use std::path::Path;

/// Beacon blocks whose execution payload is a mainnet block of September 2023 (Capella) and of March 2024 (Deneb).
const BLOCKS: [&str; 2] = ["block_capella.json", "block_deneb.json"];

/// One row per transaction, in chain order. The payload names no senders: `from_address` is what libsecp256k1 recovers.
pub(crate) fn senders(go_ethereum: &Path) -> Fallible<Vec<SenderRow>> {
    let mut rows = Vec::new();
    for file in BLOCKS {
        let text = std::fs::read_to_string(go_ethereum.join("beacon/types/testdata").join(file))?;
        let beacon: serde_json::Value = serde_json::from_str(&text)?;
        let payload = &beacon["body"]["execution_payload"];
        let block_number = payload["block_number"].as_str().ok_or("a payload without block_number")?.parse()?;
        let transactions = payload["transactions"].as_array().ok_or("a payload without transactions")?;
        for (index, transaction) in transactions.iter().enumerate() {
            let text = transaction.as_str().ok_or("a transaction that is not text")?;
            let bytes = hex::decode(text.trim_start_matches("0x"))?;
            rows.push(row(&bytes, block_number, u32::try_from(index)?)?);
        }
    }
    Ok(rows)
}

/// A transaction as EIP-2718 encodes it: a type byte below 0x80 and a list, or the list of a legacy transaction.
fn row(transaction: &[u8], block_number: u64, transaction_index: u32) -> Fallible<SenderRow> {
    let (kind, list) = transaction.split_at(usize::from(transaction.first().is_some_and(|first| *first < 0x80)));
    let items = rlp::items(list)?;
    let [unsigned @ .., v, r, s] = &items[..] else { return Err("a transaction of fewer than three fields".into()) };
    let v_on_chain = v.number()?;
    let mut signed: Vec<Vec<u8>> = unsigned.iter().map(|item| item.encoded.to_vec()).collect();
    let parity = match (kind.is_empty(), v_on_chain) {
        (false, 0 | 1) => v_on_chain,
        (true, 27 | 28) => v_on_chain - 27,
        (true, 35..) => {
            // EIP-155 signs the chain id and two zeros in the place of the signature.
            signed.extend([rlp::number((v_on_chain - 35) / 2), rlp::number(0), rlp::number(0)]);
            (v_on_chain - 35) % 2
        }
        _ => return Err(format!("v = {v_on_chain}").into()),
    };
    let signed = [kind, &rlp::list(signed.iter().map(Vec::as_slice))].concat();
    let mut row = SenderRow {
        transaction_hash: Keccak256::digest(transaction).into(),
        block_number,
        transaction_index,
        msg_hash: Keccak256::digest(signed).into(),
        r: r.word()?,
        s: s.word()?,
        parity: u8::try_from(parity)?,
        v_on_chain,
        from_address: [0; 20],
    };
    row.from_address = oracle::recover_address(&row)?;
    Ok(row)
}
