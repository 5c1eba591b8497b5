//! SHA-256's compression function, behind a call.
//!
//! The CPU's SHA instructions exist in the legacy encoding only. Where the compiler inlines them into code that moves
//! 256 or 512 bits at a time, as it does for CPUs that it knows to have wide registers, upper halves of registers are
//! in use while legacy instructions run, and some CPUs then take a hundred times as long over each. In a function of
//! its own the compression uses 128 bits, and the caller clears the upper halves before it calls. The test `roots` of
//! `phalanx-testkit` looks for functions that mix the two.

/// The eight words between two blocks.
pub(crate) type State = [u32; 8];

/// Replaces the state by the one after the blocks: FIPS 180-4, section 6.2.2. What it leaves on the stack of a secret
/// message, callers overwrite.
#[inline(never)]
pub(super) fn compress(state: &mut State, blocks: &[[u8; 64]]) {
    sha2::block_api::compress256(state, blocks);
}
