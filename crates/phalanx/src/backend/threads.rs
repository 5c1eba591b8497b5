//! Chunks and threads: who computes which rows.

use crate::Error;
use crate::tuning::{CHUNKS_PER_THREAD, ROWS_PER_CHUNK_MAX, ROWS_PER_CHUNK_MIN};
use alloc::vec::Vec;
use core::ops::Range;
#[cfg(feature = "threads")]
use rayon::prelude::*;

/// The threads that a bulk call may use.
#[derive(Debug, Clone)]
pub(crate) enum Threads {
    /// The calling thread alone.
    One,
    /// The rayon pool that the call is made from: by default the global one, with a thread for each core.
    #[cfg(feature = "threads")]
    Surrounding,
    /// A pool of its own.
    #[cfg(feature = "threads")]
    Own(std::sync::Arc<rayon::ThreadPool>),
}

impl Threads {
    /// All cores.
    pub(crate) fn all() -> Self {
        #[cfg(feature = "threads")]
        return Threads::Surrounding;
        #[cfg(not(feature = "threads"))]
        return Threads::One;
    }

    /// Exactly `count` threads.
    pub(crate) fn exactly(count: usize) -> Result<Self, Error> {
        match count {
            0 => Err(Error::ThreadsUnavailable),
            1 => Ok(Threads::One),
            #[cfg(feature = "threads")]
            _ => rayon::ThreadPoolBuilder::new()
                .num_threads(count)
                .thread_name(|index| std::format!("phalanx-{index}"))
                .build()
                .map(|pool| Threads::Own(pool.into()))
                .map_err(|_| Error::ThreadsUnavailable),
            #[cfg(not(feature = "threads"))]
            _ => Err(Error::ThreadsUnavailable),
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Threads::One => 1,
            #[cfg(feature = "threads")]
            Threads::Surrounding => rayon::current_num_threads(),
            #[cfg(feature = "threads")]
            Threads::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Calls `work` on chunks that cover `out`, each with the range of rows it is for.
    pub(crate) fn fill<T: Send>(&self, out: &mut [T], work: impl Fn(Range<usize>, &mut [T]) + Sync) {
        let length = chunk_length(out.len(), self.count());
        let chunk = |(index, out): (usize, &mut [T])| work(index * length..index * length + out.len(), out);
        match self {
            Threads::One => out.chunks_mut(length).enumerate().for_each(chunk),
            #[cfg(feature = "threads")]
            Threads::Surrounding => in_parallel(out, length, chunk),
            #[cfg(feature = "threads")]
            Threads::Own(pool) => pool.install(|| in_parallel(out, length, chunk)),
        }
    }

    /// The results of `work` on 0, 1, ..., `count - 1`, in order.
    pub(crate) fn map<T: Send>(&self, count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        match self {
            Threads::One => (0..count).map(work).collect(),
            #[cfg(feature = "threads")]
            _ if count < 2 => (0..count).map(work).collect(),
            #[cfg(feature = "threads")]
            Threads::Surrounding => (0..count).into_par_iter().map(work).collect(),
            #[cfg(feature = "threads")]
            Threads::Own(pool) => pool.install(|| (0..count).into_par_iter().map(work).collect()),
        }
    }
}

#[cfg(feature = "threads")]
fn in_parallel<T: Send>(out: &mut [T], length: usize, chunk: impl Fn((usize, &mut [T])) + Send + Sync) {
    if out.len() <= length {
        // One chunk is not worth waking anyone for.
        out.chunks_mut(length).enumerate().for_each(chunk);
    } else {
        out.par_chunks_mut(length).enumerate().for_each(chunk);
    }
}

fn chunk_length(rows: usize, threads: usize) -> usize {
    if threads == 1 {
        return ROWS_PER_CHUNK_MAX;
    }
    rows.div_ceil(threads.saturating_mul(CHUNKS_PER_THREAD))
        .next_multiple_of(ROWS_PER_CHUNK_MIN)
        .clamp(ROWS_PER_CHUNK_MIN, ROWS_PER_CHUNK_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_row_is_computed_once_by_any_number_of_threads() {
        for threads in [Threads::all(), Threads::exactly(1).unwrap(), Threads::exactly(3).unwrap()] {
            for rows in [0, 1, 7, 8, 31, 32, 33, 255, 256, 257, 5000] {
                let mut out = vec![usize::MAX; rows];
                threads.fill(&mut out, |range, out| {
                    assert_eq!(range.len(), out.len());
                    for (row, out) in range.zip(out) {
                        assert_eq!(*out, usize::MAX);
                        *out = row;
                    }
                });
                assert_eq!(out, (0..rows).collect::<Vec<_>>());
            }
        }
        assert_eq!(Threads::exactly(0).err(), Some(Error::ThreadsUnavailable));
    }
}
