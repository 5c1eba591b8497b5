//! A job in a pool of threads, for the libraries that split over rayon's.

use lab_abi::{Job, Refusal};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{ops::Range, rc::Rc};

thread_local! {
    /// A pool whose one thread is the one that asks; a thread can be in one pool only.
    static ALONE: Result<Rc<ThreadPool>, Refusal> = {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        pool.map(Rc::new).map_err(|error| error.to_string())
    };
}

/// A pool of so many threads. One thread is the one that asks: the kernel says to the moment what that has computed, and
/// of other threads what it knew at its last tick, up to 4 ms ago.
fn pool(threads: usize) -> Result<Rc<ThreadPool>, Refusal> {
    if threads == 1 {
        return ALONE.with(Clone::clone);
    }
    ThreadPoolBuilder::new().num_threads(threads).build().map(Rc::new).map_err(|error| error.to_string())
}

/// A job inside such a pool.
pub(crate) struct Pooled<J> {
    pool: Rc<ThreadPool>,
    job: J,
}

impl<J> Pooled<J> {
    pub(crate) fn new(threads: usize, job: J) -> Result<Self, Refusal> {
        Ok(Self { pool: pool(threads)?, job })
    }
}

impl<J: Job + Send> Job for Pooled<J> {
    fn run(&mut self, rows: Range<usize>) {
        self.pool.install(|| self.job.run(rows));
    }

    fn output(&mut self) -> Vec<u8> {
        self.job.output()
    }
}
