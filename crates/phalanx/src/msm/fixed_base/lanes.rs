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
pub(super) enum Lanes {
    One(OneLane<Secp256k1>),
    Eight(EightLanes<VectorUnit, Secp256k1>),
    #[cfg(feature = "internals")]
    Emulated(EmulatedLanes),
}

impl Lanes {
    pub(super) fn of(backend: Backend) -> Lanes {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return Lanes::Emulated(EightLanes::new(phalanx_engine::word::Emulation));
        }
        backend.vectors().map_or(Lanes::One(OneLane::new()), |machine| Lanes::Eight(EightLanes::new(machine)))
    }
}

/// Lanes with a workspace.
pub(super) struct Means {
    lanes: Lanes,
    workspace: Workspace,
}

impl Means {
    pub(super) fn of(backend: Backend) -> Means {
        Means { lanes: Lanes::of(backend), workspace: Workspace::default() }
    }

    /// Writes the sum of each vector.
    pub(super) fn sums(&mut self, tables: &Tables<Secp256k1, HeldRows>, vectors: &[Vector<'_>], sums: &mut [Point]) {
        let workspace = &mut self.workspace;
        match &self.lanes {
            Lanes::One(adder) => sums_by(adder, tables, vectors, sums, workspace),
            Lanes::Eight(adder) => sums_by(adder, tables, vectors, sums, workspace),
            #[cfg(feature = "internals")]
            Lanes::Emulated(adder) => sums_by(adder, tables, vectors, sums, workspace),
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
