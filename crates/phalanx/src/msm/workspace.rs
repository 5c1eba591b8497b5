//! What sums over secp256k1 ask of an adder, and the memory that a thread keeps from sum to sum.

use crate::group::Secp256k1;
#[cfg(feature = "std")]
use crate::tuning::KEPT_WORKSPACE_BYTES;
#[cfg(feature = "std")]
use core::cell::Cell;
#[cfg(feature = "std")]
use phalanx_engine::{affine_add::RoundMemory, msm::Workspace};
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    msm::WorkspaceOf,
    word::Machine,
};

/// An adder of secp256k1's points that threads share.
pub(super) trait Adder: AffineAdder<Curve = Secp256k1> + Sync {
    /// Calls `work` with memory that the thread keeps from sum to sum.
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T
    where
        Self: Sized;
}

#[cfg(feature = "std")]
std::thread_local! {
    static ONE_LANE: Cell<WorkspaceOf<OneLane<Secp256k1>>> = Cell::default();
    static EIGHT_LANES: Cell<Workspace<RoundMemory<crate::lanes::memory::FeX8Mem>>> = Cell::default();
}

impl Adder for OneLane<Secp256k1> {
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T {
        #[cfg(feature = "std")]
        return lend(&ONE_LANE, work);
        #[cfg(not(feature = "std"))]
        work(&mut WorkspaceOf::<Self>::default())
    }
}

impl<M: Machine> Adder for EightLanes<M, Secp256k1> {
    fn lend<T>(work: impl FnOnce(&mut WorkspaceOf<Self>) -> T) -> T {
        #[cfg(feature = "std")]
        return lend(&EIGHT_LANES, work);
        #[cfg(not(feature = "std"))]
        work(&mut WorkspaceOf::<Self>::default())
    }
}

/// Takes the memory out of `place`, calls `work` with it, and puts it back unless it has become too large. If `work`
/// itself lends memory, it finds nothing in `place` and gets new memory.
#[cfg(feature = "std")]
fn lend<K: Default, T>(
    place: &'static std::thread::LocalKey<Cell<Workspace<K>>>,
    work: impl FnOnce(&mut Workspace<K>) -> T,
) -> T {
    let mut workspace = place.take();
    let result = work(&mut workspace);
    if workspace.bytes() <= KEPT_WORKSPACE_BYTES {
        place.set(workspace);
    }
    result
}
