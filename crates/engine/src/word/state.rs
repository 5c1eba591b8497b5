//! The floating-point state of the calling thread, put aside while doubles are computed with.
//!
//! Arithmetic on doubles depends on registers of control and status: how results are rounded, whether tiny numbers
//! count as zero, which exceptions interrupt the program. Exact arithmetic needs the state in which every program
//! starts. A caller may have another one. Its exception flags also stay set once they are, and most of our operations
//! would set the flag of inexact results. So the registers are saved, set, and given back as they were.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod fpcr;
#[cfg(target_arch = "x86_64")]
mod mxcsr;

#[cfg(target_arch = "aarch64")]
use fpcr as registers;
#[cfg(target_arch = "x86_64")]
use mxcsr as registers;
use registers::{DEFAULT, State, set_state, state};

/// The default state, for as long as this lives.
pub(super) struct DefaultState {
    callers: State,
}

impl DefaultState {
    /// Puts the caller's state aside. What computes must be a call between this and the drop, of a function that is not
    /// inlined, on memory: neither piece of assembly says that it leaves memory alone, so that the compiler keeps such
    /// a call between the two.
    #[inline(always)]
    pub(super) fn enter() -> Self {
        let callers = state();
        set_state(DEFAULT);
        Self { callers }
    }
}

impl Drop for DefaultState {
    #[inline(always)]
    fn drop(&mut self) {
        set_state(self.callers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::{LANES, Machine, Op, VectorUnit, Word, doubles::Double, doubles::Doubles};
    use core::hint::black_box;
    use std::vec::Vec;

    /// What a product rounds to, and what it rounds away, of numbers on which every mode of rounding differs.
    struct RoundingProduct;

    impl Op for RoundingProduct {
        type Output = [[u64; LANES]; 3];

        #[inline(always)]
        fn call<W: Word>(self) -> Self::Output {
            // Else the compiler could compute all of it before the program runs.
            let number = |value: u64| W::Doubles::from_bits(W::from_lanes(black_box([value; LANES])));
            let (a, b) = (number(0x3ff3_3333_3333_3333), number(0x3ff5_5555_5555_5555));
            let step = W::Doubles::splat(1.5 * (1u64 << 60) as f64).plus_product(a, b);
            // A number that counts as zero where tiny numbers do.
            let tiny = number(3).add(number(5));
            [step.fine.to_bits().to_lanes(), step.high.to_bits().to_lanes(), tiny.to_bits().to_lanes()]
        }
    }

    /// The units that compute in doubles.
    fn units(would_check: &str) -> Vec<VectorUnit> {
        let units = VectorUnit::NAMES.into_iter().filter(|name| *name != "ifma").filter_map(VectorUnit::detect);
        let units: Vec<_> = units.collect();
        if units.is_empty() {
            phalanx_tiers::skipped("vectors of doubles", would_check);
        }
        units
    }

    #[test]
    fn results_do_not_depend_on_the_callers_state_and_it_comes_back() {
        units("the floating-point state of the caller").into_iter().for_each(results_do_not_depend_on_the_state);
    }

    fn results_do_not_depend_on_the_state(machine: VectorUnit) {
        let before = state();
        let expected = machine.run(RoundingProduct);
        assert_eq!(expected[2], [8; LANES], "tiny numbers are numbers");
        let mut missing = Vec::new();
        for asked in registers::changed() {
            set_state(asked);
            // A CPU does not keep a bit that asks for what it lacks.
            let callers = state();
            let found = machine.run(RoundingProduct);
            let after = state();
            set_state(before);
            assert_eq!(found, expected, "in state {callers:x?}");
            assert_eq!(after, callers, "the state that comes back");
            if callers != asked {
                assert!(registers::is_optional(asked), "every CPU has state {asked:x?}");
                missing.push(asked);
            }
        }
        if !missing.is_empty() {
            phalanx_tiers::skipped("floating-point states", &std::format!("what this CPU lacks: {missing:x?}"));
        }
    }

    #[test]
    fn a_panic_gives_the_state_back() {
        struct Panics;
        impl Op for Panics {
            type Output = ();
            #[inline(always)]
            fn call<W: Word>(self) {
                std::panic::resume_unwind(std::boxed::Box::new(()));
            }
        }
        for machine in units("the floating-point state after a panic") {
            let before = state();
            // Rounding in another direction.
            let callers = registers::changed()[2];
            set_state(callers);
            let caught = std::panic::catch_unwind(|| machine.run(Panics));
            let after = state();
            set_state(before);
            assert!(caught.is_err());
            assert_eq!(after, callers, "{}", machine.name());
        }
    }
}
