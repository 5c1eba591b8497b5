//! Chunks and threads: who computes which rows.

use crate::Error;
use crate::tuning::{CHUNKS_PER_THREAD, ROWS_PER_CHUNK_MAX, ROWS_PER_CHUNK_MIN};
use alloc::vec::Vec;
use core::ops::Range;

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
    Own(std::sync::Arc<rayon_core::ThreadPool>),
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
            _ => rayon_core::ThreadPoolBuilder::new()
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
            Threads::Surrounding => rayon_core::current_num_threads(),
            #[cfg(feature = "threads")]
            Threads::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Calls `work` on chunks that cover `out`, each with the range of rows it is for.
    pub(crate) fn fill<T: Send>(&self, out: &mut [T], work: impl Fn(Range<usize>, &mut [T]) + Sync) {
        let length = chunk_length(out.len(), self.count());
        self.share(out, length, &|index, out| work(index * length..index * length + out.len(), out));
    }

    /// The results of `work` on 0, 1, ..., `count - 1`, in order.
    pub(crate) fn map<T: Send>(&self, count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
        self.share(&mut results, 1, &|index, result| result[0] = Some(work(index)));
        results.into_iter().flatten().collect()
    }

    /// Calls `work` on chunks of this length with their numbers.
    fn share<T: Send>(&self, out: &mut [T], length: usize, work: &ChunkWork<'_, T>) {
        // One chunk is not worth waking anyone for.
        #[cfg(feature = "threads")]
        if out.len() > length {
            match self {
                Threads::One => {}
                Threads::Surrounding => return halve(out, length, 0, work),
                Threads::Own(pool) => return install(pool, &mut || halve(out, length, 0, work)),
            }
        }
        out.chunks_mut(length).enumerate().for_each(|(index, out)| work(index, out));
    }
}

/// What is done with a chunk, by its number. Known when it runs, so that it is not compiled for each kind of work.
type ChunkWork<'a, T> = dyn Fn(usize, &mut [T]) + Sync + 'a;

/// Calls `work` on each chunk, one half of them beside the other. `first` is the number of the first one.
#[cfg(feature = "threads")]
fn halve<T: Send>(out: &mut [T], length: usize, first: usize, work: &ChunkWork<'_, T>) {
    let chunks = out.len().div_ceil(length);
    if chunks <= 1 {
        return work(first, out);
    }
    let (here, there) = out.split_at_mut(chunks / 2 * length);
    join(&mut || halve(here, length, first, work), &mut || halve(there, length, first + chunks / 2, work));
}

// Its arguments are known when it runs, here and below, so that rayon is compiled once.

#[cfg(feature = "threads")]
fn join(here: &mut (dyn FnMut() + Send), there: &mut (dyn FnMut() + Send)) {
    rayon_core::join(here, there);
}

#[cfg(feature = "threads")]
fn install(pool: &rayon_core::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
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
