//! Room for blocks in flight: a bound on their number, and one on their bytes.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Blocks in flight per worker: one in computation, one that waits, and one that is read or written.
const BLOCKS: usize = 3;

/// Bytes in flight per worker, counted as they were read: two blocks of text, and a third that is short. What is
/// decoded from them takes several times the memory.
const BYTES: usize = 12 << 20;

/// What is in flight, and the bounds on it.
pub(crate) struct Room {
    workers: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Default)]
struct Taken {
    blocks: usize,
    bytes: usize,
}

impl Room {
    pub(crate) fn new(workers: usize) -> Room {
        Room { workers, taken: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits until there is room for a block of `bytes` bytes. A block that is alone always has room.
    fn wait(&self, bytes: usize) -> MutexGuard<'_, Taken> {
        let full = |taken: &mut Taken| {
            let more = taken.blocks >= BLOCKS * self.workers || taken.bytes + bytes > BYTES * self.workers;
            taken.blocks > 0 && more
        };
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        self.freed.wait_while(taken, full).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room, before the one reader reads a block. Nobody else takes it in the meantime.
    pub(crate) fn expect(&self, bytes: usize) {
        drop(self.wait(bytes));
    }

    /// Waits for room, and takes it.
    pub(crate) fn take(&self, bytes: usize) {
        let mut taken = self.wait(bytes);
        taken.blocks += 1;
        taken.bytes += bytes;
    }

    /// Gives back the room of a block of `bytes` bytes.
    pub(crate) fn give_back(&self, bytes: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.blocks -= 1;
        taken.bytes -= bytes;
        self.freed.notify_one();
    }
}
