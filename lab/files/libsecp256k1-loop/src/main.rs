//! What a user writes without Phalanx: each line of a CSV file with the columns `msg_hash,sig,pubkey` is verified by
//! libsecp256k1. Prints how many rows are valid, or with `--version` what it stands on.

use hex::FromHex;
use secp256k1::{Message, PublicKey, ecdsa::Signature};
use std::{
    env,
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
};

fn is_valid(line: &str) -> Option<bool> {
    let mut cells = line.split(',');
    let (digest, signature, key) = (cells.next()?, hex::decode(cells.next()?).ok()?, hex::decode(cells.next()?).ok()?);
    let message = Message::from_digest(<[u8; 32]>::from_hex(digest).ok()?);
    let (signature, key) = (Signature::from_der(&signature).ok()?, PublicKey::from_slice(&key).ok()?);
    Some(signature.verify(message, &key).is_ok())
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = env::args().nth(1).ok_or("a file is wanted")?;
    if name == "--version" {
        println!("0.33.1");
        return Ok(());
    }
    let mut valid = 0;
    for line in BufReader::new(File::open(name)?).lines().skip(1) {
        valid += usize::from(is_valid(&line?).unwrap_or(false));
    }
    println!("{valid}");
    Ok(())
}
