//! Lists of numbers in a caller's memory.

use core::ops::{Deref, DerefMut};

/// Numbers in memory of a fixed size: a list that grows up to it.
pub struct NumberList<'a, T> {
    places: &'a mut [T],
    length: usize,
}

impl<'a, T> NumberList<'a, T> {
    pub(super) fn new(places: &'a mut [T]) -> Self {
        NumberList { places, length: 0 }
    }
}

impl<T: Copy> NumberList<'_, T> {
    /// Appends a number.
    ///
    /// # Panics
    /// If the list is full, as the other functions that make it longer.
    #[inline(always)]
    pub fn push(&mut self, number: T) {
        self.places[self.length] = number;
        self.length += 1;
    }

    /// Appends what the iterator gives.
    #[inline(always)]
    pub fn extend(&mut self, numbers: impl ExactSizeIterator<Item = T>) {
        let more = self.lengthen(numbers.len());
        more.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
    }

    /// Makes the list so much longer by any numbers, and gives these.
    #[inline(always)]
    pub fn lengthen(&mut self, by: usize) -> &mut [T] {
        let first = self.length;
        let more = &mut self.places[first..][..by];
        self.length += by;
        more
    }

    /// Forgets the numbers from this index on.
    #[inline(always)]
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Forgets all numbers.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Keeps the numbers for which `keep`, which may change them, says so.
    #[inline(always)]
    pub fn retain_mut(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let mut kept = 0;
        for index in 0..self.length {
            let mut number = self.places[index];
            if keep(&mut number) {
                self.places[kept] = number;
                kept += 1;
            }
        }
        self.length = kept;
    }
}

impl<T> Deref for NumberList<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.places[..self.length]
    }
}

impl<T> DerefMut for NumberList<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.places[..self.length]
    }
}
