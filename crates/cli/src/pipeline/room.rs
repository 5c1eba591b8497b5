//! Room for batches in flight: so many batches, and so many bytes.

use std::sync::{Condvar, Mutex, PoisonError};

/// Batches in flight for each worker: one computed on, one waiting, one being read or written.
const BATCHES: usize = 3;

/// Bytes in flight for each worker, as batches were read: two blocks of text, and a third that is short. What is made
/// of them takes some times as much.
const BYTES: usize = 12 << 20;

/// What is in flight, and how much may be.
pub(crate) struct Room {
    workers: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Default)]
struct Taken {
    batches: usize,
    bytes: usize,
}

impl Room {
    pub(crate) fn new(workers: usize) -> Room {
        Room { workers, taken: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits for room for a block of so many bytes and takes it. A block that is alone always has room.
    pub(crate) fn take(&self, bytes: usize) {
        let full = |taken: &mut Taken| {
            let more = taken.batches >= BATCHES * self.workers || taken.bytes + bytes > BYTES * self.workers;
            taken.batches > 0 && more
        };
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = self.freed.wait_while(taken, full).unwrap_or_else(PoisonError::into_inner);
        taken.batches += 1;
        taken.bytes += bytes;
    }

    /// Gives back what was taken for a block of so many bytes.
    pub(crate) fn give_back(&self, bytes: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.batches -= 1;
        taken.bytes -= bytes;
        self.freed.notify_one();
    }
}
