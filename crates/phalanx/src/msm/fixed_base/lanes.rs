//! What a backend adds on, with the memory of one thread.

use crate::{Point, backend::Backend, group::Secp256k1};
use alloc::vec;
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{HeldRows, Tables, Vector, Workspace},
    msm::Sum,
    word::VectorUnit,
};

#[cfg(feature = "internals")]
type EmulatedLanes = EightLanes<phalanx_engine::word::Emulation, Secp256k1>;

/// What a backend adds on.
pub(super) enum ChosenAdder {
    One(OneLane<Secp256k1>),
    Eight(EightLanes<VectorUnit, Secp256k1>),
    #[cfg(feature = "internals")]
    Emulated(EmulatedLanes),
}

impl ChosenAdder {
    pub(super) fn of(backend: Backend) -> ChosenAdder {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return ChosenAdder::Emulated(EightLanes::new(phalanx_engine::word::Emulation));
        }
        backend
            .vectors()
            .map_or(ChosenAdder::One(OneLane::new()), |machine| ChosenAdder::Eight(EightLanes::new(machine)))
    }
}

/// Lanes with a workspace.
pub(super) struct AdderWithWorkspace {
    lanes: ChosenAdder,
    workspace: Workspace,
}

impl AdderWithWorkspace {
    pub(super) fn of(backend: Backend) -> AdderWithWorkspace {
        AdderWithWorkspace { lanes: ChosenAdder::of(backend), workspace: Workspace::default() }
    }

    /// Writes the sum of each vector.
    pub(super) fn sums(&mut self, tables: &Tables<Secp256k1, HeldRows>, vectors: &[Vector<'_>], sums: &mut [Point]) {
        let workspace = &mut self.workspace;
        match &self.lanes {
            ChosenAdder::One(adder) => sums_by(adder, tables, vectors, sums, workspace),
            ChosenAdder::Eight(adder) => sums_by(adder, tables, vectors, sums, workspace),
            #[cfg(feature = "internals")]
            ChosenAdder::Emulated(adder) => sums_by(adder, tables, vectors, sums, workspace),
        }
    }
}

fn sums_by<A: AffineAdder<Curve = Secp256k1>>(
    adder: &A,
    tables: &Tables<Secp256k1, HeldRows>,
    vectors: &[Vector<'_>],
    sums: &mut [Point],
    workspace: &mut Workspace,
) {
    let mut jacobian = vec![Sum::<Secp256k1>::infinity(); sums.len()];
    tables.sums_vartime(adder, vectors, &mut jacobian, workspace);
    sums.iter_mut().zip(jacobian).for_each(|(sum, point)| *sum = Point::from_jacobian(point));
}
