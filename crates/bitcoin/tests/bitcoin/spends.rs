//! Spends of each kind of output before Taproot, signed here, with digests that are computed here.

use std::borrow::Cow;

use phalanx::hash::sha256;
use phalanx::{Bulk, SecretKey, ecdsa};
use phalanx_bitcoin::{Flags, Output, Report, Transaction, Verifier};
use ripemd::{Digest, Ripemd160};

use crate::assembly::{assemble, push};

const VALUE: u64 = 5000;
const CREATED: [u8; 10] = [0xbc, 2, 0, 0, 0, 0, 0, 0, 1, 0x51];
const HASH_TYPES: [u8; 6] = [1, 2, 3, 0x81, 0x82, 0x83];

fn hash160(bytes: &[u8]) -> Vec<u8> {
    Ripemd160::digest(sha256(bytes)).to_vec()
}

fn double(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).expect("a key")
}

fn key(seed: u8) -> Vec<u8> {
    secret(seed).public_key().to_bytes().to_vec()
}

fn prefixed(bytes: &[u8]) -> Vec<u8> {
    match bytes.len() {
        length @ 0..=0xfc => [&[length as u8], bytes].concat(),
        length => [&[0xfd, length as u8, (length >> 8) as u8], bytes].concat(),
    }
}

/// The one transaction: version 2, an input with this sequence, an output, a lock time.
#[derive(Clone, Copy)]
struct Times {
    sequence: u32,
    lock_time: u32,
}

const TIMES: Times = Times { sequence: 5, lock_time: 700 };

impl Times {
    /// The digest of BIP-143.
    fn digest_v0(self, code: &[u8], hash_type: u8) -> [u8; 32] {
        let (outpoint, sequence) = ([7; 36], self.sequence.to_le_bytes());
        let (alone, chosen) = (hash_type & 0x80 != 0, hash_type & 0x1f);
        let unless = |zero: bool, hash: [u8; 32]| if zero { [0; 32] } else { hash };
        let parts = [
            &[2, 0, 0, 0][..],
            &unless(alone, double(&outpoint)),
            &unless(alone || chosen > 1, double(&sequence)),
            &outpoint,
            &prefixed(code),
            &VALUE.to_le_bytes(),
            &sequence,
            &unless(chosen == 2, double(&CREATED)),
            &self.lock_time.to_le_bytes(),
            &[hash_type, 0, 0, 0],
        ];
        double(&parts.concat())
    }

    /// The digest of a legacy signature by SIGHASH_ALL.
    fn digest_legacy(self, code: &[u8]) -> [u8; 32] {
        double(&[self.transaction(code, &[]), vec![1, 0, 0, 0]].concat())
    }

    fn transaction(self, script: &[u8], witness: &[Vec<u8>]) -> Vec<u8> {
        let input = [&[1][..], &[7; 36], &prefixed(script), &self.sequence.to_le_bytes()].concat();
        let values: Vec<u8> = witness.iter().flat_map(|value| prefixed(value)).collect();
        let (mark, witness) = match witness.len() {
            0 => (vec![], vec![]),
            count => (vec![0, 1], [&[count as u8], &values[..]].concat()),
        };
        [&[2, 0, 0, 0], &mark[..], &input, &[1], &CREATED, &witness, &self.lock_time.to_le_bytes()].concat()
    }

    fn verify(self, output: &[u8], script: &[u8], witness: &[Vec<u8>]) -> Report {
        self.verify_by(consensus(), output, script, witness)
    }

    fn verify_by(self, flags: Flags, output: &[u8], script: &[u8], witness: &[Vec<u8>]) -> Report {
        let bytes = self.transaction(script, witness);
        let transaction = Transaction::decode(&bytes).expect("a transaction");
        let spent = [Output { value: VALUE, script: Cow::Borrowed(output) }];
        let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
        verifier.verify_transaction(&transaction, &spent, flags, |_| {}).expect("one output for one input")
    }
}

fn consensus() -> Flags {
    Flags::P2SH
        | Flags::DERSIG
        | Flags::CHECKLOCKTIMEVERIFY
        | Flags::CHECKSEQUENCEVERIFY
        | Flags::WITNESS
        | Flags::NULLDUMMY
        | Flags::TAPROOT
}

fn signed(seed: u8, digest: &[u8; 32], hash_type: u8) -> Vec<u8> {
    [&ecdsa::sign(digest, &secret(seed)).to_der()[..], &[hash_type]].concat()
}

fn reason(report: &Report) -> &'static str {
    report.invalid.first().map_or("OK", |invalid| invalid.error.name())
}

fn script_hash(script: &[u8]) -> Vec<u8> {
    [&[0xa9, 20], &hash160(script)[..], &[0x87]].concat()
}

fn pay_to_key_hash(key: &[u8]) -> Vec<u8> {
    [&[0x76, 0xa9, 20], &hash160(key)[..], &[0x88, 0xac]].concat()
}

