//! Spends by Taproot that the tests sign themselves, with digests that they compute themselves.

use std::borrow::Cow;

use phalanx::hash::{TaggedHash, sha256};
use phalanx::{Bulk, Keypair, SecretKey, schnorr};
use phalanx_bitcoin::{Flags, Output, Report, Transaction, Verifier};

use crate::assembly::push;

const VALUE: u64 = 1000;
const LEAF: u8 = 0xc0;

fn pair(seed: u8) -> Keypair {
    Keypair::from_secret(SecretKey::from_bytes(&[seed; 32]).expect("a key"))
}

fn tagged(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    TaggedHash::new(tag.as_bytes()).hash(parts)
}

/// A tree of two leaves over an internal key, of which the first is spent.
struct Tree {
    script: Vec<u8>,
    version: u8,
    control: Vec<u8>,
    output: Vec<u8>,
}

impl Tree {
    fn new(script: &[u8], version: u8) -> Tree {
        assert!(script.len() < 0xfd);
        let leaf = |version: u8, script: &[u8]| tagged("TapLeaf", &[&[version, script.len() as u8], script]);
        let (own, other) = (leaf(version, script), leaf(LEAF, &[0x51]));
        let root = if own < other { [own, other] } else { [other, own] };
        let root = tagged("TapBranch", &[root.as_flattened()]);
        let internal = pair(9).x_only();
        let (key, odd) = internal.taproot_tweak(Some(&root)).expect("a key");
        let control = [&[version | u8::from(odd)], &internal.to_bytes()[..], &other].concat();
        Tree { script: script.to_vec(), version, control, output: [&[0x51, 32], &key.to_bytes()[..]].concat() }
    }

    fn leaf(&self) -> [u8; 32] {
        tagged("TapLeaf", &[&[self.version, self.script.len() as u8], &self.script])
    }
}

/// The parts of the transaction without its witness: version and mark, the rest, lock time.
fn body() -> Vec<u8> {
    [&[1][..], &[7; 36], &[0], &[1, 0, 0, 0], &[1], &700_u64.to_le_bytes(), &[1, 0x51]].concat()
}

/// The digest of BIP-341 and BIP-342 for the only input.
fn digest(output: &[u8], hash_type: u8, leaf: Option<([u8; 32], u32)>, annex: Option<&[u8]>) -> [u8; 32] {
    let (outpoint, sequence, value) = ([7; 36], [1, 0, 0, 0], VALUE.to_le_bytes());
    let script = [&[output.len() as u8], output].concat();
    let created = [&700_u64.to_le_bytes()[..], &[1, 0x51]].concat();
    let mut bytes = vec![0, hash_type, 2, 0, 0, 0, 5, 0, 0, 0];
    let alone = hash_type & 0x80 != 0;
    if !alone {
        [&outpoint[..], &value, &script, &sequence].iter().for_each(|part| bytes.extend(sha256(part)));
    }
    if hash_type & 3 < 2 {
        bytes.extend(sha256(&created));
    }
    bytes.push(2 * u8::from(leaf.is_some()) + u8::from(annex.is_some()));
    if alone {
        bytes.extend([&outpoint[..], &value, &script, &sequence].concat());
    } else {
        bytes.extend([0; 4]);
    }
    if let Some(annex) = annex {
        bytes.extend(sha256(&[&[annex.len() as u8], annex].concat()));
    }
    if hash_type & 3 == 3 {
        bytes.extend(sha256(&created));
    }
    if let Some((leaf, separator)) = leaf {
        bytes.extend([&leaf[..], &[0], &separator.to_le_bytes()].concat());
    }
    tagged("TapSighash", &[&bytes])
}

fn signed(pair: &Keypair, digest: &[u8; 32], hash_type: u8) -> Vec<u8> {
    let mut signature = schnorr::sign(digest, pair, &[0; 32]).to_bytes().to_vec();
    if hash_type != 0 {
        signature.push(hash_type);
    }
    signature
}

