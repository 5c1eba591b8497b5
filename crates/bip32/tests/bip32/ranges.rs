//! Many children in one call against single ones, and against libsecp256k1 with the HMAC of others, on every backend.

use hmac::{Hmac, KeyInit, Mac};
use phalanx::children::PayloadKind;
use phalanx::{Backend, Bulk};
use phalanx_bip32::{Chain, ExtendedPublicKey, ExtendedSecretKey, HARDENED, LockingScript, ScriptKind};
use ripemd::Ripemd160;
use secp256k1::{PublicKey, Scalar};
use sha2::{Digest, Sha256, Sha512};

/// The bytes of a child's key, and its chain code.
fn judged(parent: &ExtendedPublicKey, index: u32) -> ([u8; 33], [u8; 32]) {
    let key = parent.public_key().to_bytes();
    let mut mac = Hmac::<Sha512>::new_from_slice(parent.chain_code()).unwrap();
    mac.update(&key);
    mac.update(&index.to_be_bytes());
    let code: [u8; 64] = mac.finalize().into_bytes().into();
    let tweak = Scalar::from_be_bytes(code[..32].try_into().unwrap()).unwrap();
    let child = PublicKey::from_slice(&key).unwrap().add_exp_tweak(&tweak).unwrap();
    (child.serialize(), code[32..].try_into().unwrap())
}

fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}

/// The script of a key, as the BIPs say it.
fn judged_script(kind: ScriptKind, key: &[u8; 33]) -> Vec<u8> {
    let hash = hash160(key);
    match kind {
        ScriptKind::P2pkh => [&[0x76, 0xa9, 0x14][..], &hash, &[0x88, 0xac]].concat(),
        ScriptKind::P2wpkh => [&[0, 0x14][..], &hash].concat(),
        ScriptKind::P2shP2wpkh => [&[0xa9, 0x14][..], &hash160(&[&[0, 0x14][..], &hash].concat()), &[0x87]].concat(),
        ScriptKind::P2tr => {
            let (x, _) = PublicKey::from_slice(key).unwrap().x_only_public_key();
            let tag = Sha256::digest(b"TapTweak");
            let tweak: [u8; 32] = Sha256::digest([&tag[..], &tag, &x.to_byte_array()].concat()).into();
            let (output, _) = x.add_tweak(&Scalar::from_be_bytes(tweak).unwrap()).unwrap();
            [&[0x51, 0x20][..], &output.to_byte_array()].concat()
        }
    }
}

/// Keys that are not those of one seed.
fn parents(count: u8) -> Vec<ExtendedPublicKey> {
    let master = |seed: u8| ExtendedSecretKey::from_seed(&[seed; 16], Chain::Main).unwrap();
    (0..count).map(|seed| master(seed / 3).child(HARDENED + u32::from(seed)).unwrap().to_public()).collect()
}

#[test]
fn ranges_are_the_children_that_others_derive() {
    let parents = parents(5);
    // Ranges of several keys in one call, whose ends fall between chunks and groups.
    let count = phalanx_tiers::size(300, 100_000) as u32;
    let ranges = [0..count, 7..8, HARDENED - 9..HARDENED, 1 << 20..(1 << 20) + 257, 5..5];
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for (parent, range) in parents.iter().zip(ranges) {
        rows.extend(parent.rows(range.clone()).unwrap());
        all.extend(range.map(|index| (parent, index)));
    }
    let expected: Vec<_> = all.iter().map(|(parent, index)| judged(parent, *index)).collect();
    for backend in Backend::available() {
        let bulk = Bulk::builder().backend(*backend).build().unwrap();
        let children = bulk.derive_children(&rows, PayloadKind::None);
        assert_eq!(children.len(), rows.len());
        for ((child, expected), (parent, index)) in children.iter().zip(&expected).zip(&all) {
            let child = child.unwrap();
            assert_eq!((child.public_key.to_bytes(), child.chain_code), *expected, "{index}, {backend}");
            assert!(child.payload.as_bytes().is_empty());
            let extended = parent.extend(&child, *index).unwrap();
            assert_eq!((extended.index(), extended.depth()), (*index, parent.depth() + 1));
        }
        println!("{} children on {backend}", rows.len());
    }
}

#[test]
fn scripts_of_ranges_are_those_that_others_make() {
    let parents = parents(2);
    let rows: Vec<_> = parents.iter().flat_map(|parent| parent.rows(0..150).unwrap()).collect();
    let keys: Vec<_> = parents.iter().flat_map(|parent| (0..150).map(|index| judged(parent, index).0)).collect();
    for kind in ScriptKind::ALL {
        let scripts: Vec<_> = keys.iter().map(|key| judged_script(kind, key)).collect();
        for backend in Backend::available() {
            let children = Bulk::builder().backend(*backend).build().unwrap().derive_children(&rows, kind.payload());
            for (child, script) in children.iter().zip(&scripts) {
                let found = LockingScript::of_child(kind, &child.unwrap()).unwrap();
                assert_eq!(found.to_bytes(), *script, "{kind:?}, {backend}");
                assert_eq!(LockingScript::of_key(kind, &child.unwrap().public_key), Ok(found));
            }
        }
    }
}

#[test]
fn a_child_with_another_payload_has_no_script() {
    let parent = &parents(1)[0];
    let rows: Vec<_> = parent.rows(0..1).unwrap().collect();
    for asked in PayloadKind::ALL {
        let child = Bulk::new().derive_children(&rows, asked)[0].unwrap();
        for kind in ScriptKind::ALL {
            assert_eq!(LockingScript::of_child(kind, &child).is_some(), kind.payload() == asked);
        }
    }
}

#[test]
fn secret_children_have_the_public_ones() {
    let secret = ExtendedSecretKey::from_seed(&[9; 20], Chain::Test).unwrap();
    let public = secret.to_public();
    for index in (0..phalanx_tiers::size(40, 2_000) as u32).chain([HARDENED - 1]) {
        let (child, (key, chain_code)) = (secret.child(index).unwrap().to_public(), judged(&public, index));
        assert_eq!((child.public_key().to_bytes(), *child.chain_code()), (key, chain_code));
        assert_eq!(public.child(index).unwrap(), child);
        assert_ne!(secret.child(index | HARDENED).unwrap().to_public(), child);
    }
}
