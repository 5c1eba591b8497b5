//! Secrets eight at a time. Constant time: no branch and no address depends on one.
//!
//! | file | holds |
//! |---|---|
//! | `digits` | secret scalars as digits that are never zero |
//! | `generator` | k G |
//! | `point` | k P |
//! | `nonces` | the nonces of signatures |
//!
//! A secret chooses among values by [`Word::lookup16`](phalanx_engine::word::Word::lookup16) and by selections, both
//! within registers. No addition can be exceptional, so nothing is repaired: each file has the proof.

mod digits;
mod generator;
mod nonces;
mod point;

pub(super) use digits::{GENERATOR_WIDTH, GENERATOR_WINDOWS, generator_words, point_words};
pub(crate) use digits::{GeneratorDigits, PointDigits};
pub(super) use generator::choose as choose_generator_multiple;
pub(crate) use generator::generator_multiples;
#[cfg(test)]
pub(crate) use generator::terms_of_windows;
pub(crate) use nonces::{bip340_nonces, rfc6979_candidates};
pub(crate) use point::point_multiples;
