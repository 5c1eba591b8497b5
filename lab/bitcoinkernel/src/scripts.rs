//! Random scripts, each in a context in which it runs: its hash or its commitment is right.

use crate::{draw::Draw, encoding::put_bytes, spending::Spending};
use phalanx::{
    SecretKey, XOnlyPublicKey,
    hash::{TaggedHash, sha256},
};
use ripemd::{Digest, Ripemd160};

pub(crate) const OP_1: u8 = 0x51;
const OP_DROP: u8 = 0x75;
const OP_HASH160: u8 = 0xa9;
const OP_EQUAL: u8 = 0x87;
/// The leaf version of tapscript.
pub(crate) const TAPSCRIPT: u8 = 0xc0;
/// The first byte of an annex.
pub(crate) const ANNEX: u8 = 0x50;

/// A script, and what it finds on the stack.
struct Program {
    script: Vec<u8>,
    arguments: Vec<Vec<u8>>,
}

/// Gives an input a random script to run.
pub(crate) fn replace(spending: &mut Spending, input: usize, draw: &mut Draw) {
    let Program { script, arguments } = if draw.below(2) == 0 { any(draw) } else { meaningful(draw) };
    let (own, spent) = (&mut spending.inputs[input], spending.spent[input].script.to_mut());
    own.script = arguments.iter().flat_map(|argument| push(argument)).collect();
    own.witness.clear();
    match draw.below(8) {
        0 => {
            own.script = any(draw).script;
            *spent = script;
        }
        1 => *spent = script,
        2 => {
            own.script.extend(push(&script));
            *spent = script_hash(&script);
        }
        3 | 4 => {
            *spent = [&[0, 32][..], &sha256(&script)].concat();
            own.script.clear();
            own.witness = arguments;
            own.witness.push(script);
            // The program stands in a script that is hashed itself.
            if draw.below(3) == 0 {
                own.script = push(spent);
                *spent = script_hash(spent);
            }
        }
        _ => {
            let (output_key, control) = commitment(&script, draw);
            *spent = [&[OP_1, 32][..], &output_key].concat();
            own.script.clear();
            own.witness = arguments;
            own.witness.extend([script, control]);
            if draw.below(6) == 0 {
                own.witness.push(vec![ANNEX, 1]);
            }
        }
    }
}

/// Pushes, small numbers and any other opcodes.
fn any(draw: &mut Draw) -> Program {
    let mut script = Vec::new();
    for _ in 0..1 + draw.below(14) {
        match draw.below(5) {
            0 => {
                let count = draw.below(6);
                script.extend(push(&draw.bytes(count)));
            }
            1 => script.push(0x4f + draw.below(18) as u8),
            2 => script.push(draw.byte()),
            _ => script.push(0x61 + draw.below(0x5a) as u8),
        }
    }
    let arguments = (0..draw.below(5)).map(|_| argument(draw)).collect();
    Program { script, arguments }
}

/// What may stand in a branch: nothing, a push that is dropped, OP_RESERVED, OP_VERIF, OP_RETURN, OP_CODESEPARATOR,
/// OP_CAT.
const BRANCHES: [&[u8]; 7] = [&[], &[OP_1, OP_DROP], &[0x50], &[0x65], &[0x6a], &[0xab], &[0x7e]];

