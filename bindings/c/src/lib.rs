//! The C interface of Phalanx: `libphalanx`, shared and static, and `phalanx.h`.
//!
//! C programs see the header alone, which the test `header` makes of this source: each outward item here, with its
//! comment, is one there.
//!
//! | file | holds |
//! |---|---|
//! | `types` | structures and numbers that cross the interface |
//! | `status` | what a call can say, as numbers and as text |
//! | `ffi` | from pointers to slices and back, checked; no panic crosses |
//! | `handle` | the choice of backend and threads |
//! | `run` | rows in steps: threads, workspace, progress |
//! | `rows` | the functions on rows, of the list of operations |
//! | `silent` | scans for silent payments |
//! | `sums`, `fixed_base` | sums of products, and over points that never change |
//! | `ellswift` | ElligatorSwift encodings of keys, one at a time |
//! | `musig`, `musig_session` | MuSig2: keys and nonces; sessions and partial signatures |
//! | `version` | which library this is |
//!
//! Every outward function checks what can be checked of its pointers before it uses one. Before anything else can fail,
//! it writes what tells of failure: undecided verdicts, and zeros or NULL in the answer of a call without verdicts.
// C has one namespace, and so names begin with the library's.
#![allow(non_camel_case_types)]

pub mod ellswift;
mod ffi;
pub mod fixed_base;
pub mod handle;
pub mod musig;
pub mod musig_session;
pub mod rows;
mod run;
pub mod silent;
pub mod status;
pub mod sums;
pub mod types;
pub mod version;
