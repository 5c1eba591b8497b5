//! Small changes of a real transaction.

use crate::{draw::Draw, spending::Spending};

/// Bytes that mean something in scripts: opcodes, and lengths of keys and hashes.
const TELLING: [u8; 38] = [
    0x00, 0x51, 0x61, 0x63, 0x64, 0x67, 0x68, 0x69, 0x75, 0x76, 0x78, 0x7c, 0x87, 0x88, 0x91, 0x9a, 0xa8, 0xa9, 0xaa,
    0xab, 0xac, 0xad, 0xae, 0xaf, 0xb1, 0xb2, 0xba, 0x4c, 0x4d, 0x50, 0xfe, 0x7e, 0x93, 0xa5, 0x01, 0x14, 0x20, 0x21,
];

/// Changes one or two things, most often of one input.
pub(crate) fn mutate(spending: &mut Spending, input: usize, draw: &mut Draw) {
    for _ in 0..1 + draw.below(2) {
        let own = &mut spending.inputs[input];
        match draw.below(14) {
            0..=2 => mutate_bytes(&mut own.script, draw),
            3..=6 if !own.witness.is_empty() => {
                let element = draw.below(own.witness.len());
                mutate_bytes(&mut own.witness[element], draw);
            }
            7 => mutate_bytes(spending.spent[input].script.to_mut(), draw),
            8 => spending.spent[input].value ^= 1 << draw.below(40),
            9 => own.sequence ^= 1 << draw.below(32),
            10 => spending.lock_time ^= 1 << draw.below(32),
            11 => spending.version ^= 1 << draw.below(32),
            12 => {
                let place = draw.below(own.witness.len() + 1);
                if draw.below(2) == 0 {
                    let mut element = Vec::new();
                    mutate_bytes(&mut element, draw);
                    own.witness.insert(place, element);
                } else if place < own.witness.len() {
                    own.witness.remove(place);
                }
            }
            13 if !spending.outputs.is_empty() => {
                let output = draw.below(spending.outputs.len());
                mutate_bytes(spending.outputs[output].script.to_mut(), draw);
            }
            _ => {}
        }
    }
}

/// Flips, replaces, inserts, removes, cuts off or appends.
pub(crate) fn mutate_bytes(bytes: &mut Vec<u8>, draw: &mut Draw) {
    let place = draw.below(bytes.len());
    match draw.below(10) {
        0..=4 if !bytes.is_empty() => bytes[place] ^= 1 << draw.below(8),
        5 if !bytes.is_empty() => bytes[place] = draw.byte(),
        6 => bytes.insert(draw.below(bytes.len() + 1), draw.of(&TELLING)),
        7 if !bytes.is_empty() => drop(bytes.remove(place)),
        8 => bytes.truncate(place),
        _ => {
            let count = draw.below(4);
            bytes.extend(draw.bytes(count));
        }
    }
}
