//! What the steps of a sum cost on each backend, one thread, by which plans are compared.
//!
//! Measured by `cargo run --release -p phalanx --example msm_plans` on an AMD Zen 5; `docs/msm.md` has the table. Only
//! proportions matter, and near its optimum a plan's cost is flat, so other CPUs are served as well.

use crate::Backend;
use phalanx_engine::msm::Costs;

pub(super) const fn of(backend: Backend) -> Costs {
    match backend {
        Backend::Ifma => {
            Costs { addition: 11.0, round: 900.0, digit: 2.5, bucket: 9.0, window: 150.0, part: 25.0, doubling: 75.0 }
        }
        Backend::AvxIfma => {
            Costs { addition: 22.0, round: 1100.0, digit: 2.5, bucket: 12.0, window: 200.0, part: 40.0, doubling: 75.0 }
        }
        // Nobody waits for it: the plans of the vector backend, so that its code runs.
        #[cfg(feature = "internals")]
        Backend::Emulated => of(Backend::Ifma),
        Backend::Portable => Costs {
            addition: 108.0,
            round: 700.0,
            digit: 5.0,
            bucket: 12.0,
            window: 250.0,
            part: 140.0,
            doubling: 75.0,
        },
    }
}
