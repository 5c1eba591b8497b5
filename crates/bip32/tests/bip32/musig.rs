//! Extended keys of aggregate keys: BIP-328's vectors, one typed in and all where `../shared` is there; and signatures
//! for their children.

use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use phalanx::{Keypair, PublicKey, SecretKey, schnorr};
use phalanx_bip32::{Chain, ExtendedPublicKey};
use phalanx_musig::{AggregateNonce, KeyAggregation, NonceInputs, SecretNonce, Session};
use sha2::{Digest, Sha256, Sha512};

/// Keys in their order, their aggregate, and its extended key.
fn check(keys: &[&str], aggregate: &str, xpub: &str) {
    let keys: Vec<PublicKey> = keys.iter().map(|key| key.parse().unwrap()).collect();
    let found = KeyAggregation::new(&keys).unwrap().public_key();
    assert_eq!(found.to_string(), aggregate);
    let key = ExtendedPublicKey::of_musig(found, Chain::Main);
    assert_eq!(key.to_string(), xpub);
    assert_eq!(xpub.parse(), Ok(key));
}

#[test]
fn an_aggregate_has_the_extended_key_of_the_bip() {
    check(
        &[
            "03935F972DA013F80AE011890FA89B67A27B7BE6CCB24D3274D18B2D4067F261A9",
            "02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
        ],
        "0354240c76b8f2999143301a99c7f721ee57eee0bce401df3afeaa9ae218c70f23",
        "xpub661MyMwAqRbcFt6tk3uaczE1y6EvM1TqXvawXcYmFEWijEM4PDBnuCXwwXEKGEouzXE6QLLRxjatMcLLzJ5LV5Nib1BN7vJg6yp45yHHRbm",
    );
}

#[test]
fn aggregates_have_the_extended_keys_of_the_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/bip328/vectors.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        return phalanx_tiers::skipped("vectors.json of BIP-328 is not in ../shared", "two more aggregate keys");
    };
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cases = file.as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let keys: Vec<&str> = case["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        check(&keys, case["aggregate_pubkey"].as_str().unwrap(), case["xpub"].as_str().unwrap());
    }
}

/// The tweak of a child, with the HMAC of others.
fn tweak(parent: &ExtendedPublicKey, index: u32) -> [u8; 32] {
    let mut mac = Hmac::<Sha512>::new_from_slice(parent.chain_code()).unwrap();
    mac.update(&parent.public_key().to_bytes());
    mac.update(&index.to_be_bytes());
    mac.finalize().into_bytes()[..32].try_into().unwrap()
}

#[test]
fn signers_sign_for_descendants() {
    let signers = [[3; 32], [5; 32], [8; 32]].map(|key| Keypair::from_secret(SecretKey::from_bytes(&key).unwrap()));
    let mut keys = KeyAggregation::new(&signers.each_ref().map(Keypair::public_key)).unwrap();
    let root = ExtendedPublicKey::of_musig(keys.public_key(), Chain::Test);
    assert_eq!(root.chain_code()[..], Sha256::digest(b"MuSig2MuSig2MuSig2")[..]);
    assert_eq!((root.depth(), root.index(), root.parent_fingerprint()), (0, 0, [0; 4]));
    assert!(root.to_string().starts_with("tpub"));

    let mut parent = root.clone();
    for index in [1, 0x7fff_ffff] {
        keys = keys.tweak_add(&tweak(&parent, index)).unwrap();
        parent = parent.child(index).unwrap();
    }
    assert_eq!(parent, root.derive(&"m/1/2147483647".parse().unwrap()).unwrap());
    let message = b"a message";
    let nonces = signers.each_ref().map(|signer| SecretNonce::generate(&signer.public_key(), &NonceInputs::default()));
    let (secrets, nonces): (Vec<_>, Vec<_>) = nonces.into_iter().unzip();
    let session = Session::new(&keys, &AggregateNonce::sum(&nonces), message);
    let partials = secrets.into_iter().zip(&signers).map(|(secret, signer)| session.sign(secret, signer).unwrap());
    let signature = session.aggregate_checked(&nonces, &partials.collect::<Vec<_>>()).unwrap();
    assert!(schnorr::verify(message, &signature, &parent.public_key().x_only().0).is_ok());
    assert!(schnorr::verify(message, &signature, &root.public_key().x_only().0).is_err());
}
