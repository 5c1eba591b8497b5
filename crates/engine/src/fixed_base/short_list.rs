//! Short lists that lie where their owner does: a configuration asks for no memory.

use core::{
    fmt,
    ops::{Deref, DerefMut},
};

/// At most `N` values.
#[derive(Clone, Copy)]
pub struct ShortList<T, const N: usize> {
    values: [T; N],
    count: usize,
}

impl<T: Default, const N: usize> ShortList<T, N> {
    /// Adds a value behind the others.
    ///
    /// # Panics
    /// If there are `N` already, as all that make the list longer.
    pub fn push(&mut self, value: T) {
        assert!(self.count < N, "more than {N} values");
        self.values[self.count] = value;
        self.count += 1;
    }
}

impl<T: Default, const N: usize> Default for ShortList<T, N> {
    fn default() -> Self {
        ShortList { values: core::array::from_fn(|_| T::default()), count: 0 }
    }
}

impl<T: Default, const N: usize> FromIterator<T> for ShortList<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut list = ShortList::default();
        values.into_iter().for_each(|value| list.push(value));
        list
    }
}

impl<T: Default, const N: usize, const M: usize> From<[T; M]> for ShortList<T, N> {
    fn from(values: [T; M]) -> Self {
        const { assert!(M <= N, "too many values") }
        values.into_iter().collect()
    }
}

impl<T, const N: usize> Deref for ShortList<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values[..self.count]
    }
}

impl<T, const N: usize> DerefMut for ShortList<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[..self.count]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for ShortList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for ShortList<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ShortList<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
