//! The vectors of BIP-340 and of BIP-341's tweaks, from the files in `vectors/`.

use serde::Deserialize;

/// A vector of BIP-340.
#[derive(Debug)]
pub struct Bip340 {
    /// Its number.
    pub index: usize,
    /// Secret key and auxiliary randomness, where the vector is one for signing too.
    pub signing: Option<([u8; 32], [u8; 32])>,
    /// The x-only public key.
    pub public_key: Vec<u8>,
    /// The message, of any length.
    pub message: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
    /// Whether the signature is valid.
    pub valid: bool,
    /// What the BIP says about it.
    pub comment: String,
}

/// The 19 vectors of BIP-340.
pub fn bip340() -> Vec<Bip340> {
    let mut reader = csv::Reader::from_reader(&include_bytes!("../vectors/bip-0340.csv")[..]);
    let records = reader.records().map(|record| {
        let record = record.expect("BIP-340's file is CSV");
        let bytes = |column: usize| hex::decode(&record[column]).expect("hex");
        let word = |column: usize| bytes(column).try_into().ok();
        Bip340 {
            index: record[0].parse().expect("a number"),
            signing: word(1).zip(word(3)),
            public_key: bytes(2),
            message: bytes(4),
            signature: bytes(5),
            valid: &record[6] == "TRUE",
            comment: record[7].to_owned(),
        }
    });
    records.collect()
}

/// The vectors of BIP-341 that concern keys.
#[derive(Debug, Deserialize)]
pub struct Bip341 {
    /// Outputs.
    pub tweaks: Vec<Tweak>,
    /// Inputs spent by key.
    pub spends: Vec<Spend>,
}

/// How an output's key comes about.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tweak {
    /// The key that is tweaked.
    pub internal_pubkey: Word,
    /// The root of the tree of scripts, where there is one.
    pub merkle_root: Option<Word>,
    /// The tweak.
    pub tweak: Word,
    /// The key that results.
    pub tweaked_pubkey: Word,
    /// The parity of its y, where a control block tells it.
    pub parity: Option<u8>,
}

/// How an input is signed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spend {
    /// The secret key that is tweaked.
    pub internal_privkey: Word,
    /// The root of the tree of scripts, where there is one.
    pub merkle_root: Option<Word>,
    /// The public key of the former.
    pub internal_pubkey: Word,
    /// The tweak.
    pub tweak: Word,
    /// The secret key that results.
    pub tweaked_privkey: Word,
    /// What is signed, before hashing.
    #[serde(with = "hex")]
    pub sig_msg: Vec<u8>,
    /// Its hash.
    pub sig_hash: Word,
    /// The signature with auxiliary randomness zero; a 65th byte states the sighash type.
    #[serde(with = "hex")]
    pub witness: Vec<u8>,
}

/// 32 bytes, hex in the file.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Word(#[serde(with = "hex")] pub [u8; 32]);

/// The 7 outputs and 7 inputs of BIP-341.
pub fn bip341() -> Bip341 {
    serde_json::from_str(include_str!("../vectors/bip-0341-tweaks.json")).expect("the file has this form")
}
