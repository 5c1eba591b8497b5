//! Output descriptors of one key (BIP-380 to BIP-382 and BIP-386), and their checksum.

use crate::{Error, ScriptKind};

/// The characters of descriptors, in the order that the checksum numbers them.
const CHARACTERS: &[u8; 95] =
    b"0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";
/// The characters of a checksum: those of Bech32.
const DIGITS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// How many characters a checksum has.
const CHECKSUM: usize = 8;
/// The generator of the code, times 1, x, x^2, ... as numbers of five bits a symbol.
const GENERATOR: [u64; 5] = [0xf5_dee5_1989, 0xa9_fdca_3312, 0x1b_ab10_e32d, 0x37_06b1_677a, 0x64_4d62_6ffd];

/// The functions of one key, with the kind of their script.
const FUNCTIONS: [(&str, &str, ScriptKind); 4] = [
    ("pkh(", ")", ScriptKind::P2pkh),
    ("sh(wpkh(", "))", ScriptKind::P2shP2wpkh),
    ("wpkh(", ")", ScriptKind::P2wpkh),
    ("tr(", ")", ScriptKind::P2tr),
];

/// The kind of script of a descriptor and the text of its key. `None` if the text is not a descriptor.
///
/// A checksum is verified if it is there.
pub(crate) fn read(text: &str) -> Result<Option<(ScriptKind, &str)>, Error> {
    let function = text.split_once('(').map_or("", |(function, _)| function);
    if function.is_empty() || !function.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_') {
        return Ok(None);
    }
    let body = match text.split_once('#') {
        Some((body, checksum)) if holds(body.as_bytes(), checksum.as_bytes()) => body,
        Some(_) => return Err(Error::BadDescriptorChecksum),
        None => text,
    };
    let key = FUNCTIONS.iter().find_map(|(before, behind, kind)| {
        let key = body.strip_prefix(before)?.strip_suffix(behind)?;
        // Another function within, or a tree of scripts.
        (!key.contains(['(', ')', ',', '{'])).then_some((*kind, key))
    });
    key.map(Some).ok_or(Error::OtherDescriptor)
}

/// Whether a checksum is that of a descriptor's text.
fn holds(text: &[u8], checksum: &[u8]) -> bool {
    let place = |set: &[u8], character: &u8| set.iter().position(|other| other == character).map(|at| at as u64);
    if checksum.len() != CHECKSUM {
        return false;
    }
    let mut sum = 1u64;
    let mut add = |symbol: u64| {
        let top = sum >> 35;
        sum = (sum & 0x7_ffff_ffff) << 5 ^ symbol;
        for (bit, number) in GENERATOR.iter().enumerate() {
            sum ^= if top >> bit & 1 == 1 { *number } else { 0 };
        }
    };
    // The low five bits of each character; behind each three, their high bits as digits of base three.
    for three in text.chunks(3) {
        let mut high = 0;
        for character in three {
            let Some(at) = place(CHARACTERS, character) else { return false };
            add(at & 31);
            high = 3 * high + (at >> 5);
        }
        add(high);
    }
    for character in checksum {
        let Some(at) = place(DIGITS, character) else { return false };
        add(at);
    }
    sum == 1
}
