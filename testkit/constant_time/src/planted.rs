//! Leaks on purpose, which the checker must find, and what must not be taken for one.

use crate::secret::secret;
use phalanx::Scalar;
use std::hint::black_box;

/// Names that start with `planted` leak; `control` does not.
pub(crate) const ALL: &[(&str, fn())] = &[
    ("planted_branch", || {
        branch_on(secret(0x35u8) & 1 == 1);
    }),
    ("planted_index", || {
        let table = black_box([7u8; 256]);
        black_box(table[usize::from(secret(0x35u8))]);
    }),
    // A leak inside the library: the one operation here that does not promise constant time.
    ("planted_variable_time", || {
        black_box(secret(Scalar::from(0x35u64)).invert_vartime());
    }),
    ("control", || {
        let byte = secret(0x35u8);
        let mask = black_box((byte & 1).wrapping_neg());
        black_box((byte & mask) | (3 & !mask));
    }),
];

/// The barriers keep the compiler from replacing the branch by a selection.
#[inline(always)]
pub(crate) fn branch_on(bit: bool) {
    if bit {
        black_box(1);
    } else {
        black_box(2);
    }
}
