//! Structures and numbers that cross the interface.

use core::ffi::{c_char, c_int, c_void};
pub use phalanx_ffi::{phalanx_column, phalanx_output};

/// What a program does when some rows are done: `done` of `rows`. It returns 0 to go on, and anything else to cancel
/// the call. It is called on the thread that made the call, and must return. A C++ exception that leaves it, and the
/// end of its thread (pthread_exit), end the program. A longjmp out of it is undefined: it skips what the call has to
/// free and to wipe. To throw or to jump, return 1, and do it when the call has returned.
pub type phalanx_progress = Option<unsafe extern "C-unwind" fn(user: *mut c_void, done: usize, rows: usize) -> c_int>;

/// What can be chosen for a handle. Set all of it to zero, then what is to be different.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct phalanx_options {
    /// The name of a backend ("portable", "fma", "fma512", "ifma", on 64-bit ARM "neon"), or NULL for the one that the environment
    /// variable PHALANX_BACKEND names, or else the best.
    pub backend: *const c_char,
    /// The number of threads, up to 4,096, the calling one included where it is 1; 0 for one a core.
    pub threads: usize,
    /// 0 for tables of keys that many rows share, in at most 64 MiB; otherwise the largest number of bytes for them,
    /// of which 1 forbids them.
    pub key_table_bytes: usize,
}

/// What can be chosen for one call. Set all of it to zero, then what is to be different.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct phalanx_call {
    /// Memory that the call computes in, aligned to 64 bytes; what it holds does not matter. The call then runs on
    /// the calling thread, allocates nothing and makes no tables of keys. NULL for the memory that the library's
    /// threads keep.
    pub workspace: *mut c_void,
    /// Bytes of the workspace: at least what phalanx_workspace_bytes says.
    pub workspace_bytes: usize,
    /// NULL, or what is to be done between steps.
    pub progress: phalanx_progress,
    /// Handed to `progress`.
    pub user: *mut c_void,
    /// Rows of a step; 0 for 65,536 where there is a `progress`, and for all rows where there is none.
    pub rows_per_step: usize,
}

/// The verdict of a row: its signature is valid.
pub const PHALANX_VALID: u8 = 0;
/// The verdict of a row: a value has the wrong length, or a secret key, a message or a public nonce cannot be.
pub const PHALANX_MALFORMED_ROW: u8 = 1;
/// The verdict of a row: the public key is none.
pub const PHALANX_BAD_PUBLIC_KEY: u8 = 2;
/// The verdict of a row: the signature has the wrong form.
pub const PHALANX_BAD_SIGNATURE_ENCODING: u8 = 3;
/// The verdict of a row: a number of the signature, or the recovery id, is out of range.
pub const PHALANX_OUT_OF_RANGE: u8 = 4;
/// The verdict of a row: s is above half the group order, which the call refuses.
pub const PHALANX_HIGH_S: u8 = 5;
/// The verdict of a row: the equation does not hold.
pub const PHALANX_INVALID_SIGNATURE: u8 = 6;
/// The verdict of a row that has none: the call failed or was cancelled before.
pub const PHALANX_UNDECIDED: u8 = 255;

/// Accept s in either half. The default is to refuse the upper one, as Bitcoin and Ethereum do.
pub const PHALANX_ALLOW_HIGH_S: u32 = 1;

/// Payload of phalanx_derive_children: none.
pub const PHALANX_PAYLOAD_NONE: u32 = 0;
/// Payload of phalanx_derive_children: HASH160 of the key in 33 bytes, for P2PKH and P2WPKH; 20 bytes.
pub const PHALANX_PAYLOAD_KEY_HASH: u32 = 1;
/// Payload of phalanx_derive_children: HASH160 of the P2WPKH script of the key, for P2SH-P2WPKH; 20 bytes.
pub const PHALANX_PAYLOAD_SCRIPT_HASH: u32 = 2;
/// Payload of phalanx_derive_children: the x of the taproot output key without a tree of scripts, for P2TR; 32 bytes.
pub const PHALANX_PAYLOAD_TAPROOT_KEY: u32 = 3;

/// Operation of phalanx_workspace_bytes: a function that gives each row a verdict, one by one.
pub const PHALANX_OPERATION_ROWS: u32 = 0;
/// Operation of phalanx_workspace_bytes: phalanx_batch_ecdsa.
pub const PHALANX_OPERATION_BATCH_ECDSA: u32 = 1;
/// Operation of phalanx_workspace_bytes: phalanx_batch_schnorr.
pub const PHALANX_OPERATION_BATCH_SCHNORR: u32 = 2;
/// Operation of phalanx_workspace_bytes: phalanx_sum_of_products_in.
pub const PHALANX_OPERATION_SUM_OF_PRODUCTS: u32 = 3;
