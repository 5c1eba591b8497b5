//! Memory that a caller lends, dealt out as slices: work that would otherwise allocate takes its memory from here.
//!
//! A caller lends cache lines ([`with_room`]). They become two parts. The first holds *lists*, of values of any type
//! that needs no drop. The second holds *numbers*: slices of types that are words and nothing else ([`Words`]), which
//! need no first value, because any words are one.
//!
//! Lists may hold types with padding, and padding has no value that the lender could read afterwards. So the part of
//! the lists is overwritten before the lender has it back, on unwinding too. That also wipes what they held.
#![allow(unsafe_code)]

mod number_list;

pub use number_list::NumberList;

use crate::{
    curve::Curve,
    lanes::{AffineX8, FeX8Mem, JacobianX8, LaneWords, U256x8},
    word::{CacheLine, PointRef},
};
use core::{
    marker::PhantomData,
    mem::MaybeUninit,
    ops::{Deref, DerefMut},
    slice,
};

/// Types that are words and nothing else.
///
/// # Safety
/// Every pattern of bits is a value, the parts take `BYTES` bytes together, and the alignment is at most that of a
/// cache line.
pub unsafe trait Words: Copy {
    /// The size of all parts. If it is the type's, there is no padding.
    const BYTES: usize;
}

// SAFETY: eight words.
unsafe impl Words for CacheLine {
    const BYTES: usize = 64;
}
// SAFETY: half a word; any bits are one.
unsafe impl Words for u32 {
    const BYTES: usize = 4;
}
// SAFETY: a `u32` under another name (`repr(transparent)`), and nobody relies on its bits being those of a row.
unsafe impl Words for PointRef {
    const BYTES: usize = 4;
}
// SAFETY: eight words.
unsafe impl Words for LaneWords {
    const BYTES: usize = 64;
}
// SAFETY: four lines of words.
unsafe impl Words for U256x8 {
    const BYTES: usize = 4 * LaneWords::BYTES;
}
// SAFETY: five lines of words, and a field that takes no room.
unsafe impl<F: Copy> Words for FeX8Mem<F> {
    const BYTES: usize = 5 * LaneWords::BYTES;
}
// SAFETY: two elements of a field.
unsafe impl<C: Curve> Words for AffineX8<C> {
    const BYTES: usize = 2 * 5 * LaneWords::BYTES;
}
// SAFETY: three elements of a field.
unsafe impl<C: Curve> Words for JacobianX8<C> {
    const BYTES: usize = 3 * 5 * LaneWords::BYTES;
}
// SAFETY: nothing stands between the elements of an array.
unsafe impl<T: Words, const N: usize> Words for [T; N] {
    const BYTES: usize = N * T::BYTES;
}

/// The number of cache lines that `count` values take.
pub const fn lines_for<T>(count: usize) -> usize {
    assert!(align_of::<T>() <= align_of::<CacheLine>());
    count.saturating_mul(size_of::<T>()).div_ceil(size_of::<CacheLine>())
}

/// Calls `work` with lists that take `lists` of the lines, and with the rest of them for numbers. `wipe` overwrites
/// the lines of the lists afterwards, with any values.
///
/// What lists hold may borrow what lives for `'env`.
///
/// ```
/// use phalanx_engine::{arena::{lines_for, with_room}, word::CacheLine};
/// let mut lines = [CacheLine([1; 8]); 10];
/// let wipe = |lines: &mut [CacheLine]| lines.fill(CacheLine([0; 8]));
/// let sum = with_room(&mut lines, lines_for::<Option<u8>>(100), wipe, |lists, numbers| {
///     let mut list = lists.list::<Option<u8>>(100);
///     (0..100).for_each(|i| list.push((i % 2 == 0).then_some(i)));
///     assert_eq!(numbers.take::<CacheLine>(2)[1].0, [1; 8]);
///     list.iter().flatten().map(|i| u32::from(*i)).sum::<u32>()
/// });
/// assert_eq!(sum, 2450);
/// assert!(lines[..4].iter().all(|line| line.0 == [0; 8]));
/// ```
///
/// # Panics
/// If there are fewer lines than `lists`, or fewer than `work` takes.
pub fn with_room<'env, T>(
    lines: &mut [CacheLine],
    lists: usize,
    wipe: impl Fn(&mut [CacheLine]),
    work: impl for<'a> FnOnce(&mut Lists<'a, 'env>, &mut Numbers<'a>) -> T,
) -> T {
    assert!(lists <= lines.len(), "the workspace is too small");
    let (first, rest) = lines.split_at_mut(lists);
    let mut lent = Lent { lines: first, wipe };
    let mut lists = Lists { memory: lent.places(), scope: PhantomData };
    work(&mut lists, &mut Numbers(rest))
}

