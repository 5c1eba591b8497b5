//! The senders of Ethereum transactions, many in one call.
//!
//! `cargo run --release -p phalanx-ethereum --example recover_senders`

use phalanx::{Bulk, SecretKey};
use phalanx_ethereum::{Fork, Rules, Transaction, TransactionFields, TransactionType, address, signers};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A block's worth of signed transactions, as a block holds them.
    let secrets: Vec<SecretKey> = (0..200).map(|_| SecretKey::random()).collect();
    let fields =
        TransactionFields { kind: TransactionType::FeeMarket, chain_id: Some(1), ..TransactionFields::default() };
    let raw = secrets.iter().map(|secret| fields.sign(secret)).collect::<Result<Vec<_>, _>>()?;

    // Bytes in, addresses out; a transaction without a sender has an error in its place.
    let transactions = raw.iter().map(|raw| Transaction::decode(raw)).collect::<Result<Vec<_>, _>>()?;
    let rules = Rules { fork: Fork::Prague, chain_id: Some(1) };
    let senders = signers(&Bulk::new(), &transactions, rules).into_iter().collect::<Result<Vec<_>, _>>()?;
    for (sender, secret) in senders.iter().zip(&secrets) {
        assert_eq!(*sender, address(&secret.public_key()));
    }
    let hex: String = senders[0].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{} senders; the first is 0x{hex}", senders.len());
    Ok(())
}
