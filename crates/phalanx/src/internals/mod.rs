//! Unstable functions for this project's own lab, examples and tests. They are no part of the interface, and may change
//! in any version.
//!
//! - [`EMULATED`]: the code of eight lanes on any CPU;
//! - [`backend_of_single_calls`], [`settle_single_calls`]: the backend of single calls;
//! - [`SumVariant`], [`Method`]: sums of products by another plan, or without one technique;
//! - [`add_pairs_alone`]: additions of points that share no inversion;
//! - [`verifications`]: the verification of ECDSA by the shipping code, with other parameters;
//! - [`fixed_base_by`]: sums over a fixed basis by other tables;
//! - [`P256k1`], [`root_candidate`]: the field of the coordinates, for any number of lanes.

mod additions;
mod running_sums;
mod sum_variant;
mod widths;

pub use crate::field::prime::P256k1;
pub use additions::add_pairs_alone;
pub use phalanx_engine::msm::{Estimate, Method, SumPlan};
pub use sum_variant::SumVariant;
pub use widths::{Verification, verifications};

use crate::{
    Backend, Error,
    backend::unit::BEST,
    msm::{FixedBase, Msm, PointInput},
    mul::Unit,
};
use phalanx_engine::{field::Field, fixed_base::Configuration, word::Emulation};

/// The code of eight lanes on emulated words, on any CPU: slow. It has no name that a user could give, and
/// [`Backend::available`] does not list it.
pub const EMULATED: Backend = Backend::Emulated(Emulation);

/// The name of the backend that single calls run on.
pub fn backend_of_single_calls() -> &'static str {
    backend_of(Unit::best()).name()
}

/// Lets the single calls of this process run on a backend. Says whether they do: only before the first of them there is a
/// choice. Panics if this machine cannot run the backend.
pub fn settle_single_calls(backend: Backend) -> bool {
    let unit = Unit::of(backend.check().expect("a backend of this machine"));
    backend_of(*BEST.get_or_init(|| unit)) == backend_of(unit)
}

const fn backend_of(unit: Unit) -> Backend {
    match unit {
        Unit::OneLane => Backend::Portable,
        Unit::Ifma(_) => Backend::Ifma,
    }
}

/// [`FixedBase::build`] by tables of the caller's choice.
///
/// # Panics
/// If it is no configuration over as many points of this group.
pub fn fixed_base_by<P: PointInput>(msm: &Msm, points: &[P], tables: Configuration) -> Result<FixedBase, Error> {
    FixedBase::build_configured(msm, points, tables)
}

/// `x^((p + 1) / 4)`: the square root of `x` that is itself a square, where `x` has one, and of `-x` otherwise.
#[inline(always)]
pub fn root_candidate<F: Field>(x: F) -> F {
    crate::field::root_candidate(x)
}
