//! Wiping of secrets: plain zeroes followed by a barrier, so that the compiler can neither drop the writes nor is
//! forced to make them byte by byte.
//!
//! What has a name is wiped where it is made. What has none, because the compiler keeps it, moves it or spills it to
//! the stack as it likes, lies in frames below the outward call; [`Stack::cleared`] overwrites those. Registers are
//! out of reach, and so is what a caller does with a secret that was handed out.

use alloc::vec::Vec;
use core::{
    ops::{Deref, DerefMut},
    slice,
};
use zeroize::optimization_barrier;

/// Overwrites with the default value, which for numbers and arrays is zero.
#[inline]
pub(crate) fn wipe<T: Copy + Zero>(secret: &mut T) {
    overwrite(slice::from_mut(secret), T::ZERO);
}

/// Overwrites with a filler.
#[inline]
pub(crate) fn overwrite<T: Copy>(memory: &mut [T], filler: T) {
    memory.fill(filler);
    optimization_barrier(memory);
}

/// Types whose value of all zero bits holds nothing.
pub(crate) trait Zero {
    const ZERO: Self;
}

impl Zero for u8 {
    const ZERO: Self = 0;
}

impl Zero for u32 {
    const ZERO: Self = 0;
}

impl Zero for u64 {
    const ZERO: Self = 0;
}

impl<T: Copy + Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// A list of secrets that never moves to other memory, and is overwritten when it is dropped, on unwinding too.
pub(crate) struct Secrets<T: Copy + Zero>(Vec<T>);

impl<T: Copy + Zero> Secrets<T> {
    /// The secrets that the iterator gives.
    pub(crate) fn collect(secrets: impl ExactSizeIterator<Item = T>) -> Self {
        let mut list = Self::with_room(secrets.len());
        secrets.for_each(|secret| list.push(secret));
        list
    }

    /// `count` copies of `filler`, to be replaced.
    pub(crate) fn filled(filler: T, count: usize) -> Self {
        let mut list = Self::with_room(count);
        list.0.resize(count, filler);
        list
    }

    /// An empty list with room for `count` secrets.
    pub(crate) fn with_room(count: usize) -> Self {
        Secrets(Vec::with_capacity(count))
    }

    /// Appends a secret. There must be room for it, because a list that grows leaves its secrets behind in the old
    /// memory.
    pub(crate) fn push(&mut self, secret: T) {
        assert!(self.0.len() < self.0.capacity(), "a list of secrets is full");
        self.0.push(secret);
    }
}

impl<T: Copy + Zero> Deref for Secrets<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Zero> DerefMut for Secrets<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Zero> Drop for Secrets<T> {
    fn drop(&mut self) {
        overwrite(&mut self.0, T::ZERO);
    }
}

/// `BYTES` bytes of stack below a call, to be overwritten after it.
///
/// Each size is about half as much again as operations were seen to use, or more; `docs/inside/assurance.md` has the
/// figures, and the test `residue` fails when one uses more than is overwritten.
pub struct Stack<const BYTES: usize>;

/// For a few operations on scalars, and for nonces.
pub(crate) type ScalarStack = Stack<{ 2 << 10 }>;
/// For multiples of the generator, and for shared inversions.
pub(crate) type GeneratorStack = Stack<{ 12 << 10 }>;
/// For multiples of other points.
pub(crate) type PointStack = Stack<{ 20 << 10 }>;
/// For a chunk of the rows of a bulk call.
pub(crate) type ChunkStack = Stack<{ 32 << 10 }>;
/// For a block of secret keys that stand on the stack, and a chunk below it.
pub(crate) type SecretBlockStack = Stack<{ 48 << 10 }>;

impl<const BYTES: usize> Stack<BYTES> {
    /// Does work on secrets, and then overwrites the stack that it used, on unwinding too.
    ///
    /// The work has a frame of its own, which begins where that of the overwriting function begins. What it gives back
    /// is written to the caller's frame.
    #[inline(always)]
    pub fn cleared<T>(work: impl FnOnce() -> T) -> T {
        let _after = Self;
        apart(work)
    }
}

impl<const BYTES: usize> Drop for Stack<BYTES> {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite_stack::<BYTES>();
    }
}

#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite_stack<const BYTES: usize>() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "full")]
    fn lists_of_secrets_do_not_grow() {
        let mut list = Secrets::with_room(1);
        (0..9u8).for_each(|secret| list.push([secret; 32]));
    }

    #[test]
    fn work_gives_its_result_and_unwinds() {
        assert_eq!(ScalarStack::cleared(|| [7u8; 100]), [7; 100]);
        let unwinding = || -> u8 { ScalarStack::cleared(|| std::panic::resume_unwind(std::boxed::Box::new(7u8))) };
        let caught = std::panic::catch_unwind(unwinding).unwrap_err();
        assert_eq!(caught.downcast_ref(), Some(&7u8));
    }
}
