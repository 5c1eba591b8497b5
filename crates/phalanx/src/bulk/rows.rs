//! The rows of a call: a slice of rows, or columns.

use super::memory::with_arena;
use crate::{Error, ecdsa, schnorr};
use core::ops::Range;
use phalanx_engine::word::CacheLine;

/// Rows that bulk calls take: what borrows a slice of them. With the feature `bindings`, columns of bytes too.
pub trait Rows<R>: sealed::Rows<R> {}

impl<R, T: sealed::Rows<R> + ?Sized> Rows<R> for T {}

pub(crate) mod sealed {
    /// What `Rows` asks of a type. Of other crates only what borrows a slice has it, which must be the same each time.
    pub trait Rows<R>: Sync {
        fn count(&self) -> usize;
        fn row(&self, index: usize) -> R;
        /// The rows where they stand as such.
        fn as_rows(&self) -> Option<&[R]>;
    }
}

impl<R: Copy + Sync, T: AsRef<[R]> + Sync + ?Sized> sealed::Rows<R> for &T {
    fn count(&self) -> usize {
        T::as_ref(self).len()
    }
    fn row(&self, index: usize) -> R {
        T::as_ref(self)[index]
    }
    fn as_rows(&self) -> Option<&[R]> {
        Some(T::as_ref(self))
    }
}

/// Rows that are made when they are asked for.
#[derive(Clone, Copy)]
pub(crate) struct IndexedRows<F> {
    pub(crate) count: usize,
    pub(crate) row: F,
}

impl<R, F: Fn(usize) -> R + Copy + Sync> sealed::Rows<R> for IndexedRows<F> {
    fn count(&self) -> usize {
        self.count
    }
    fn row(&self, index: usize) -> R {
        (self.row)(index)
    }
    fn as_rows(&self) -> Option<&[R]> {
        None
    }
}

macro_rules! columns {
    ($columns:ty, $row:ty) => {
        impl<'a> sealed::Rows<$row> for $columns {
            fn count(&self) -> usize {
                self.len()
            }
            fn row(&self, index: usize) -> $row {
                self.get(index)
            }
            fn as_rows(&self) -> Option<&[$row]> {
                None
            }
        }
    };
}

columns!(ecdsa::row::Columns<'a>, ecdsa::Row<'a>);
columns!(schnorr::row::Columns<'a>, schnorr::Row<'a>);

/// Fails unless there is a place in `out` for each row.
pub(crate) fn check<R, T>(rows: &impl Rows<R>, out: &[T]) -> Result<(), Error> {
    Error::check_lengths(rows.count(), out.len())
}

/// Calls `work` with some of the rows, gathered in `memory` where they stand in columns, and with the memory that is
/// left.
pub(crate) fn gathered<'env, R: Copy + 'env>(
    rows: &dyn sealed::Rows<R>,
    range: Range<usize>,
    memory: &mut [CacheLine],
    work: impl FnOnce(&[R], &mut [CacheLine]),
) {
    match rows.as_rows() {
        Some(all) => work(&all[range], memory),
        None => with_arena(memory, |arena| {
            let list = arena.collect(range.map(|index| rows.row(index)));
            work(&list, arena.spare());
        }),
    }
}
