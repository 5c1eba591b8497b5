//! What the lab and a measured library say to each other.
//!
//! Every library is measured through the same three steps: `prepare` turns a block of fixed-width input rows into a job
//! (untimed), `run` computes rows of it (timed), `output` hands back what was computed as bytes (untimed), so that two
//! libraries can be compared on the same rows. [`op`] says what the rows of each operation are, [`request`] what is
//! asked, [`peer`] is the Rust face of the three steps, [`rows`] is the usual job, one independent computation a row,
//! [`loops`] the one of field and point operations, [`sums`] that of multi-scalar multiplications, [`heap`] counts what a
//! library allocates, [`export`] makes a shared object's C functions out of a [`peer::Peer`], [`frames`] says the same over
//! a pipe.
//!
//! Modules look upwards in that list only.

pub mod frames;
pub mod loops;
pub mod op;
pub mod peer;
pub mod request;
pub mod rows;
pub mod sums;

#[allow(unsafe_code)]
pub mod heap;

#[allow(unsafe_code)]
pub mod export;

pub use op::Op;
pub use peer::{Description, Job, Peer, Prepared, Refusal};
pub use request::{Clock, Inputs, Request, Shape, Tables};

/// The version of this interface. It is raised when the bytes of a row, the lines of a request or the functions of
/// [`export`] change so that the lab and a library built from another commit would misread each other. A library that
/// names no version speaks version 1. `lab_peer_describe`, which names it, stays as it is in every version.
pub const VERSION: u32 = 1;

/// The compiler and flags that this crate, and so the library measured through it, was built with.
pub const RUST_BUILD: &str = env!("LAB_RUSTC");

/// The flags of the C that this library's dependencies compile, beside those that they choose themselves.
pub const C_FLAGS: &str = env!("LAB_CFLAGS");
