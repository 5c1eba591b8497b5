//! Rounds of additions: what secp256k1 lends to the sums of [`phalanx_engine::msm`].
//!
//! - `parallel`: points from and to memory, in as many lanes as a field has;
//! - `additions`: the additions of a round, generic over lanes;
//! - `portable`: one lane. Eight lanes are in `lanes`.
//!
//! Variable time, for public values.
//!
//! Looks at `field`, `group` and `tables`.

mod additions;
mod parallel;
mod portable;

pub(crate) use additions::{Complete, Ordinary, Round};
pub(crate) use parallel::Parallel;
pub(crate) use portable::OneLane;

use crate::tables::Entry;
#[cfg(feature = "std")]
use phalanx_engine::msm::Workspace;
use phalanx_engine::msm::{Additions, WorkspaceOf};

/// Additions, and what else a sum of products over secp256k1 asks for.
pub(crate) trait Arithmetic: Additions<Entry = Entry> + Sync {
    /// Lends memory of the thread, for as long as the work takes.
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T
    where
        Self: Sized;

    /// lambda times each point.
    fn images(&self, points: &[Entry], out: &mut [Entry]);
}

/// What a thread keeps of the memory it needed.
#[cfg(feature = "std")]
const KEPT_BYTES: usize = 32 << 20;

/// Takes the memory out of its place, so that work under the work finds a place with nothing in it, and puts it back.
#[cfg(feature = "std")]
pub(crate) fn lend<K: Default, T>(
    place: &'static std::thread::LocalKey<core::cell::Cell<Workspace<Entry, K>>>,
    work: impl FnOnce(&mut Workspace<Entry, K>) -> T,
) -> T {
    let mut workspace = place.take();
    let result = work(&mut workspace);
    if workspace.bytes() <= KEPT_BYTES {
        place.set(workspace);
    }
    result
}
