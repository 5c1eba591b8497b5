//! The C interface of Verkle commitments: `libphalanx_verkle`, shared and static, and `phalanx_verkle.h`.
//!
//! It stands beside `libphalanx`, from which handles, columns and statuses come. The two libraries are built apart: of a
//! handle this one reads the head, which `phalanx-ffi` defines, and nothing else.
//!
//! C programs see the header alone, which the test `header` makes of this source: each outward item here, with its
//! comment, is one there.
//!
//! | file | holds |
//! |---|---|
//! | `adders` | sums by tables, on one lane or on eight |
//! | `basis` | what commitments are sums of |
//! | `tables` | tables in the caller's memory |
//! | `commit` | commitments, by tables and in constant time |
//!
//! Every outward function checks what can be checked of its pointers before it uses one, and writes answers that
//! nobody can take for good ones before anything can fail.
// C has one namespace, and so names begin with the library's.
#![allow(non_camel_case_types)]

mod adders;
pub mod basis;
pub mod commit;
pub mod tables;
