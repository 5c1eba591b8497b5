//! What the tests of both images share: the numbers of a source, and calls.

use phalanx_engine::word::CacheLine;
use phalanx_go_image::call::{Call, Input, MACHINE_PORTABLE, Output};
use std::{collections::BTreeMap, ptr};

/// Names without what each language writes differently.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// `name = number` of each line of a source between two marks.
pub(crate) fn numbers(source: &str, is_number: impl Fn(&str) -> Option<(&str, &str)>) -> BTreeMap<String, u64> {
    let value = |text: &str| -> Option<u64> {
        let mut factors = text.split("<<").map(|factor| factor.trim().parse::<u64>().ok());
        let first = factors.next()??;
        factors.try_fold(first, |value, shift| Some(value << shift?))
    };
    source.lines().filter_map(is_number).filter_map(|(name, text)| Some((plain(name), value(text)?))).collect()
}

const NO_INPUT: Input = Input { data: ptr::null(), stride: 0, width: 0 };
const NO_OUTPUT: Output = Output { data: ptr::null_mut(), stride: 0, width: 0 };

/// A call on the portable machine, of nothing.
pub(crate) fn empty(operation: u32) -> Call {
    Call {
        operation,
        machine: MACHINE_PORTABLE,
        flags: 0,
        reserved: 0,
        rows: 0,
        inputs: [NO_INPUT; 5],
        outputs: [NO_OUTPUT; 2],
        verdicts: ptr::null_mut(),
        workspace: ptr::null_mut(),
        lines: 0,
    }
}

/// One value.
pub(crate) fn input(bytes: &[u8]) -> Input {
    Input { data: bytes.as_ptr(), stride: bytes.len(), width: bytes.len() }
}

/// The place of one value.
pub(crate) fn output(bytes: &mut [u8]) -> Output {
    Output { data: bytes.as_mut_ptr(), stride: bytes.len(), width: bytes.len() }
}

/// Lines as an input or an output of the call.
pub(crate) fn lines_of(lines: &mut [CacheLine]) -> (*mut u8, usize) {
    (lines.as_mut_ptr().cast(), size_of_val(lines))
}
