//! Memory that a caller lends, dealt out as slices: work that would otherwise allocate takes its memory from here.
//!
//! An [`Arena`] deals from both ends. From the front come *lists*, of values of any type that needs no drop. From the
//! back come *numbers*: slices of types that are words and nothing else ([`Words`]), which need no first value, because
//! any words are one.
//!
//! ```text
//! list | list | list |          spare          | numbers | numbers
//! ```
//!
//! Lists may hold types with padding, and padding has no value that the lender could read afterwards. So the lines of
//! lists are overwritten before the lender has them back, on unwinding too. That also wipes what they held.
//!
//! Nobody keeps a size by hand. [`Arena::count`] runs the code that takes memory on an arena that only counts.
#![allow(unsafe_code)]

mod list;
mod number_list;

pub use list::List;
pub use number_list::NumberList;

use crate::{
    curve::Curve,
    lanes::{AffineX8, FeX8Mem, JacobianX8, LaneWords, U256x8},
    word::{CacheLine, PointRef},
};
use core::{cell::Cell, marker::PhantomData, mem::MaybeUninit, slice};

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

/// Memory of some work. What lists hold may borrow what lives for `'env`, which outlives `'a`.
///
/// ```
/// use phalanx_engine::{arena::Arena, word::CacheLine};
/// fn memory<'a>(arena: &mut Arena<'a, '_>) -> (phalanx_engine::arena::List<'a, Option<u8>>, &'a mut [CacheLine]) {
///     (arena.list(100), arena.numbers(2))
/// }
/// let mut lines = vec![CacheLine([1; 8]); Arena::count(|arena| { memory(arena); })];
/// let wipe = |lines: &mut [CacheLine]| lines.fill(CacheLine([0; 8]));
/// let sum = Arena::over(&mut lines, wipe, |arena| {
///     let (mut list, numbers) = memory(arena);
///     (0..100).for_each(|i| list.push((i % 2 == 0).then_some(i)));
///     assert_eq!(numbers[1].0, [1; 8]);
///     list.iter().flatten().map(|i| u32::from(*i)).sum::<u32>()
/// });
/// assert_eq!(sum, 2450);
/// assert!(lines[..4].iter().all(|line| line.0 == [0; 8]) && lines.len() == 6);
/// ```
pub struct Arena<'a, 'env: 'a> {
    /// What has not been dealt out.
    lines: &'a mut [MaybeUninit<CacheLine>],
    source: Source<'a>,
    scope: PhantomData<&'a mut &'env ()>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    /// Every line has a value. The cell counts the lines of lists, whose values may be lost.
    Memory(&'a Cell<usize>),
    /// Lines need have no values, and nobody reads them afterwards.
    Unread,
    /// There is no memory; the lines are counted.
    Counted(&'a Cell<usize>),
}

impl<'a, 'env: 'a> Arena<'a, 'env> {
    /// Calls `work` with memory in these lines. `wipe` overwrites those of lists afterwards, with any values.
    ///
    /// # Panics
    /// If `work` takes more than there is.
    pub fn over<T>(
        lines: &mut [CacheLine],
        wipe: impl Fn(&mut [CacheLine]),
        work: impl for<'b> FnOnce(&mut Arena<'b, 'env>) -> T,
    ) -> T {
        let mut lists_of = WipedLists { lines, lists: Cell::new(0), wipe };
        let (lines, lists) = lists_of.parts();
        work(&mut Arena { lines, source: Source::Memory(lists), scope: PhantomData })
    }

    /// Memory in lines that need hold no values, and are not wiped.
    pub fn unread(lines: &'a mut [MaybeUninit<CacheLine>]) -> Self {
        Arena { lines, source: Source::Unread, scope: PhantomData }
    }

    /// The number of lines that `work` takes. All that it gets here is empty, so it may not use it.
    pub fn count(work: impl for<'b> FnOnce(&mut Arena<'b, 'env>)) -> usize {
        let counted = Cell::new(0);
        work(&mut Arena { lines: &mut [], source: Source::Counted(&counted), scope: PhantomData });
        counted.get()
    }

    /// So many lines from one end; none, and they are counted, where there is no memory.
    #[inline(never)]
    fn take(&mut self, count: usize, from_front: bool) -> &'a mut [MaybeUninit<CacheLine>] {
        if let Source::Counted(counted) = self.source {
            counted.set(counted.get().saturating_add(count));
            return &mut [];
        }
        let lines = core::mem::take(&mut self.lines);
        assert!(count <= lines.len(), "the workspace is too small");
        if from_front {
            if let Source::Memory(lists) = self.source {
                lists.set(lists.get() + count);
            }
            let (taken, rest) = lines.split_at_mut(count);
            self.lines = rest;
            return taken;
        }
        let (rest, taken) = lines.split_at_mut(lines.len() - count);
        self.lines = rest;
        self.valued(taken);
        taken
    }

    /// For how many of `count` values there is memory.
    fn room(&self, count: usize) -> usize {
        if let Source::Counted(_) = self.source { 0 } else { count }
    }

    /// Gives values to lines that have none.
    fn valued(&self, lines: &mut [MaybeUninit<CacheLine>]) {
        if let Source::Unread = self.source {
            lines.fill(MaybeUninit::new(CacheLine([0; 8])));
        }
    }

    /// An empty list with room for `room` values.
    ///
    /// # Panics
    /// If the memory is too small.
    pub fn list<T: Copy + 'env>(&mut self, room: usize) -> List<'a, T> {
        const { assert!(align_of::<T>() <= align_of::<CacheLine>()) }
        let (taken, room) = (self.take(lines_for::<T>(room), true), self.room(room));
        // SAFETY: `room` values fit the bytes of `taken` (`lines_for`), whose address is aligned for a line and so for
        // `T`; places may lack values; and nobody else has `taken`, for as long as `'a`.
        List::new(unsafe { slice::from_raw_parts_mut(taken.as_mut_ptr().cast(), room) })
    }

    /// A list of `count` copies of `value`.
    ///
    /// # Panics
    /// As [`Arena::list`].
    pub fn filled<T: Copy + 'env>(&mut self, count: usize, value: T) -> List<'a, T> {
        let mut list = self.list(count);
        (0..list.room()).for_each(|_| list.push(value));
        list
    }

    /// A list of what the iterator gives.
    ///
    /// # Panics
    /// As [`Arena::list`].
    pub fn collect<T: Copy + 'env>(&mut self, values: impl ExactSizeIterator<Item = T>) -> List<'a, T> {
        let mut list = self.list(values.len());
        values.for_each(|value| list.push(value));
        list
    }

    /// The next `count` numbers. What they are does not matter.
    ///
    /// # Panics
    /// If the memory is too small.
    pub fn numbers<T: Words>(&mut self, count: usize) -> &'a mut [T] {
        const { assert!(size_of::<T>() == T::BYTES && align_of::<T>() <= align_of::<CacheLine>()) }
        let (taken, count) = (self.take(lines_for::<T>(count), false), self.room(count));
        // SAFETY: `count` numbers fit the bytes of `taken`, whose address is aligned for them and whose lines have
        // values; any words are a number, and numbers without padding leave lines that are words again; nobody else has
        // `taken`, for as long as `'a`.
        unsafe { slice::from_raw_parts_mut(taken.as_mut_ptr().cast(), count) }
    }

    /// An empty list with room for `room` numbers.
    ///
    /// # Panics
    /// As [`Arena::numbers`].
    pub fn number_list<T: Words>(&mut self, room: usize) -> NumberList<'a, T> {
        NumberList::new(self.numbers(room))
    }

    /// What has not been dealt out, for the memory of one step.
    pub fn spare(&mut self) -> &mut [CacheLine] {
        if let Source::Unread = self.source {
            self.lines.fill(MaybeUninit::new(CacheLine([0; 8])));
        }
        // SAFETY: the lines have values: since they were lent, or from the line before. They are borrowed as `self` is.
        unsafe { slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.lines.len()) }
    }
}

