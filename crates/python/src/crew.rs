//! Work in pieces, by threads that live as long as the call; between pieces Python is asked whether to go on.
//!
//! Threads are not kept: a process that forks has none that its child would miss.

use crate::error;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long Python waits at most before it looks at signals, and how often progress is told of.
const PAUSE: Duration = Duration::from_millis(50);

/// What a call tells of how far it is.
pub(crate) struct Progress<'a, 'py> {
    py: Python<'py>,
    told: Option<&'a Bound<'py, PyAny>>,
    done: usize,
    total: usize,
    last: Instant,
}

impl<'a, 'py> Progress<'a, 'py> {
    /// Tells `told`, if there is one, of how many of `total` rows are done: as two arguments.
    pub(crate) fn new(py: Python<'py>, told: Option<&'a Bound<'py, PyAny>>, total: usize) -> Self {
        Progress { py, told, done: 0, total, last: Instant::now() }
    }

    /// Counts rows, and now and then looks at signals and tells.
    fn advance(&mut self, rows: usize) -> PyResult<()> {
        self.done += rows;
        if self.done < self.total && self.last.elapsed() < PAUSE {
            return Ok(());
        }
        self.last = Instant::now();
        self.py.check_signals()?;
        self.told.map_or(Ok(()), |told| told.call1((self.done, self.total)).map(drop))
    }
}

/// The results of `work` on the pieces 0, 1, ..., `pieces - 1`, in order, computed by so many threads without the
/// interpreter's lock. `rows` is the number of rows of a piece.
///
/// Fails, and computes no further piece, where a signal or the progress callable raises, and where work panics.
pub(crate) fn run<T: Send>(
    mut progress: Progress<'_, '_>,
    pieces: usize,
    threads: usize,
    rows: impl Fn(usize) -> usize,
    work: impl Fn(usize) -> T + Sync,
) -> PyResult<Vec<T>> {
    let py = progress.py;
    if threads.min(pieces) <= 1 {
        let mut results = Vec::with_capacity(pieces);
        for piece in 0..pieces {
            results.push(py.detach(|| guarded(&work, piece)).map_err(error::internal)?);
            progress.advance(rows(piece))?;
        }
        return Ok(results);
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (to, from) = channel();
    let mut results: Vec<Option<T>> = (0..pieces).map(|_| None).collect();
    thread::scope(|scope| {
        let ended = (|| {
            for _ in 0..threads.min(pieces) {
                let (to, next, stop, work) = (to.clone(), &next, &stop, &work);
                let work = move || {
                    while !stop.load(Ordering::Relaxed) {
                        let piece = next.fetch_add(1, Ordering::Relaxed);
                        if piece >= pieces || to.send((piece, guarded(work, piece))).is_err() {
                            break;
                        }
                    }
                };
                let name = "phalanx".to_owned();
                thread::Builder::new().name(name).spawn_scoped(scope, work).map_err(error::internal)?;
            }
            let mut from = from;
            for _ in 0..pieces {
                loop {
                    let received;
                    (from, received) = py.detach(move || {
                        let received = from.recv_timeout(PAUSE);
                        (from, received)
                    });
                    match received {
                        Ok((piece, result)) => {
                            results[piece] = Some(result.map_err(error::internal)?);
                            progress.advance(rows(piece))?;
                            break;
                        }
                        Err(RecvTimeoutError::Timeout) => progress.advance(0)?,
                        Err(RecvTimeoutError::Disconnected) => return Err(error::internal("a piece was lost")),
                    }
                }
            }
            Ok(())
        })();
        stop.store(true, Ordering::Relaxed);
        // The scope waits for threads that are still busy; they need no lock for what they do.
        ended
    })?;
    results.into_iter().map(|result| result.ok_or_else(|| error::internal("a piece was not computed"))).collect()
}

/// The result of a piece, or what a panic said.
fn guarded<T>(work: &(impl Fn(usize) -> T + Sync), piece: usize) -> Result<T, String> {
    // What work leaves half-done when it unwinds is dropped with its result.
    catch_unwind(AssertUnwindSafe(|| work(piece))).map_err(said)
}

fn said(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic").to_owned()
}
