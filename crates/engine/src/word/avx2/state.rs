//! The floating-point state of the calling thread, put aside while doubles are computed with.
//!
//! Arithmetic on doubles depends on the control and status register MXCSR: how results are rounded, whether tiny numbers
//! count as zero, which exceptions interrupt the program. Exact arithmetic needs the state in which every program
//! starts. A caller may have another one. Its exception flags also stay set once they are, and most of our operations
//! would set the flag of inexact results. So the register is saved, set, and given back as it was.

use core::arch::asm;

/// The state in which every program starts: to the nearest, tiny numbers as they are, every exception masked, no flag.
const DEFAULT: u32 = 0x1f80;

/// The default state, for as long as this lives.
pub(super) struct DefaultState {
    callers: u32,
}

impl DefaultState {
    /// Puts the caller's state aside. What computes must be a call between this and the drop: neither piece of assembly
    /// says that it leaves memory alone, so that the compiler keeps a call that uses memory between the two.
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

#[inline(always)]
fn state() -> u32 {
    let mut state = 0u32;
    // SAFETY: the instruction writes four bytes, to a variable of four bytes; every CPU of this architecture has it.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags)) };
    state
}

#[inline(always)]
fn set_state(state: u32) {
    // SAFETY: the instruction reads four bytes, of a variable of four bytes. The value is the default one, in which the
    // compiler expects all code to run, or the one that the caller had; so no reserved bit is set.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::{Fma, LANES, Op, Word, doubles::Double, doubles::Doubles};

    /// What a product rounds to, and what it rounds away, of numbers on which every mode of rounding differs.
    struct Product;

    impl Op for Product {
        type Output = [[u64; LANES]; 3];

        #[inline(always)]
        fn call<W: Word>(self) -> Self::Output {
            let number = |value: u64| W::Doubles::from_bits(W::from_lanes([value; LANES]));
            let (a, b) = (number(0x3ff3_3333_3333_3333), number(0x3ff5_5555_5555_5555));
            let step = W::Doubles::splat(1.5 * (1u64 << 60) as f64).plus_product(a, b);
            // A number that counts as zero where tiny numbers do.
            let tiny = number(3).add(number(5));
            [step.fine.to_bits().to_lanes(), step.high.to_bits().to_lanes(), tiny.to_bits().to_lanes()]
        }
    }

    #[test]
    fn results_do_not_depend_on_the_callers_state_and_it_comes_back() {
        let Some(machine) = Fma::detect() else {
            return phalanx_tiers::skipped("vectors of doubles", "the floating-point state of the caller");
        };
        let before = state();
        let expected = machine.run(Product);
        assert_eq!(expected[2], [8; LANES], "tiny numbers are numbers");
        // Rounding down, up and to zero; tiny results and tiny operands as zero; each exception unmasked, and its flag.
        let changes = [0x2000, 0x4000, 0x6000, 0x8000, 0x0040].into_iter().map(|set| (set, 0));
        let unmasked = (7..13).map(|bit| (0, 1 << bit));
        let flags = (0..6).map(|bit| (1 << bit, 0));
        for (set, clear) in changes.chain(unmasked).chain(flags) {
            let callers = DEFAULT & !clear | set;
            set_state(callers);
            let found = machine.run(Product);
            let after = state();
            set_state(before);
            assert_eq!(found, expected, "in state {callers:#x}");
            assert_eq!(after, callers, "the state that comes back");
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
        let Some(machine) = Fma::detect() else {
            return phalanx_tiers::skipped("vectors of doubles", "the floating-point state after a panic");
        };
        let before = state();
        let callers = DEFAULT | 0x6000;
        set_state(callers);
        let caught = std::panic::catch_unwind(|| machine.run(Panics));
        let after = state();
        set_state(before);
        assert!(caught.is_err());
        assert_eq!(after, callers);
    }
}
