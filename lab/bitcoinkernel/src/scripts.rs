//! Random scripts, each in a context in which it runs: its hash or its commitment is right.

use crate::{draw::Draw, encoding::put_bytes, spending::Spending};
use phalanx::{
    SecretKey, XOnlyPublicKey,
    hash::{TaggedHash, sha256},
};
use ripemd::{Digest, Ripemd160};

const OP_1: u8 = 0x51;
const OP_HASH160: u8 = 0xa9;
const OP_EQUAL: u8 = 0x87;
/// The leaf version of tapscript.
const TAPSCRIPT: u8 = 0xc0;
/// The first byte of an annex.
const ANNEX: u8 = 0x50;

/// Gives an input a random script to run.
pub(crate) fn replace(spending: &mut Spending, input: usize, draw: &mut Draw) {
    let script = script(draw);
    let (own, spent) = (&mut spending.inputs[input], spending.spent[input].script.to_mut());
    own.script.clear();
    own.witness.clear();
    match draw.below(8) {
        0 => {
            own.script = self::script(draw);
            *spent = script;
        }
        1 => {
            own.script = arguments(draw).iter().flat_map(|argument| push(argument)).collect();
            *spent = script;
        }
        2 => {
            let pushed = arguments(draw).iter().flat_map(|argument| push(argument)).chain(push(&script)).collect();
            own.script = pushed;
            *spent = script_hash(&script);
        }
        3 | 4 => {
            own.witness = arguments(draw);
            *spent = [&[0, 32][..], &sha256(&script)].concat();
            own.witness.push(script);
            // The program stands in a script that is hashed itself.
            if draw.below(3) == 0 {
                own.script = push(spent);
                *spent = script_hash(spent);
            }
        }
        _ => {
            own.witness = arguments(draw);
            let (program, control) = commitment(&script, draw);
            *spent = [&[OP_1, 32][..], &program].concat();
            own.witness.extend([script, control]);
            if draw.below(6) == 0 {
                own.witness.push(vec![ANNEX, 1]);
            }
        }
    }
}

/// Pushes, small numbers and any other opcodes.
fn script(draw: &mut Draw) -> Vec<u8> {
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
    script
}

/// Elements for a script to work on, most of them numbers; one length is more than an element may have.
fn arguments(draw: &mut Draw) -> Vec<Vec<u8>> {
    let argument = |draw: &mut Draw| {
        let count = draw.of(&[0, 1, 1, 2, 32, 64, 521]);
        (0..count).map(|_| draw.byte() & 1).collect()
    };
    (0..draw.below(5)).map(|_| argument(draw)).collect()
}

/// The script that pushes so many bytes.
fn push(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    let head = match length {
        0..=75 => vec![length as u8],
        76..=255 => vec![0x4c, length as u8],
        _ => vec![0x4d, length as u8, (length >> 8) as u8],
    };
    [&head[..], bytes].concat()
}

/// The script of BIP-16 that names another.
fn script_hash(script: &[u8]) -> Vec<u8> {
    [&[OP_HASH160, 20][..], &Ripemd160::digest(sha256(script)), &[OP_EQUAL]].concat()
}

/// An output key of Taproot that commits to the script, and the control block that says so: up to two hashes beside the
/// leaf, and now and then a leaf version that is not known.
fn commitment(script: &[u8], draw: &mut Draw) -> ([u8; 32], Vec<u8>) {
    let version = if draw.below(6) == 0 { draw.byte() & 0xfe } else { TAPSCRIPT };
    let path: Vec<[u8; 32]> = (0..draw.below(3)).map(|_| sha256(&[draw.byte()])).collect();
    let mut leaf = vec![version];
    put_bytes(script, &mut leaf);
    let mut root = TaggedHash::new(b"TapLeaf").hash(&[&leaf]);
    for beside in &path {
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