/// The lines that are lent. Those of the lists get values again when the lists are gone.
struct WipedLists<'m, F: Fn(&mut [CacheLine])> {
    lines: &'m mut [CacheLine],
    /// The number of lines of lists, which are the first ones.
    lists: Cell<usize>,
    wipe: F,
}

impl<F: Fn(&mut [CacheLine])> WipedLists<'_, F> {
    fn parts(&mut self) -> (&mut [MaybeUninit<CacheLine>], &Cell<usize>) {
        let WipedLists { lines, lists, .. } = self;
        // SAFETY: a line that may lack a value has the same layout. What is written through the slice may lack values
        // in the first `lists` lines, and nobody reads the lines as lines before `drop` has overwritten those: the slice
        // borrows `self` until then, and a `WipedLists` is made by `Arena::over` alone, which drops it.
        (unsafe { slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len()) }, lists)
    }
}

impl<F: Fn(&mut [CacheLine])> Drop for WipedLists<'_, F> {
    fn drop(&mut self) {
        let lists = self.lists.get();
        let lines: *mut CacheLine = self.lines[..lists].as_mut_ptr();
        // SAFETY: the lines are borrowed for as long as `self`. All zero is a line; from here on all have values.
        unsafe { lines.write_bytes(0, lists) };
        (self.wipe)(&mut self.lines[..lists]);
    }
}

