//! Work in pieces, by threads that live as long as the call; between pieces Python is asked whether to go on.
//!
//! Threads are not kept: a process that forks has none that its child would miss.

use crate::error;
use pyo3::prelude::*;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long Python waits at most before it looks at signals, and how often progress is told of.
const PAUSE: Duration = Duration::from_millis(50);
/// For each thread, the pieces beyond the first that is not taken yet that may be computed.
const AHEAD: usize = 4;

/// What a call tells of how far it is.
pub struct Progress<'a, 'py> {
    py: Python<'py>,
    told: Option<&'a Bound<'py, PyAny>>,
    done: usize,
    total: usize,
    last: Instant,
}

impl<'a, 'py> Progress<'a, 'py> {
    /// Tells `told`, if there is one, of how many of `total` rows are done: as two arguments.
    pub fn new(py: Python<'py>, told: Option<&'a Bound<'py, PyAny>>, total: usize) -> Self {
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

/// Computes `work` on the pieces 0, 1, ..., `pieces - 1` by so many threads, and gives the results to `take` in this
/// order, both without the interpreter's lock. `rows` is the number of rows of a piece.
///
/// A result that comes before its turn waits, and a thread that is `AHEAD` waits as well: how much memory results take
/// does not depend on the number of pieces.
///
/// Fails, and computes no further piece, where `work` or `take` fails, where a signal or the progress callable raises,
/// and where work panics. Of pieces that fail, the first in order decides.
pub fn run<T: Send>(
    mut progress: Progress<'_, '_>,
    pieces: usize,
    threads: usize,
    rows: impl Fn(usize) -> usize,
    work: impl Fn(usize) -> PyResult<T> + Sync,
    mut take: impl FnMut(usize, T) -> PyResult<()> + Send,
) -> PyResult<()> {
    let py = progress.py;
    let threads = threads.min(pieces);
    if threads <= 1 {
        for piece in 0..pieces {
            py.detach(|| take(piece, guarded(&work, piece)??))?;
            progress.advance(rows(piece))?;
        }
        return Ok(());
    }
    let stop = AtomicBool::new(false);
    // The pieces that may be computed, and what came of them.
    let (offer, offered) = channel();
    let (to, mut from) = channel();
    let offered = Mutex::new(offered);
    thread::scope(|scope| {
        // Dropped when this closure ends, however it does: then no thread waits for a further piece.
        let (offer, to) = (offer, to);
        for _ in 0..threads {
            let (to, offered, stop, work) = (to.clone(), &offered, &stop, &work);
            let work = move || {
                while let Some(piece) = next(offered) {
                    if stop.load(Ordering::Relaxed) || to.send((piece, guarded(work, piece))).is_err() {
                        break;
                    }
                }
            };
            let name = "phalanx".to_owned();
            thread::Builder::new().name(name).spawn_scoped(scope, work).map_err(error::internal)?;
        }
        drop(to);
        // The results of the pieces from `taken` on that have been offered.
        let mut early: VecDeque<Option<PyResult<T>>> = VecDeque::new();
        let mut taken = 0;
        let mut in_order = || {
            while taken < pieces {
                while early.len() < threads * AHEAD && taken + early.len() < pieces {
                    offer.send(taken + early.len()).map_err(error::internal)?;
                    early.push_back(None);
                }
                let from = &mut from;
                match py.detach(move || from.recv_timeout(PAUSE)) {
                    Ok((piece, result)) => {
                        early[piece - taken] = Some(result?);
                        while let Some(result) = early.front_mut().and_then(Option::take) {
                            early.pop_front();
                            py.detach(|| take(taken, result?))?;
                            taken += 1;
                        }
                        progress.advance(rows(piece))?;
                    }
                    Err(RecvTimeoutError::Timeout) => progress.advance(0)?,
                    Err(RecvTimeoutError::Disconnected) => return Err(error::internal("a piece was lost")),
                }
            }
            Ok(())
        };
        let ended = in_order();
        stop.store(true, Ordering::Relaxed);
        // The scope waits for threads that are still busy; they need no lock for what they do.
        ended
    })
}

/// The next piece to compute; none when there is no further one.
fn next(offered: &Mutex<Receiver<usize>>) -> Option<usize> {
    offered.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// The result of a piece, or what a panic said.
fn guarded<T>(work: &(impl Fn(usize) -> T + Sync), piece: usize) -> PyResult<T> {
    // What work leaves half-done when it unwinds is dropped with its result.
    catch_unwind(AssertUnwindSafe(|| work(piece))).map_err(said)
}

fn said(panic: Box<dyn Any + Send>) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    error::internal(text.unwrap_or("a panic"))
}
