//! What the tests of both images share: calls.

use phalanx_engine::word::CacheLine;
use phalanx_go_image::call::{Call, Input, MACHINE_PORTABLE, Output};
use std::ptr;

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
