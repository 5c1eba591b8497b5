//! The floating-point state of x86-64: the register MXCSR, control and flags.

use core::arch::asm;

/// The register.
pub(super) type State = u32;

/// The state in which every program starts: to the nearest, tiny numbers as they are, every exception masked, no flag.
pub(super) const DEFAULT: State = 0x1f80;

#[inline(always)]
pub(super) fn state() -> State {
    let mut state = 0u32;
    // SAFETY: the instruction writes four bytes, to a variable of four bytes; every CPU of this architecture has it.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags)) };
    state
}

#[inline(always)]
pub(super) fn set_state(state: State) {
    // SAFETY: the instruction reads four bytes, of a variable of four bytes. The value is the default one, in which the
    // compiler expects all code to run, or the one that the caller had; so no reserved bit is set.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack, preserves_flags)) };
}

/// The default with one thing changed: rounding down, up and to zero; tiny results and tiny operands as zero; each
/// exception unmasked, and its flag.
#[cfg(test)]
pub(super) fn changed() -> std::vec::Vec<State> {
    let set = [0x2000, 0x4000, 0x6000, 0x8000, 0x0040].into_iter().map(|bits| DEFAULT | bits);
    let unmasked = (7..13).map(|bit| DEFAULT & !(1 << bit));
    set.chain(unmasked).chain((0..6).map(|bit| DEFAULT | 1 << bit)).collect()
}

/// Whether a CPU may lack what a changed state asks for.
#[cfg(test)]
pub(super) fn is_optional(_: State) -> bool {
    false
}
