//! SHA-256's compression function, behind a call.
//!
//! The CPU's SHA instructions exist in the legacy encoding only. Where the compiler inlines them into code that moves
//! 256 or 512 bits at a time, as it does for CPUs that it knows to have wide registers, upper halves of registers are
//! in use while legacy instructions run, and some CPUs then take a hundred times as long over each. In a function of
//! its own the compression uses 128 bits, and the caller clears the upper halves before it calls. The test `roots` of
//! `phalanx-testkit` looks for functions that mix the two.

/// The eight words between two blocks.
pub(crate) type State = [u32; 8];

/// A compression function of SHA-256: the library's ([`BuiltIn`]), or any function of the caller's. Calls that take one end
/// in `by`.
///
/// ```
/// use phalanx::hash::{BuiltIn, Compression, Sha256, sha256};
/// use std::cell::Cell;
/// let count = Cell::new(0);
/// let counting = |state: &mut [u32; 8], blocks: &[[u8; 64]]| {
///     count.set(count.get() + blocks.len());
///     BuiltIn.compress(state, blocks);
/// };
/// assert_eq!(Sha256::by(counting).chain(b"abc").finish(), sha256(b"abc"));
/// assert_eq!(count.get(), 1);
/// ```
pub trait Compression: Copy {
    /// Replaces the state by the one after the blocks, of which there is at least one: FIPS 180-4, section 6.2.2.
    ///
    /// The message may be secret. Then time must not depend on it, and what the function leaves in deep frames of the stack
    /// is its own to overwrite.
    fn compress(self, state: &mut [u32; 8], blocks: &[[u8; 64]]);
}

/// The compression function of the crate `sha2`, which uses the CPU's SHA instructions where a check at run time finds them.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl Compression for BuiltIn {
    #[inline(always)]
    fn compress(self, state: &mut State, blocks: &[[u8; 64]]) {
        compress(state, blocks);
    }
}

impl<F: Fn(&mut State, &[[u8; 64]]) + Copy> Compression for F {
    // Behind a call, as above: the function may use the CPU's SHA instructions.
    #[inline(never)]
    fn compress(self, state: &mut State, blocks: &[[u8; 64]]) {
        self(state, blocks);
    }
}

/// The state after the blocks.
#[inline(never)]
fn compress(state: &mut State, blocks: &[[u8; 64]]) {
    sha2::block_api::compress256(state, blocks);
}
