//! What the steps of a sum cost on each backend, on one thread. Plans are compared by these costs.
//!
//! Those of `ifma` were measured by the example `msm_plans` of `lab/ours` on an AMD Zen 5, and those of one lane there
//! too, with numbers of five limbs; those of `fma` and `fma512` are estimates from the cost of an addition. Two were set
//! on an Intel Xeon of family 6 model 207: a bucket on one lane, and a product in eight lanes, by the length at which
//! Pippenger's method overtakes sums in lanes. `lab/trials.md`, "Sums of products", has these lengths. Only proportions
//! matter. The cost changes little near the best plan, so the same figures serve other CPUs.

use crate::Backend;
use phalanx_engine::msm::Costs;

pub(super) const fn of(backend: Backend) -> Costs {
    match backend {
        // `neon` gets what the same formulas cost in registers of AVX2: nobody has measured plans on it.
        Backend::Fma | Backend::Neon => in_doubles(49.0),
        Backend::Fma512 => in_doubles(45.0),
        Backend::Portable => Costs {
            addition: 108.0,
            round: 700.0,
            digit: 5.0,
            bucket: 18.0,
            window: 250.0,
            part: 140.0,
            doubling: 75.0,
            lanes: None,
        },
        // The emulation gets the plans of `ifma`, so that tests run its code.
        Backend::Ifma | Backend::Emulated(_) => Costs {
            addition: 11.0,
            round: 900.0,
            digit: 2.5,
            bucket: 9.0,
            window: 150.0,
            part: 25.0,
            doubling: 75.0,
            lanes: Some(14.0),
        },
    }
}

/// Those of units that multiply doubles, by what a product in eight lanes costs.
const fn in_doubles(lanes: f64) -> Costs {
    Costs {
        addition: 45.0,
        round: 1500.0,
        digit: 4.0,
        bucket: 12.0,
        window: 250.0,
        part: 70.0,
        doubling: 75.0,
        lanes: Some(lanes),
    }
}
