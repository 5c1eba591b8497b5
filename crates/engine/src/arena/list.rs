//! Values in memory of a fixed size.
#![allow(unsafe_code)]

use core::{
    mem::MaybeUninit,
    ops::{Deref, DerefMut},
    slice,
};

/// Values in memory of a fixed size.
pub struct List<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    length: usize,
}

impl<'a, T: Copy> List<'a, T> {
    pub(super) fn new(places: &'a mut [MaybeUninit<T>]) -> Self {
        List { places, length: 0 }
    }

    /// How many values there is memory for.
    pub(super) fn room(&self) -> usize {
        self.places.len()
    }

    /// Appends a value.
    ///
    /// # Panics
    /// If the list is full.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.places[self.length].write(value);
        self.length += 1;
    }

    /// Takes the last value off.
    pub fn pop(&mut self) -> Option<T> {
        let last = *self.last()?;
        self.length -= 1;
        Some(last)
    }

    /// Forgets the values from this index on.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl<'a, T> List<'a, T> {
    /// The values.
    pub fn into_slice(self) -> &'a mut [T] {
        // SAFETY: the first `length` places have been written, by `push`, and were lent for `'a`.
        unsafe { slice::from_raw_parts_mut(self.places.as_mut_ptr().cast(), self.length) }
    }
}

impl<T> Deref for List<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `length` places have been written, by `push`.
        unsafe { slice::from_raw_parts(self.places.as_ptr().cast(), self.length) }
    }
}

impl<T> DerefMut for List<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the list is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.places.as_mut_ptr().cast(), self.length) }
    }
}