/// The lines of the lists. They get values again when the lists are gone.
struct Lent<'m, F: Fn(&mut [CacheLine])> {
    lines: &'m mut [CacheLine],
    wipe: F,
}

impl<F: Fn(&mut [CacheLine])> Lent<'_, F> {
    fn places(&mut self) -> &mut [MaybeUninit<CacheLine>] {
        // SAFETY: a line that may lack a value has the same layout. What is written through the slice may lack values,
        // and nobody reads the lines as lines before `drop` has overwritten them: the slice borrows `self` until then,
        // and a `Lent` is made by `with_room` alone, which drops it.
        unsafe { slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.lines.len()) }
    }
}

impl<F: Fn(&mut [CacheLine])> Drop for Lent<'_, F> {
    fn drop(&mut self) {
        let lines: *mut CacheLine = self.lines.as_mut_ptr();
        // SAFETY: the lines are borrowed for as long as `self`. All zero is a line; from here on all have values.
        unsafe { lines.write_bytes(0, self.lines.len()) };
        (self.wipe)(self.lines);
    }
}

/// Memory for lists. What they hold lives at least for `'env`, which outlives `'a`.
pub struct Lists<'a, 'env: 'a> {
    memory: &'a mut [MaybeUninit<CacheLine>],
    scope: PhantomData<&'a mut &'env ()>,
}

impl<'a, 'env: 'a> Lists<'a, 'env> {
    /// Lists in memory that need hold no values, and is not wiped.
    pub fn new(memory: &'a mut [MaybeUninit<CacheLine>]) -> Self {
        Lists { memory, scope: PhantomData }
    }

    /// An empty list with room for `room` values.
    ///
    /// # Panics
    /// If the memory is too small.
    pub fn list<T: Copy + 'env>(&mut self, room: usize) -> List<'a, T> {
        const { assert!(align_of::<T>() <= align_of::<CacheLine>()) }
        let lines = lines_for::<T>(room);
        let memory = core::mem::take(&mut self.memory);
        assert!(lines <= memory.len(), "the workspace is too small for its lists");
        let (taken, rest) = memory.split_at_mut(lines);
        self.memory = rest;
        // SAFETY: `room` values fit the bytes of `taken` (`lines_for`), whose address is aligned for a line and so for
        // `T`; places may lack values; and nobody else has `taken`, for as long as `'a`.
        List { places: unsafe { slice::from_raw_parts_mut(taken.as_mut_ptr().cast(), room) }, length: 0 }
    }

    /// A list of `count` copies of `value`.
    ///
    /// # Panics
    /// As [`Lists::list`].
    pub fn filled<T: Copy + 'env>(&mut self, count: usize, value: T) -> List<'a, T> {
        let mut list = self.list(count);
        (0..count).for_each(|_| list.push(value));
        list
    }

    /// A list of what the iterator gives.
    ///
    /// # Panics
    /// As [`Lists::list`].
    pub fn collect<T: Copy + 'env>(&mut self, values: impl ExactSizeIterator<Item = T>) -> List<'a, T> {
        let mut list = self.list(values.len());
        values.for_each(|value| list.push(value));
        list
    }
}

/// Values in memory of a fixed size.
pub struct List<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    length: usize,
}

impl<T: Copy> List<'_, T> {
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

/// Memory for numbers.
pub struct Numbers<'a>(&'a mut [CacheLine]);

impl<'a> Numbers<'a> {
    /// The lines.
    pub fn new(lines: &'a mut [CacheLine]) -> Self {
        Numbers(lines)
    }