#[test]
fn witness_of_a_key_bare_and_nested() {
    let program = [&[0, 20], &hash160(&key(1))[..]].concat();
    for hash_type in HASH_TYPES {
        let digest = TIMES.digest_v0(&pay_to_key_hash(&key(1)), hash_type);
        let witness = [signed(1, &digest, hash_type), key(1)];
        let report = TIMES.verify(&program, &[], &witness);
        assert_eq!((reason(&report), report.ecdsa, report.executed_again), ("OK", 1, 0), "{hash_type}");
        let nested = script_hash(&program);
        assert_eq!(reason(&TIMES.verify(&nested, &push(&program), &witness)), "OK");
        // The type is signed, too.
        let other = [signed(1, &digest, hash_type ^ 0x80), key(1)];
        assert_eq!(reason(&TIMES.verify(&program, &[], &other)), "EVAL_FALSE");
        assert_eq!(reason(&TIMES.verify(&program, &[0], &witness)), "WITNESS_MALLEATED");
        let twice = [push(&[]), push(&program)].concat();
        assert_eq!(reason(&TIMES.verify(&nested, &twice, &witness)), "WITNESS_MALLEATED_P2SH");
        let stranger = [signed(2, &digest, hash_type), key(2)];
        assert_eq!(reason(&TIMES.verify(&program, &[], &stranger)), "EQUALVERIFY");
    }
    assert_eq!(reason(&TIMES.verify(&pay_to_key_hash(&key(1)), &[0x51], &[vec![1]])), "EQUALVERIFY");
    assert_eq!(reason(&TIMES.verify(&[0x51], &[], &[vec![1]])), "WITNESS_UNEXPECTED");
}

/// How a spend of a program ends by BIP-141 and BIP-341, if its witness has these values, which are not signatures,
/// keys or scripts of the program.
fn program_spend(version: u8, length: usize, nested: bool, witness: &[Vec<u8>], flags: Flags) -> &'static str {
    let is_program = (2..=40).contains(&length);
    let [by_witness, by_taproot] = [Flags::WITNESS, Flags::TAPROOT].map(|rule| flags.contains(rule));
    match (version, length) {
        // An empty value is false.
        (_, 0) => "EVAL_FALSE",
        _ if !by_witness => "OK",
        _ if !is_program && !witness.is_empty() => "WITNESS_UNEXPECTED",
        _ if !is_program => "OK",
        (0, 20) if witness.len() == 2 => "EQUALVERIFY",
        (0, 20) => "WITNESS_PROGRAM_MISMATCH",
        (0, 32) if witness.is_empty() => "WITNESS_PROGRAM_WITNESS_EMPTY",
        (0, 32) => "WITNESS_PROGRAM_MISMATCH",
        (0, _) => "WITNESS_PROGRAM_WRONG_LENGTH",
        // Taproot is not nested in P2SH.
        (1, 32) if !nested && !by_taproot => "OK",
        (1, 32) if !nested => match witness.len() {
            0 => "WITNESS_PROGRAM_WITNESS_EMPTY",
            1 => "SCHNORR_SIG_SIZE",
            _ => "TAPROOT_WRONG_CONTROL_SIZE",
        },
        _ if flags.contains(Flags::DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM) => "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM",
        _ => "OK",
    }
}

#[test]
fn programs_of_every_version_length_and_wrapping() {
    let values = [vec![7; 5], vec![8; 6]];
    for (version, length) in (0..=16_u8).flat_map(|version| (0..=75_usize).map(move |length| (version, length))) {
        let opcode = if version == 0 { 0 } else { 0x50 + version };
        let program = [&[opcode], &push(&vec![7; length])[..]].concat();
        for (count, nested) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
            let witness = &values[..count];
            let (output, script) =
                if nested { (script_hash(&program), push(&program)) } else { (program.clone(), vec![]) };
            let discouraged = consensus() | Flags::DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM;
            for flags in [consensus(), discouraged, consensus() - Flags::TAPROOT, Flags::P2SH] {
                let report = TIMES.verify_by(flags, &output, &script, witness);
                let expected = program_spend(version, length, nested, witness, flags);
                assert_eq!(reason(&report), expected, "{version} {length} {nested} {count} {flags:?}");
            }
            // What else the script of the input pushes.
            let script = [&[0x51], &script[..]].concat();
            let expected = match ((2..=40).contains(&length), nested) {
                (true, false) => "WITNESS_MALLEATED",
                (true, true) => "WITNESS_MALLEATED_P2SH",
                (false, _) => program_spend(version, length, nested, witness, consensus()),
            };
            assert_eq!(reason(&TIMES.verify(&output, &script, witness)), expected, "{version} {length} {nested}");
        }
    } // Policy allows pay-to-anchor, but not in a script of a hash.
    let anchor = [0x51, 2, 0x4e, 0x73];
    let discouraged = consensus() | Flags::DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM;
    assert_eq!(reason(&TIMES.verify_by(discouraged, &anchor, &[], &values)), "OK");
    let report = TIMES.verify_by(discouraged, &script_hash(&anchor), &push(&anchor), &values);
    assert_eq!(reason(&report), "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM");
}

