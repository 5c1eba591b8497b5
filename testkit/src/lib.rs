//! What holds Phalanx to its promises: published vectors, corpora, and one list of the surfaces they run over.
//!
//! Tests live in `tests/`, one file a subject; what two of them need lives here. No other package depends on this one
//! except for its tests.

pub mod bips;
pub mod chain_data;
pub mod draws;
pub mod faults;
pub mod surface;
pub mod together;
pub mod verifier;
pub mod wycheproof;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
