//! What the steps of a sum cost on each backend, on one thread. Plans are compared by these costs.
//!
//! Those of `ifma` were measured by the example `msm_plans` of `lab/ours` on an AMD Zen 5, and those of one lane there
//! too, with numbers of five limbs; `lab/trials.md`, "Sums of products", compares plans. Those of the other vector
//! units are estimates from the cost of an addition. Only proportions matter. The cost changes little near the best
//! plan, so the same figures serve other CPUs.

use crate::Backend;
use phalanx_engine::msm::Costs;

pub(super) const fn of(backend: Backend) -> Costs {
    match backend {
        Backend::Ifma => {
            Costs { addition: 11.0, round: 900.0, digit: 2.5, bucket: 9.0, window: 150.0, part: 25.0, doubling: 75.0 }
        }
        // Nobody has measured plans on `fma512` and `neon`: they get what the same formulas cost in registers of AVX2.
        Backend::Fma | Backend::Fma512 | Backend::Neon => {
            Costs { addition: 45.0, round: 1500.0, digit: 4.0, bucket: 12.0, window: 250.0, part: 70.0, doubling: 75.0 }
        }
        // Only tests and measurements use the emulation. It gets the plans of the vector backend, so that they run the
        // vector backend's code.
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