fn verify(output: &[u8], witness: &[&[u8]], flags: Flags) -> Report {
    let witness: Vec<u8> = witness
        .iter()
        .fold(vec![witness.len() as u8], |bytes, value| [&bytes[..], &[value.len() as u8], value].concat());
    let (mark, witness): (&[u8], _) = if witness == [0] { (&[], Vec::new()) } else { (&[0, 1], witness) };
    let bytes = [&[2, 0, 0, 0], mark, &body(), &witness, &[5, 0, 0, 0]].concat();
    let transaction = Transaction::decode(&bytes).expect("a transaction");
    let spent = [Output { value: VALUE, script: Cow::Borrowed(output) }];
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
    verifier.verify_transaction(&transaction, &spent, flags, |_| {}).expect("one output for one input")
}

fn consensus() -> Flags {
    Flags::P2SH | Flags::WITNESS | Flags::TAPROOT
}

fn reason(report: &Report) -> &'static str {
    report.invalid.first().map_or("OK", |invalid| invalid.error.name())
}

#[test]
fn key_paths_of_all_sighash_types_with_and_without_annex() {
    let own = pair(5);
    let output = [&[0x51, 32], &own.x_only().to_bytes()[..]].concat();
    for hash_type in [0, 1, 2, 3, 0x81, 0x82, 0x83] {
        for annex in [None, Some(&[0x50, 1, 2][..])] {
            let signature = signed(&own, &digest(&output, hash_type, None, annex), hash_type);
            let witness: Vec<&[u8]> = [&signature[..]].into_iter().chain(annex).collect();
            let report = verify(&output, &witness, consensus());
            assert_eq!((reason(&report), report.schnorr, report.executed_again), ("OK", 1, 0), "{hash_type}");
            // Before Taproot anyone may spend it.
            assert_eq!(reason(&verify(&output, &[&[1]], Flags::P2SH | Flags::WITNESS)), "OK");
            let other = signed(&own, &digest(&output, hash_type ^ 1, None, annex), hash_type);
            let witness: Vec<&[u8]> = [&other[..]].into_iter().chain(annex).collect();
            assert_eq!(reason(&verify(&output, &witness, consensus())), "SCHNORR_SIG");
        }
    }
    let signature = signed(&own, &digest(&output, 0, None, None), 0);
    assert_eq!(reason(&verify(&output, &[&[&signature[..], &[0]].concat()], consensus())), "SCHNORR_SIG_HASHTYPE");
    assert_eq!(reason(&verify(&output, &[&[&signature[..], &[4]].concat()], consensus())), "SCHNORR_SIG_HASHTYPE");
    assert_eq!(reason(&verify(&output, &[&signature[1..]], consensus())), "SCHNORR_SIG_SIZE");
    assert_eq!(reason(&verify(&output, &[], consensus())), "WITNESS_PROGRAM_WITNESS_EMPTY");
}

/// A script: the keys 1 to 3, of which `need` sign, with an OP_CODESEPARATOR before the last.
fn threshold(need: u8) -> Vec<u8> {
    let key = |seed: u8| push(&pair(seed).x_only().to_bytes());
    let [first, second, third] = [1, 2, 3].map(key);
    [&first[..], &[0xac], &second, &[0xba, 0xab], &third, &[0xba, 0x50 + need, 0x9c]].concat()
}

#[test]
fn signatures_are_counted_in_tapscript() {
    let tree = Tree::new(&threshold(2), LEAF);
    // The place of OP_CODESEPARATOR, counted in instructions.
    let of = |seed: u8, separator: u32| {
        signed(&pair(seed), &digest(&tree.output, 1, Some((tree.leaf(), separator)), None), 1)
    };
    let (first, second, third) = (of(1, u32::MAX), of(2, u32::MAX), of(3, 4));
    for (witness, expected) in [
        ([&third[..], &second, &[]], "OK"),
        ([&third, &[], &first], "OK"),
        ([&[], &second, &first], "OK"),
        ([&third, &second, &first], "EVAL_FALSE"),
        ([&[], &[], &first], "EVAL_FALSE"),
        ([&[], &first, &second], "SCHNORR_SIG"),
        ([&of(3, u32::MAX), &second, &[]], "SCHNORR_SIG"),
        ([&third, &of(2, 4), &[]], "SCHNORR_SIG"),
    ] {
        let witness = [&witness[..], &[&tree.script, &tree.control]].concat();
        let report = verify(&tree.output, &witness, consensus());
        assert_eq!((reason(&report), report.commitments), (expected, 1));
        assert_eq!(report.executed_again, u64::from(expected == "SCHNORR_SIG"));
    }
}

