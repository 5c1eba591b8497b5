//! The floating-point state of aarch64: the registers FPCR, which controls, and FPSR, which has the flags.

use core::arch::asm;

/// Both registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    control: u64,
    flags: u64,
}

/// The state in which every program starts: to the nearest, tiny numbers as they are, no exception trapped, no flag.
pub(super) const DEFAULT: State = State { control: 0, flags: 0 };

#[inline(always)]
pub(super) fn state() -> State {
    let (control, flags);
    // SAFETY: the instructions read two registers, which every CPU with NEON has.
    unsafe {
        asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) flags, options(nostack, preserves_flags))
    };
    State { control, flags }
}

#[inline(always)]
pub(super) fn set_state(state: State) {
    let State { control, flags } = state;
    // SAFETY: as above. The values are the default ones, in which the compiler expects all code to run, or those that
    // the caller had; so no reserved bit is set.
    unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) flags, options(nostack, preserves_flags)) };
}

/// The bits that trap an exception.
#[cfg(test)]
const TRAPS: [u64; 6] = [1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 15];

/// The bit by which tiny numbers of 16 bits count as zero.
#[cfg(test)]
const TINY_HALVES: u64 = 1 << 19;

/// The default with one thing changed: rounding up, down and to zero; tiny numbers as zero, of 64 bits and of 16; one
/// NaN for all; each exception trapped, and its flag.
#[cfg(test)]
pub(super) fn changed() -> std::vec::Vec<State> {
    let modes = [1 << 22, 2 << 22, 3 << 22, 1 << 24, TINY_HALVES, 1 << 25].into_iter();
    let control = modes.chain(TRAPS).map(|control| State { control, ..DEFAULT });
    control.chain([0, 1, 2, 3, 4, 7, 27].map(|bit| State { flags: 1 << bit, ..DEFAULT })).collect()
}

/// Whether a CPU may lack what a changed state asks for.
#[cfg(test)]
pub(super) fn is_optional(state: State) -> bool {
    TRAPS.contains(&state.control) || state.control == TINY_HALVES
}
