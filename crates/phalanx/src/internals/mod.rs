//! Unstable: seams through which this project's own lab, examples and tests reach what is no part of the interface.
//! They may change in any version.
//!
//! - [`backend_of_single_calls`]: what single calls run on;
//! - [`add_pairs_alone`]: additions of points that share no inversion;
//! - [`verifications`]: the verification of ECDSA, by the code that ships with other parameters;
//! - [`one_lane`]: single calls on one lane, whatever the CPU has.

mod additions;
pub mod one_lane;
mod widths;

pub use additions::add_pairs_alone;
pub use widths::{Verification, verifications};

use crate::mul::Unit;

/// The name of the backend that single calls run on.
pub fn backend_of_single_calls() -> &'static str {
    Unit::best().backend().name()
}