/// A script that takes each of its arguments and leaves a true value, unless an argument makes it fail.
fn meaningful(draw: &mut Draw) -> Program {
    let (mut script, mut count) = (Vec::new(), 0);
    for _ in 0..1 + draw.below(3) {
        count += 1;
        match draw.below(6) {
            // OP_IF and OP_NOTIF.
            0 | 1 => {
                script.push(draw.of(&[0x63, 0x64]));
                script.extend(draw.of(&BRANCHES));
                if draw.below(2) == 0 {
                    script.push(0x67);
                    script.extend(draw.of(&BRANCHES));
                }
                script.push(0x68);
            }
            // OP_1ADD to OP_0NOTEQUAL, and the hashes.
            2 => script.extend([draw.of(&[0x8b, 0x8c, 0x8f, 0x90, 0x91, 0x92, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa]), OP_DROP]),
            // OP_EQUAL, and OP_ADD to OP_MAX.
            3 => {
                script.extend([
                    draw.of(&[OP_EQUAL, 0x93, 0x94, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f, 0xa0, 0xa3, 0xa4]),
                    OP_DROP,
                ]);
                count += 1;
            }
            // OP_CHECKLOCKTIMEVERIFY and OP_CHECKSEQUENCEVERIFY.
            4 => script.extend([draw.of(&[0xb1, 0xb2]), OP_DROP]),
            // OP_CHECKSIG and OP_CHECKSIGADD.
            _ => {
                let key = SecretKey::from_bytes(&[9; 32]).expect("in range").public_key().to_bytes();
                let adds = draw.below(3) == 0;
                script.extend(adds.then_some(OP_1));
                script.extend(push(draw.of(&[&key[..], &key[1..], &key[..1], &[]])));
                script.extend([if adds { 0xba } else { 0xac }, OP_DROP]);
            }
        }
    }
    script.push(OP_1);
    Program { script, arguments: (0..count).map(|_| argument(draw)).collect() }
}

/// An element for a script to work on, most often a number. One length is more than an element may have.
fn argument(draw: &mut Draw) -> Vec<u8> {
    let count = draw.of(&[0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 5, 32, 64, 65, 520, 521]);
    let bits = draw.of(&[1, 1, 0x81, 0xff]);
    (0..count).map(|_| draw.byte() & bits).collect()
}

/// The script that pushes so many bytes.
pub(crate) fn push(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    let head = match length {
        0..=75 => vec![length as u8],
        76..=255 => vec![0x4c, length as u8],
        _ => vec![0x4d, length as u8, (length >> 8) as u8],
    };
    [&head[..], bytes].concat()
}

/// The script of BIP-16 that names another.
pub(crate) fn script_hash(script: &[u8]) -> Vec<u8> {
    [&[OP_HASH160, 20][..], &hash160(script), &[OP_EQUAL]].concat()
}

/// RIPEMD-160 of SHA-256.
pub(crate) fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(sha256(bytes)).into()
}

/// An output key of Taproot that commits to the script, and the control block that says so: up to two hashes beside the
/// leaf, and now and then a leaf version that is not known.
pub(crate) fn commitment(script: &[u8], draw: &mut Draw) -> ([u8; 32], Vec<u8>) {
    let version = if draw.below(6) == 0 { draw.byte() & 0xfe } else { TAPSCRIPT };
    let path: Vec<[u8; 32]> = (0..draw.below(3)).map(|_| sha256(&[draw.byte()])).collect();
    committed(script, version, &path)
}

/// The same for a leaf version and the hashes beside the leaf.
pub(crate) fn committed(script: &[u8], version: u8, path: &[[u8; 32]]) -> ([u8; 32], Vec<u8>) {
    let mut leaf = vec![version];
    put_bytes(script, &mut leaf);
    let mut root = TaggedHash::new(b"TapLeaf").hash(&[&leaf]);
    for beside in path {
        let (low, high) = if root < *beside { (root, *beside) } else { (*beside, root) };
        root = TaggedHash::new(b"TapBranch").hash(&[&low, &high]);
    }
    let secret = SecretKey::from_bytes(&[9; 32]).expect("in range");
    let internal = secret.public_key().to_bytes();
    let internal = XOnlyPublicKey::from_bytes(&internal[1..]).expect("the x of a key");
    let (program, is_odd) = internal.taproot_tweak(Some(&root)).expect("a tweak in range");
    let mut control = vec![version | u8::from(is_odd)];
    control.extend(internal.to_bytes());
    control.extend(path.concat());
    (program.to_bytes(), control)
}
