//! What a backend adds on, with the memory of one thread.

use crate::{
    Point,
    backend::{Backend, Eight, Lanes},
    group::Secp256k1,
};
use alloc::vec;
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{StoredRows, Tables, Vector, Workspace},
    msm::Sum,
};

/// What a backend adds on.
pub(super) enum ChosenAdder {
    One(OneLane<Secp256k1>),
    Eight(EightLanes<Eight, Secp256k1>),
}

/// Evaluates an expression with the adder, whichever it is.
macro_rules! on {
    ($lanes:expr, $adder:ident => $work:expr) => {
        match $lanes {
            $crate::msm::fixed_base::lanes::ChosenAdder::One($adder) => $work,
            $crate::msm::fixed_base::lanes::ChosenAdder::Eight($adder) => $work,
        }
    };
}

pub(super) use on;

impl ChosenAdder {
    pub(super) fn of(lanes: Lanes) -> ChosenAdder {
        match lanes {
            Lanes::One => ChosenAdder::One(OneLane::new()),
            Lanes::Eight(machine) => ChosenAdder::Eight(EightLanes::new(machine)),
        }
    }
}

/// ChosenAdder with a workspace.
pub(super) struct AdderWithWorkspace {
    lanes: ChosenAdder,
    workspace: Workspace,
}

impl AdderWithWorkspace {
    pub(super) fn of(backend: Backend) -> AdderWithWorkspace {
        AdderWithWorkspace { lanes: ChosenAdder::of(backend.lanes()), workspace: Workspace::default() }
    }

    /// Writes the sum of each vector.
    pub(super) fn sums(&mut self, tables: &Tables<Secp256k1, StoredRows>, vectors: &[Vector<'_>], sums: &mut [Point]) {
        let workspace = &mut self.workspace;
        on!(&self.lanes, adder => sums_by(adder, tables, vectors, sums, workspace));
    }
}

fn sums_by<A: AffineAdder<Curve = Secp256k1>>(
    adder: &A,
    tables: &Tables<Secp256k1, StoredRows>,
    vectors: &[Vector<'_>],
    sums: &mut [Point],
    workspace: &mut Workspace,
) {
    let mut jacobian = vec![Sum::<Secp256k1>::infinity(); sums.len()];
    tables.sums_vartime(adder, vectors, &mut jacobian, workspace);
    sums.iter_mut().zip(jacobian).for_each(|(sum, point)| *sum = Point::from_jacobian(point));
}
