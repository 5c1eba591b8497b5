//! Many signatures at once, a verdict for each: rows as they lie in a file, some of them wrong.
//!
//! `cargo run --release --example bulk_verification`

use phalanx::{Bulk, Class, Error, LowS, PublicKeyRef, SecretKey, ecdsa, hash};
use std::collections::BTreeMap;

fn main() -> Result<(), Error> {
    let secret = SecretKey::random();
    let key = secret.public_key().to_bytes();
    let digests: Vec<[u8; 32]> = (0..10_000u32).map(|i| hash::sha256(&i.to_le_bytes())).collect();
    let mut signatures: Vec<[u8; 64]> =
        Bulk::new().sign_ecdsa(&digests, &vec![secret; 10_000])?.iter().map(ecdsa::Signature::to_compact).collect();
    signatures[17][40] ^= 1; // another s: the equation does not hold
    signatures[4711][..32].fill(0); // r = 0 is out of range

    // A row borrows its bytes: nothing is copied, and nothing is parsed before the call.
    let rows: Vec<_> = digests
        .iter()
        .zip(&signatures)
        .map(|(digest, signature)| ecdsa::Row {
            digest,
            signature: ecdsa::SignatureRef::Compact(signature),
            public_key: PublicKeyRef::Encoded(&key),
        })
        .collect();
    let bulk = Bulk::new();
    let verdicts = bulk.verify_ecdsa(&rows, LowS::Require);

    let mut reasons = BTreeMap::new();
    for verdict in &verdicts {
        *reasons.entry(verdict.reason()).or_insert(0) += 1;
    }
    println!("{} on {} threads: {reasons:?}", bulk.backend(), bulk.threads());
    assert_eq!(verdicts[17].reason(), "invalid_signature");
    assert_eq!((verdicts[4711].reason(), verdicts[4711].class()), ("out_of_range", Class::Invalid));
    Ok(())
}
