//! What a user writes without Phalanx: each line of a CSV file with the columns `msg_hash,sig,pubkey` is verified by
//! libsecp256k1. Prints how many rows are valid, or with `--version` what it stands on.

use secp256k1::{Message, PublicKey, ecdsa::Signature};
use std::{
    env,
    error::Error,
    fs::File,
    io::{BufRead, BufReader},
};

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    hex.as_bytes().chunks(2).map(digits).collect()
}

fn is_valid(line: &str) -> Option<bool> {
    let mut cells = line.split(',');
    let (digest, signature, key) = (bytes(cells.next()?)?, bytes(cells.next()?)?, bytes(cells.next()?)?);
    let message = Message::from_digest(digest.try_into().ok()?);
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