/// Two of three keys.
fn multisig() -> Vec<u8> {
    [&[0x52], &push(&key(1))[..], &push(&key(2)), &push(&key(3)), &[0x53, 0xae]].concat()
}

#[test]
fn two_of_three_in_a_legacy_script_and_in_a_witness() {
    let script = multisig();
    for signers in [[1, 2], [1, 3], [2, 3], [2, 1], [1, 1], [1, 4]] {
        let expected = if signers[0] < signers[1] && signers[1] < 4 { "OK" } else { "EVAL_FALSE" };
        let again = u64::from(expected != "OK");
        let legacy = TIMES.digest_legacy(&script);
        let [first, second] = signers.map(|seed| push(&signed(seed, &legacy, 1)));
        let pushes = [&[0], &first[..], &second, &push(&script)].concat();
        let report = TIMES.verify(&script_hash(&script), &pushes, &[]);
        assert_eq!((reason(&report), report.executed_again), (expected, again), "{signers:?}");

        let v0 = TIMES.digest_v0(&script, 1);
        let [first, second] = signers.map(|seed| signed(seed, &v0, 1));
        let witness = [vec![], first, second, script.clone()];
        let program = [&[0, 32], &sha256(&script)[..]].concat();
        let report = TIMES.verify(&program, &[], &witness);
        assert_eq!((reason(&report), report.executed_again), (expected, again), "{signers:?}");
        assert_eq!(reason(&TIMES.verify(&script_hash(&program), &push(&program), &witness)), expected);
        let mut dummy = witness.clone();
        dummy[0] = vec![1];
        let report = TIMES.verify(&program, &[], &dummy);
        assert_eq!(reason(&report), "SIG_NULLDUMMY");
    }
}

#[test]
fn code_separators_cut_what_is_signed() {
    // The first signature covers all, the second what comes behind the separator.
    let script = [&push(&key(1))[..], &[0xad, 0xab], &push(&key(2)), &[0xac]].concat();
    let behind = &script[36..];
    let (whole, rest) = (TIMES.digest_v0(&script, 1), TIMES.digest_v0(behind, 1));
    let program = [&[0, 32], &sha256(&script)[..]].concat();
    let spend = |first: &[u8; 32], second: &[u8; 32]| {
        let witness = [signed(2, second, 1), signed(1, first, 1), script.clone()];
        reason(&TIMES.verify(&program, &[], &witness))
    };
    assert_eq!(spend(&whole, &rest), "OK");
    assert_eq!(spend(&rest, &rest), "CHECKSIGVERIFY");
    assert_eq!(spend(&whole, &whole), "EVAL_FALSE");
    // A legacy digest leaves the separator itself out.
    let without: Vec<u8> = [&script[..35], behind].concat();
    let (whole, rest) = (TIMES.digest_legacy(&without), TIMES.digest_legacy(behind));
    let pushes = [push(&signed(2, &rest, 1)), push(&signed(1, &whole, 1))].concat();
    assert_eq!(reason(&TIMES.verify(&script, &pushes, &[])), "OK");
}

#[test]
fn lock_times_are_compared() {
    let absolute = assemble("CHECKLOCKTIMEVERIFY");
    let relative = assemble("CHECKSEQUENCEVERIFY");
    let spend = |times: Times, number: &str, script: &[u8]| reason(&times.verify(script, &assemble(number), &[]));
    let times = |sequence, lock_time| Times { sequence, lock_time };
    for (number, times, expected) in [
        ("700", times(5, 700), "OK"),
        ("701", times(5, 700), "UNSATISFIED_LOCKTIME"),
        ("700", times(u32::MAX, 700), "UNSATISFIED_LOCKTIME"),
        ("-1", times(5, 700), "NEGATIVE_LOCKTIME"),
        ("499999999", times(5, 500_000_000), "UNSATISFIED_LOCKTIME"),
        ("500000000", times(5, 500_000_000), "OK"),
        ("4294967295", times(5, u32::MAX), "OK"),
        ("4294967296", times(5, u32::MAX), "UNSATISFIED_LOCKTIME"),
    ] {
        assert_eq!(spend(times, number, &absolute), expected, "{number}");
    }
    for (number, sequence, expected) in [
        ("5", 5, "OK"),
        ("6", 5, "UNSATISFIED_LOCKTIME"),
        ("5", 1 << 31 | 5, "UNSATISFIED_LOCKTIME"),
        // Bit 22: times, and no heights; bits 16 to 21 do not count.
        ("4194309", 5, "UNSATISFIED_LOCKTIME"),
        ("4194309", 1 << 22 | 5, "OK"),
        ("65541", 5, "OK"),
        // Bit 31: no lock time, whatever the input says.
        ("2147483654", 5, "OK"),
        ("-1", 5, "NEGATIVE_LOCKTIME"),
    ] {
        assert_eq!(spend(times(sequence, 0), number, &relative), expected, "{number}");
    }
}