#[test]
fn commitments_are_checked() {
    let tree = Tree::new(&[0x51], LEAF);
    assert_eq!(reason(&verify(&tree.output, &[&tree.script, &tree.control], consensus())), "OK");
    for place in [0, 1, 20, 33, 64] {
        let mut control = tree.control.clone();
        control[place] ^= 1;
        let report = verify(&tree.output, &[&tree.script, &control], consensus());
        assert_eq!((reason(&report), report.executed_again), ("WITNESS_PROGRAM_MISMATCH", 1), "{place}");
    }
    let report = verify(&tree.output, &[&[0x52], &tree.control], consensus());
    assert_eq!(reason(&report), "WITNESS_PROGRAM_MISMATCH");
    for control in [&tree.control[..64], &tree.control[..32], &[&tree.control[..], &[0; 1]].concat()] {
        assert_eq!(reason(&verify(&tree.output, &[&tree.script, control], consensus())), "TAPROOT_WRONG_CONTROL_SIZE");
    }
}

#[test]
fn rules_of_tapscript() {
    let spend = |script: &[u8], values: &[&[u8]], flags: Flags| {
        let tree = Tree::new(script, LEAF);
        reason(&verify(&tree.output, &[values, &[&tree.script, &tree.control]].concat(), flags))
    };
    let key = push(&pair(1).x_only().to_bytes());
    let run = |script: &[u8], values: &[&[u8]]| spend(script, values, consensus());
    // An opcode that succeeds, also behind what would fail, but not behind a push without end.
    assert_eq!(run(&[0x6a, 0x50], &[]), "OK");
    assert_eq!(run(&[0x4c, 9, 0x50], &[]), "BAD_OPCODE");
    assert_eq!(spend(&[0x50], &[], consensus() | Flags::DISCOURAGE_OP_SUCCESS), "DISCOURAGE_OP_SUCCESS");
    assert_eq!(run(&[0, 0, 0, 0xae], &[]), "TAPSCRIPT_CHECKMULTISIG");
    assert_eq!(run(&[0x63, 0x51, 0x68], &[&[2]]), "TAPSCRIPT_MINIMALIF");
    assert_eq!(run(&[0x51, 0x51], &[]), "CLEANSTACK");
    assert_eq!(run(&[0x61; 250], &[&[1]]), "OK", "operations are not counted");
    // A key of no known form is taken for signed, but not an empty one.
    assert_eq!(run(&[1, 1, 0xac], &[&[1]]), "OK");
    assert_eq!(run(&[0, 0xac], &[&[1]]), "PUBKEYTYPE");
    assert_eq!(
        spend(&[1, 1, 0xac], &[&[1]], consensus() | Flags::DISCOURAGE_UPGRADABLE_PUBKEYTYPE),
        "DISCOURAGE_UPGRADABLE_PUBKEYTYPE"
    );
    // Each signature uses up weight, wherever its key is no key, too.
    let many = [&[1, 1, 0xad][..]; 9].concat();
    assert_eq!(run(&[&[0x76; 8][..], &many, &[0x51]].concat(), &[&[1]]), "TAPSCRIPT_VALIDATION_WEIGHT");
    assert_eq!(run(&[&key[..], &[0xac]].concat(), &[&[7; 63]]), "SCHNORR_SIG_SIZE");
    assert_eq!(run(&[&key[..], &[0xac, 0x91]].concat(), &[&[]]), "OK");
    // Other versions of leaves are free.
    let tree = Tree::new(&[0x6a], 0xc2);
    assert_eq!(reason(&verify(&tree.output, &[&tree.script, &tree.control], consensus())), "OK");
    let discouraged = consensus() | Flags::DISCOURAGE_UPGRADABLE_TAPROOT_VERSION;
    let report = verify(&tree.output, &[&tree.script, &tree.control], discouraged);
    assert_eq!(reason(&report), "DISCOURAGE_UPGRADABLE_TAPROOT_VERSION");
}
