//! Scripts. Signatures that are taken for true and settled later, in bulk, give the result of a run in which each is
//! verified where it stands, and the same checks.
//!
//! An input is a byte that says where the script stands, four of rules, one of times, and then byte strings behind
//! their lengths in one byte: the script, what the input pushes or the values of its witness. A value of three bytes
//! that begins with 0xee stands for a signature: by a key of that number, of that sighash type.

use std::collections::HashMap;
use std::sync::LazyLock;

use phalanx::hash::{TaggedHash, sha256};
use phalanx::{Keypair, SecretKey, XOnlyPublicKey, ecdsa, schnorr};
use phalanx_bitcoin::{Check, Flags, Output, Transaction, Verifier, fuzzing::run_directly};
use ripemd::{Digest, Ripemd160};

use crate::bitcoin::{put_bytes, put_size};
use crate::bulks;

/// Longer ones are given to the tests of hostile input.
const LONGEST: usize = 4096;
/// The first byte of what stands for a signature.
const SIGNATURE: u8 = 0xee;

/// How often signatures are asked for.
const MOST_ROUNDS: usize = 4;

/// Each rule, by a bit of the input.
const RULES: [Flags; 21] = [
    Flags::P2SH,
    Flags::WITNESS,
    Flags::TAPROOT,
    Flags::DERSIG,
    Flags::NULLDUMMY,
    Flags::CHECKLOCKTIMEVERIFY,
    Flags::CHECKSEQUENCEVERIFY,
    Flags::STRICTENC,
    Flags::LOW_S,
    Flags::SIGPUSHONLY,
    Flags::MINIMALDATA,
    Flags::DISCOURAGE_UPGRADABLE_NOPS,
    Flags::CLEANSTACK,
    Flags::DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM,
    Flags::MINIMALIF,
    Flags::NULLFAIL,
    Flags::WITNESS_PUBKEYTYPE,
    Flags::CONST_SCRIPTCODE,
    Flags::DISCOURAGE_UPGRADABLE_TAPROOT_VERSION,
    Flags::DISCOURAGE_OP_SUCCESS,
    Flags::DISCOURAGE_UPGRADABLE_PUBKEYTYPE,
];

/// Four keys; the internal key of scripts in Taproot is the first.
static KEYS: LazyLock<[Keypair; 4]> = LazyLock::new(|| {
    [1, 2, 3, 4].map(|seed| Keypair::from_secret(SecretKey::from_bytes(&[seed; 32]).expect("in range")))
});

fn key(number: u8) -> &'static Keypair {
    &KEYS[usize::from(number & 3)]
}

/// An input to run: its scripts, its witness, and the rules.
struct Case<'i> {
    place: u8,
    flags: Flags,
    times: u8,
    script: &'i [u8],
    values: Vec<&'i [u8]>,
}

impl<'i> Case<'i> {
    fn read(bytes: &'i [u8]) -> Option<Self> {
        let ([place, rules @ .., times], mut rest) = bytes.split_first_chunk::<6>()?;
        let bits = u32::from_le_bytes(*rules);
        let some = RULES.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        let mut flags = some.fold(Flags::NONE, |flags, (_, rule)| flags | rule);
        // As everywhere, Taproot comes with SegWit, and that with BIP-16.
        if flags.contains(Flags::TAPROOT) {
            flags = flags | Flags::WITNESS;
        }
        if flags.contains(Flags::WITNESS) || flags.contains(Flags::CLEANSTACK) {
            flags = flags | Flags::WITNESS | Flags::P2SH;
        }
        let mut parts = Vec::new();
        while let [length, left @ ..] = rest {
            let (part, others) = left.split_at(left.len().min(usize::from(*length)));
            parts.push(part);
            rest = others;
        }
        let (script, values) = parts.split_first()?;
        Some(Self { place: *place, flags, times: *times, script, values: values.to_vec() })
    }

