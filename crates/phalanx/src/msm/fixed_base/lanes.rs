//! What a backend adds on, with the memory of one thread.

use crate::{Point, backend::Backend, bulk::OneThread, group::Secp256k1};
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

/// Evaluates an expression with the adder, whichever it is.
macro_rules! on {
    ($lanes:expr, $adder:ident => $work:expr) => {
        match $lanes {
            $crate::msm::fixed_base::lanes::ChosenAdder::One($adder) => $work,
            $crate::msm::fixed_base::lanes::ChosenAdder::Eight($adder) => $work,
            #[cfg(feature = "internals")]
            $crate::msm::fixed_base::lanes::ChosenAdder::Emulated($adder) => $work,
        }
    };
}

pub(super) use on;

impl ChosenAdder {
    /// Those of a backend, whose vector unit was asked for.
    pub(super) fn of(backend: Backend) -> ChosenAdder {
        Self::on_unit(backend, backend.vectors())
    }

    /// Those that a thread computes on. Asks nobody.
    pub(super) fn of_thread(bulk: OneThread) -> ChosenAdder {
        Self::on_unit(bulk.backend(), bulk.vectors())
    }

    #[cfg_attr(not(feature = "internals"), allow(unused_variables))]
    fn on_unit(backend: Backend, unit: Option<VectorUnit>) -> ChosenAdder {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return ChosenAdder::Emulated(EightLanes::new(phalanx_engine::word::Emulation));
        }
        unit.map_or(ChosenAdder::One(OneLane::new()), |machine| ChosenAdder::Eight(EightLanes::new(machine)))
    }
}

/// ChosenAdder with a workspace.
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
        on!(&self.lanes, adder => sums_by(adder, tables, vectors, sums, workspace));
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
