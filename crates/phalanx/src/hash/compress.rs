//! The compression functions of SHA-256 and SHA-512, behind calls.
//!
//! The CPU's SHA instructions exist in the legacy encoding only. Where the compiler inlines them into code that moves
//! 256 or 512 bits at a time, as it does for CPUs that it knows to have wide registers, upper halves of registers are
//! in use while legacy instructions run, and some CPUs then take a hundred times as long over each. In a function of
//! its own the compression uses 128 bits, and the caller clears the upper halves before it calls. The test `roots` of
//! `phalanx-testkit` looks for functions that mix the two.

/// The eight words between two blocks.
pub(crate) type State = [u32; 8];
/// The same of SHA-512.
pub(crate) type State512 = [u64; 8];

/// A compression function of SHA-256, for libraries whose callers bring one.
///
/// A hash calls it as libsecp256k1 does. A buffer that a piece of the message fills is one call of one block. All whole
/// blocks of the piece that follow are one call. Each block of padding is one call.
pub trait Compression: Copy {
    /// Replaces the state by the one after the blocks, of which there is at least one.
    fn compress(self, state: &mut State, blocks: &[[u8; 64]]);
}

/// The compression function of this library.
#[derive(Clone, Copy)]
pub struct BuiltIn;

impl Compression for BuiltIn {
    #[inline]
    fn compress(self, state: &mut State, blocks: &[[u8; 64]]) {
        compress(state, blocks);
    }
}

/// Replaces the state by the one after the blocks: FIPS 180-4, section 6.2.2. What it leaves on the stack of a secret
/// message, callers overwrite.
#[inline(never)]
pub(super) fn compress(state: &mut State, blocks: &[[u8; 64]]) {
    sha2::block_api::compress256(state, blocks);
}

/// The same of SHA-512: FIPS 180-4, section 6.4.2.
#[inline(never)]
pub(super) fn compress512(state: &mut State512, block: &[u8; 128]) {
    sha2::block_api::compress512(state, core::slice::from_ref(block));
}
