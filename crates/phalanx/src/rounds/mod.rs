//! Rounds of additions: what secp256k1 lends to the sums of [`phalanx_engine::msm`].
//!
//! - `parallel`: points from and to memory, in as many lanes as a field has;
//! - `additions`: the additions of a round, generic over lanes;
//! - `chain`: the doublings at a sum's end;
//! - `portable`: one lane. Eight lanes are in `lanes`.
//!
//! Variable time, for public values.
//!
//! Looks at `field`, `group` and `tables`.

mod additions;
mod chain;
mod parallel;
mod portable;

pub(crate) use additions::{Apart, Complete, InPlace, Memory, Ordinary, Round};
pub(crate) use chain::{add, add_jacobian, double, horner, is_infinity};
pub(crate) use parallel::Parallel;
pub(crate) use portable::OneLane;

use crate::{group::Jacobian, tables::Entry};
#[cfg(feature = "std")]
use phalanx_engine::msm::Workspace;
use phalanx_engine::msm::{AffineAdder, ShiftedPoint, WorkspaceOf};

/// Additions, and what else a sum of products over secp256k1 asks for.
pub(crate) trait Arithmetic: AffineAdder<Entry = Entry> + Sync {
    /// Lends memory of the thread, for as long as the work takes.
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T
    where
        Self: Sized;

    /// lambda times each point.
    fn images(&self, points: &[Entry], out: &mut [Entry]);

    /// The sum of the parts of a sum, each its power of two times a point, whatever they are.
    fn last_chain(&self, parts: &[ShiftedPoint<Entry>]) -> Jacobian {
        horner(parts)
    }
}

/// Takes the memory out of its place, so that work under the work finds a place with nothing in it, and puts it back.
#[cfg(feature = "std")]
pub(crate) fn lend<K: Default, T>(
    place: &'static std::thread::LocalKey<core::cell::Cell<Workspace<Entry, K>>>,
    work: impl FnOnce(&mut Workspace<Entry, K>) -> T,
) -> T {
    let mut workspace = place.take();
    let result = work(&mut workspace);
    if workspace.bytes() <= crate::tuning::KEPT_WORKSPACE_BYTES {
        place.set(workspace);
    }
    result
}
