//! The tests of Phalanx's promises: published vectors, corpora, and one list of the surfaces that they run over.
//!
//! Tests are in `tests/`, one file per subject. Code that several tests share is here. Other packages depend on this
//! one only for their tests.

pub mod batch_rows;
pub mod bips;
pub mod chain_data;
pub mod der;
pub mod draws;
pub mod faults;
pub mod regtest;
pub mod surface;
pub mod verifier;
pub mod wycheproof;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