    /// The transaction with these signatures in the places of those that are to come, and the script of the output that
    /// it spends.
    fn transaction(&self, signatures: &HashMap<&[u8], Vec<u8>>) -> (Vec<u8>, Vec<u8>) {
        let values = self.values.iter().map(|value| signatures.get(value).map_or(*value, Vec::as_slice));
        let values: Vec<Vec<u8>> = values.map(<[u8]>::to_vec).collect();
        let pushed: Vec<u8> = values.iter().flat_map(|value| push(value)).collect();
        let (mut script, mut witness) = (pushed, Vec::new());
        let output = match self.place & 7 {
            0 => self.script.to_vec(),
            1 => {
                script.extend(push(self.script));
                script_hash(self.script)
            }
            2 | 3 => {
                let program = [&[0, 32], &sha256(self.script)[..]].concat();
                witness = [values, vec![self.script.to_vec()]].concat();
                let nested = self.place & 7 == 3;
                script = if nested { push(&program) } else { Vec::new() };
                if nested { script_hash(&program) } else { program }
            }
            4 | 5 => {
                let (output, control) = commitment(self.script, self.place >> 3);
                witness = [values, vec![self.script.to_vec(), control]].concat();
                if self.place & 7 == 5 {
                    witness.push(vec![0x50, self.place]);
                }
                script.clear();
                [&[0x51, 32][..], &output].concat()
            }
            6 => {
                (script, witness) = (Vec::new(), values);
                [&[0x51, 32][..], &key(self.place >> 3).x_only().to_bytes()].concat()
            }
            _ => {
                witness = values;
                script.clear();
                self.script.to_vec()
            }
        };
        let input = |number: u8, script: &[u8], sequence: u32| {
            let mut bytes = [&[number; 32][..], &[number, 0, 0, 0]].concat();
            put_bytes(script, &mut bytes);
            bytes.extend(sequence.to_le_bytes());
            bytes
        };
        let sequence = [u32::MAX, 0, 5, 0x0040_0005][usize::from(self.times & 3)];
        let mut bytes = vec![1 + (self.times >> 2 & 1), 0, 0, 0];
        bytes.extend(if witness.is_empty() { &[][..] } else { &[0, 1] });
        bytes.push(2);
        // There is one output: the second input has none of its number.
        let (own, other) = (input(7, &script, sequence), input(8, &[], 0));
        let second = self.times >> 3 & 1 == 1;
        bytes.extend(if second { [other, own].concat() } else { [own, other].concat() });
        bytes.extend([&[1][..], &9_u64.to_le_bytes(), &[1, 0x51]].concat());
        if !witness.is_empty() {
            let mut own = Vec::new();
            put_size(witness.len(), &mut own);
            witness.iter().for_each(|value| put_bytes(value, &mut own));
            bytes.extend(if second { [&[0][..], &own].concat() } else { [&own[..], &[0]].concat() });
        }
        bytes.extend([0, 700, 1_600_000_000, u32::MAX][usize::from(self.times >> 4 & 3)].to_le_bytes());
        (bytes, output)
    }

    fn own_input(&self) -> usize {
        usize::from(self.times >> 3 & 1)
    }

    fn spent(&self, output: Vec<u8>) -> [Output<'static>; 2] {
        let [own, other] = [output, vec![0x51]].map(|script| Output { value: 5000, script: script.into() });
        if self.own_input() == 1 { [other, own] } else { [own, other] }
    }

    /// Signatures for the values that ask for some. What is signed is what the scripts ask of one that does not hold.
    fn signatures(&self, verifier: &Verifier) -> HashMap<&'i [u8], Vec<u8>> {
        let asking = self.values.iter().filter(|value| matches!(value, [SIGNATURE, _, _]));
        let mut signatures: HashMap<&[u8], Vec<u8>> = HashMap::new();
        for value in asking {
            let [_, number, hash_type] = value else { continue };
            // Another digest is signed: a signature that can be told from others, and does not hold.
            signatures.insert(value, sign(&sha256(value), *number, *hash_type, self.is_taproot()));
        }
        // A CHECKMULTISIG asks for the next one where the one before holds.
        for _ in 0..signatures.len().min(MOST_ROUNDS) {
            let (bytes, output) = self.transaction(&signatures);
            let Ok(transaction) = Transaction::decode(&bytes) else { break };
            let mut digests = Vec::new();
            let _ = verifier.verify_transaction(&transaction, &self.spent(output), self.flags, |row| match row.check {
                Check::Ecdsa { digest, signature, .. } => digests.push((signature.to_der().to_vec(), *digest)),
                Check::Schnorr { digest, signature, .. } => digests.push((signature.to_vec(), *digest)),
                Check::Commitment { .. } => {}
            });
            for (value, signature) in &mut signatures {
                if let Some((_, digest)) = digests.iter().find(|(other, _)| signature.starts_with(other)) {
                    *signature = sign(digest, value[1], value[2], self.is_taproot());
                }
            }
        }
        signatures
    }

    fn is_taproot(&self) -> bool {
        (4..7).contains(&(self.place & 7))
    }
}