/// Memory of numbers alone.
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

    /// An empty list with room for `room` numbers.
    ///
    /// # Panics
    /// As [`Numbers::take`].
    pub fn list<T: Words>(&mut self, room: usize) -> NumberList<'a, T> {
        NumberList::new(self.take(room))
    }

    /// All that has not been taken yet, for the memory of one step.
    pub fn spare(&mut self) -> &mut [CacheLine] {
        self.0
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
        Arena::over(&mut lines, zero, |arena| {
            let mut first = arena.filled::<(u8, u64)>(5, (1, 2));
            let words: &mut [CacheLine] = arena.numbers(28);
            words.fill(CacheLine([3; 8]));
            let mut second = arena.list::<Option<&[u8]>>(33);
            second.push(Some(&text[1]));
            second.push(None);
            let third = arena.collect((0..3u16).map(|i| i * i));
            first[4] = (9, 9);
            let many = arena.numbers::<[CacheLine; 2]>(0).len();
            words[27].0[7] = 8;
            assert_eq!((first[3], first[4], many, arena.spare().len()), ((1, 2), (9, 9), 0, 0));
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
        assert_eq!((list.len(), numbers.spare().len()), (17, 1));
    }

    #[test]
    fn a_panic_overwrites_lists_too() {
        let mut lines = vec![LINE; 4];
        let wiped = Cell::new(0);
        let unwinding = AssertUnwindSafe(|| {
            Arena::over(
                &mut lines,
                |lines| wiped.set(lines.len()),
                |arena| {
                    arena.filled(2, [1u64; 8]);
                    arena.filled(9, [1u64; 8]).len()
                },
            )
        });
        assert!(catch_unwind(unwinding).is_err());
        assert_eq!(wiped.get(), 2);
        assert_eq!(lines.iter().map(|line| line.0[0]).collect::<Vec<_>>(), [0, 0, 7, 7]);
    }

    #[test]
    fn unread_lines_have_values_where_numbers_are() {
        let mut lines = Vec::with_capacity(8);
        let mut arena = Arena::unread(&mut lines.spare_capacity_mut()[..8]);
        let list = arena.filled(9, 5u64);
        assert_eq!(arena.numbers::<CacheLine>(2), [CacheLine([0; 8]); 2]);
        assert_eq!(arena.spare(), [CacheLine([0; 8]); 4]);
        assert_eq!(*list, [5; 9]);
    }

    #[test]
    fn what_is_counted_is_what_is_taken() {
        fn taken(arena: &mut Arena<'_, '_>) {
            arena.list::<u64>(9);
            arena.filled(3, 1u8);
            arena.numbers::<[CacheLine; 3]>(2);
            arena.number_list::<u32>(17);
        }
        assert_eq!(Arena::count(taken), 2 + 1 + 6 + 2);
        Arena::over(&mut [LINE; 11], zero, |arena| {
            taken(arena);
            assert!(arena.spare().is_empty());
        });
        assert_eq!(
            Arena::count(|arena| {
                arena.list::<u64>(usize::MAX);
            }),
            usize::MAX.div_ceil(64)
        );
    }

    #[test]
    fn what_does_not_fit_panics() {
        let fits = |lines: usize, room: usize, numbers: usize| {
            catch_unwind(|| {
                Arena::over(&mut vec![LINE; lines], zero, |arena| {
                    (arena.list::<u64>(room).len(), arena.numbers::<CacheLine>(numbers).len())
                })
            })
            .is_ok()
        };
        assert!(fits(3, 8, 2) && fits(0, 0, 0) && fits(1, 0, 1) && fits(1, 8, 0));
        assert!(!fits(1, 9, 0) && !fits(3, 8, 3) && !fits(3, usize::MAX, 0) && !fits(0, 0, 1));
        let full = |count: u64| {
            Arena::over(&mut [LINE], zero, |arena| {
                let mut list = arena.list::<u64>(3);
                (0..count).for_each(|i| list.push(i));
                list.len()
            })
        };
        assert_eq!(full(3), 3);
        assert!(catch_unwind(|| full(4)).is_err());
    }
}
