//! Seams through which the lab and the examples measure what this library has chosen. No part of the interface: they may
//! change in any version.
//!
//! - [`backend_of_single_calls`]: what single calls run on;
//! - [`verifications`]: the verification of ECDSA, by the code that ships with other parameters.

#[cfg(feature = "std")]
mod widths;

#[cfg(feature = "std")]
pub use widths::{Verification, verifications};

use crate::mul::Unit;

/// The name of the backend that single calls run on.
pub fn backend_of_single_calls() -> &'static str {
    match Unit::best() {
        Unit::Portable => "portable",
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        Unit::Vector(_) => "ifma",
    }
}