fn sign(digest: &[u8; 32], number: u8, hash_type: u8, taproot: bool) -> Vec<u8> {
    if taproot {
        let signature = schnorr::sign(digest, key(number), &[0; 32]).to_bytes();
        [&signature[..], &[hash_type][..usize::from(hash_type != 0)]].concat()
    } else {
        let secret = SecretKey::from_bytes(&[1 + (number & 3); 32]).expect("in range");
        [&ecdsa::sign(digest, &secret).to_der()[..], &[hash_type]].concat()
    }
}

fn push(bytes: &[u8]) -> Vec<u8> {
    match bytes.len() {
        short @ 0..=75 => [&[short as u8], bytes].concat(),
        length @ 76..=255 => [&[0x4c, length as u8], bytes].concat(),
        length => [&[0x4d, length as u8, (length >> 8) as u8], bytes].concat(),
    }
}

/// The output of BIP-16 that names a script.
fn script_hash(script: &[u8]) -> Vec<u8> {
    [&[0xa9, 20][..], &Ripemd160::digest(sha256(script)), &[0x87]].concat()
}

/// The output key that commits to a script, and the control block.
fn commitment(script: &[u8], bits: u8) -> ([u8; 32], Vec<u8>) {
    let version = if bits & 7 == 7 { 0xc2 } else { 0xc0 };
    let mut leaf = vec![version];
    put_bytes(script, &mut leaf);
    let root = TaggedHash::new(b"TapLeaf").hash(&[&leaf]);
    let internal: XOnlyPublicKey = key(0).x_only();
    let (output, is_odd) = internal.taproot_tweak(Some(&root)).expect("a tweak in range");
    let control = [&[version | u8::from(is_odd)][..], &internal.to_bytes()].concat();
    (output.to_bytes(), control)
}

/// Checks an input; returns whether its scripts succeed, if it is one.
pub fn check_script(bytes: &[u8]) -> Option<bool> {
    let case = Case::read(bytes).filter(|_| bytes.len() <= LONGEST)?;
    let verifier = Verifier::new(&bulks()[0]);
    let signatures = case.signatures(&verifier);
    let (bytes, output) = case.transaction(&signatures);
    let transaction = Transaction::decode(&bytes).expect("a transaction");
    let spent = case.spent(output);
    let mut told = Vec::new();
    let report = verifier.verify_transaction(&transaction, &spent, case.flags, |row| {
        told.push((*row.check, row.holds));
    });
    let report = report.expect("a well-formed transaction with as many outputs");
    assert_eq!(report.inputs, 2);
    // The other input has no witness, and a script that is true.
    let own = case.own_input();
    let found = report.invalid.iter().find(|invalid| invalid.input == own).map_or(Ok(()), |found| Err(found.error));
    let (expected, checks) = run_directly(&bulks()[0], &transaction, &spent, own, case.flags);
    assert_eq!(found, expected);
    assert_eq!(told, checks, "the checks that scripts come to, in their order");
    for bulk in &bulks()[1..] {
        let other = Verifier::new(bulk).verify_transaction(&transaction, &spent, case.flags, |_| {});
        assert_eq!(other.as_ref(), Ok(&report), "{}", bulk.backend());
    }
    Some(expected.is_ok())
}

pub(crate) fn check(bytes: &[u8]) {
    let _ = check_script(bytes);
}