    /// The next `count` numbers. What they are does not matter.
    ///
    /// # Panics
    /// If the memory is too small.
    pub fn take<T: Words>(&mut self, count: usize) -> &'a mut [T] {
        const { assert!(size_of::<T>() == T::BYTES && align_of::<T>() <= align_of::<CacheLine>()) }
        let lines = lines_for::<T>(count);
        let memory = core::mem::take(&mut self.0);
        assert!(lines <= memory.len(), "the workspace is too small for its numbers");
        let (taken, rest) = memory.split_at_mut(lines);
        self.0 = rest;
        // SAFETY: `count` numbers fit the bytes of `taken`, whose address is aligned for them; any words are a number,
        // and numbers without padding leave lines that are words again; nobody else has `taken`, for as long as `'a`.
        unsafe { slice::from_raw_parts_mut(taken.as_mut_ptr().cast(), count) }
    }

    /// `count` copies of `value`.
    ///
    /// # Panics
    /// As [`Numbers::take`].
    pub fn filled<T: Words>(&mut self, count: usize, value: T) -> &'a mut [T] {
        let numbers = self.take(count);
        numbers.fill(value);
        numbers
    }

    /// An empty list with room for `room` numbers.
    ///
    /// # Panics
    /// As [`Numbers::take`].
    pub fn list<T: Words>(&mut self, room: usize) -> NumberList<'a, T> {
        NumberList::new(self.take(room))
    }

    /// All that has not been taken yet.
    pub fn rest(&mut self) -> &'a mut [CacheLine] {
        core::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{cell::Cell, panic::AssertUnwindSafe, panic::catch_unwind, vec, vec::Vec};

    const LINE: CacheLine = CacheLine([7; 8]);

    fn zero(lines: &mut [CacheLine]) {
        lines.fill(CacheLine([0; 8]));
    }

    #[test]
    fn slices_do_not_overlap_and_lists_are_overwritten() {
        let mut lines = vec![LINE; 40];
        let text = [vec![1u8], vec![2, 3]];
        with_room(&mut lines, 12, zero, |lists, numbers| {
            let mut first = lists.filled::<(u8, u64)>(5, (1, 2));
            let mut second = lists.list::<Option<&[u8]>>(33);
            second.push(Some(&text[1]));
            second.push(None);
            let third = lists.collect((0..3u16).map(|i| i * i));
            first[4] = (9, 9);
            let many = numbers.take::<[CacheLine; 2]>(0).len();
            let words = numbers.filled::<CacheLine>(28, CacheLine([3; 8]));
            words[27].0[7] = 8;
            assert_eq!((first[3], first[4], many), ((1, 2), (9, 9), 0));
            assert_eq!((&*second, &*third), (&[Some(&[2u8, 3][..]), None][..], &[0, 1, 4][..]));
        });
        assert!(lines[..12].iter().all(|line| line.0 == [0; 8]));
        assert!(lines[12..39].iter().all(|line| line.0 == [3; 8]) && lines[39].0 == [3, 3, 3, 3, 3, 3, 3, 8]);
    }

    #[test]
    fn numbers_are_listed() {
        let mut lines = [LINE; 3];
        let mut numbers = Numbers::new(&mut lines);
        let mut list = numbers.list::<u32>(17);
        (0..9).for_each(|i| list.push(i));
        list.extend([90, 91, 92].into_iter());
        list.retain_mut(|number| {
            *number += 1;
            *number % 2 == 0
        });
        assert_eq!(*list, [2, 4, 6, 8, 92]);
        list.truncate(4);
        list.truncate(9);
        list.lengthen(2).fill(5);
        list[0] = 1;
        assert_eq!(*list, [1, 4, 6, 8, 5, 5]);
        list.clear();
        list.extend(0..17);
        assert!(catch_unwind(AssertUnwindSafe(|| list.push(1))).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| list.lengthen(1).len())).is_err());
        assert_eq!((list.len(), numbers.rest().len()), (17, 1));
    }

    #[test]
    fn a_panic_overwrites_lists_too() {
        let mut lines = vec![LINE; 4];
        let wiped = Cell::new(0);
        let unwinding = AssertUnwindSafe(|| {
            with_room(&mut lines, 2, |lines| wiped.set(lines.len()), |lists, _| lists.filled(9, [1u64; 8]).len())
        });
        assert!(catch_unwind(unwinding).is_err());
        assert_eq!(wiped.get(), 2);
        assert_eq!(lines.iter().map(|line| line.0[0]).collect::<Vec<_>>(), [0, 0, 7, 7]);
    }

    #[test]
    fn what_does_not_fit_panics() {
        let fits = |lines: usize, lists: usize, room: usize, numbers: usize| {
            catch_unwind(|| {
                with_room(&mut vec![LINE; lines], lists, zero, |list, number| {
                    (list.list::<u64>(room).len(), number.take::<CacheLine>(numbers).len())
                })
            })
            .is_ok()
        };
        assert!(fits(3, 1, 8, 2) && fits(0, 0, 0, 0) && fits(1, 0, 0, 1));
        assert!(!fits(3, 4, 0, 0) && !fits(3, 1, 9, 0) && !fits(3, 1, 8, 3) && !fits(3, 1, usize::MAX, 0));
        let full = |count: u64| {
            with_room(&mut [LINE], 1, zero, |lists, _| {
                let mut list = lists.list::<u64>(3);
                (0..count).for_each(|i| list.push(i));
                list.len()
            })
        };
        assert_eq!(full(3), 3);
        assert!(catch_unwind(|| full(4)).is_err());
    }
}
