//! ECDSA rows from Bitcoin transactions before segregated witness, whose sighash needs no amount.

use crate::Fallible;
use crate::row::{Scheme, VerifyRow};
use crate::utxo;
use bitcoin::consensus::Decodable;
use bitcoin::hashes::Hash;
use bitcoin::script::{Instruction, Script, ScriptBuf};
use bitcoin::sighash::SighashCache;
use bitcoin::{Block, Transaction};
use std::io::Read;
use std::path::Path;

/// The signatures of block 277647 (mainnet, December 2013), one for each input that spends an earlier output.
pub(crate) fn block_277647(btcd: &Path) -> Fallible<Vec<VerifyRow>> {
    let file = unpack(&btcd.join("blockchain/testdata/277647.dat.bz2"))?;
    // Network magic (4 bytes) and length (4 bytes) stand before the block.
    let block = Block::consensus_decode(&mut &file[8..])?;
    let mut scripts = utxo::scripts(&unpack(&btcd.join("blockchain/testdata/277647.utxostore.bz2"))?)?;
    let mut rows = Vec::new();
    for transaction in &block.txdata {
        if !transaction.is_coinbase() {
            for (index, input) in transaction.input.iter().enumerate() {
                let spent = scripts.get(&input.previous_output).ok_or("an input spends an unknown output")?;
                rows.push(input_row(transaction, index, spent)?);
            }
        }
        for (vout, output) in transaction.output.iter().enumerate() {
            let outpoint = bitcoin::OutPoint::new(transaction.compute_txid(), u32::try_from(vout)?);
            scripts.insert(outpoint, output.script_pubkey.clone());
        }
    }
    Ok(rows)
}

/// The signatures of transaction bb41a757 (mainnet block 364292, July 2015): 5,569 inputs, all to a key hash, so that
/// the spent script follows from the public key in the input. Three keys signed them all.
pub(crate) fn large_transaction(btcd: &Path) -> Fallible<Vec<VerifyRow>> {
    let transaction = Transaction::consensus_decode(&mut &unpack(&btcd.join("wire/testdata/megatx.bin.bz2"))?[..])?;
    let mut rows = Vec::new();
    for (index, input) in transaction.input.iter().enumerate() {
        let pushes = pushes(&input.script_sig)?;
        let key = pushes.last().ok_or("an input without a public key")?;
        let spent = ScriptBuf::new_p2pkh(&bitcoin::PubkeyHash::hash(key));
        rows.push(input_row(&transaction, index, &spent)?);
    }
    Ok(rows)
}

/// The signature of an input that spends to a key hash or to a key.
fn input_row(transaction: &Transaction, index: usize, spent: &Script) -> Fallible<VerifyRow> {
    let id = format!("{}:{index}", transaction.compute_txid());
    let pushes = pushes(&transaction.input[index].script_sig)?;
    let (signature, key) = match (&pushes[..], spent.p2pk_public_key()) {
        ([signature, key], None) if spent.is_p2pkh() => (signature, key.clone()),
        ([signature], Some(key)) => (signature, key.to_bytes()),
        _ => return Err(format!("input {id} spends neither to a key hash nor to a key").into()),
    };
    let (sighash_type, der) = signature.split_last().ok_or("an empty signature")?;
    let sighash = SighashCache::new(transaction).legacy_signature_hash(index, spent, u32::from(*sighash_type))?;
    Ok(VerifyRow { id, scheme: Scheme::Ecdsa, msg_hash: sighash.to_byte_array(), pubkey: key, sig: der.to_vec() })
}

/// What a script pushes; opcodes that push nothing are left out.
fn pushes(script: &Script) -> Fallible<Vec<Vec<u8>>> {
    let mut pushes = Vec::new();
    for instruction in script.instructions() {
        if let Instruction::PushBytes(bytes) = instruction? {
            pushes.push(bytes.as_bytes().to_vec());
        }
    }
    Ok(pushes)
}

fn unpack(path: &Path) -> Fallible<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    bzip2::read::BzDecoder::new(file).read_to_end(&mut bytes)?;
    Ok(bytes)
}
