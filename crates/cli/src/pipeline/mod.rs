//! Reading, computing and collecting, at the same time: what commands on files have in common.
//!
//! ```text
//! one reader ──> queue ──> workers: whatever the command does ──> queue ──> the calling thread: answers in order
//! ```
//!
//! A worker takes a whole block, so workers never wait for each other. Blocks in flight are limited in number and in
//! bytes. The reader takes [`room`] for a block before it hands it on, and the room is given back when the block's
//! answer is collected. So memory is bounded by a few blocks per worker, whichever thread is slow.
//!
//! Answers and errors are collected in the order of the blocks, in whatever order the threads finish. So the first
//! error in the input is the one that ends the run, unless a file that fails has an answer, too. No block is lost: a
//! run whose blocks were not all answered is an error.

mod progress;
mod room;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::exit::RunError;
use crate::input::{Input, Origin, RawBlock};
use crate::process::guard::guard;
pub(crate) use progress::{Progress, grouped};
use room::Room;

/// What the message of an error begins with after a panic, and after the loss of a block.
const INTERNAL: &str = "internal error";

/// The number of a block in the order of reading, and its weight in bytes.
#[derive(Clone, Copy)]
struct Ticket {
    number: u64,
    weight: usize,
}

/// What the reader and the workers tell the calling thread.
enum ToCaller<A, R> {
    /// A block's answer, or the error that comes in its place.
    Answer(Ticket, Result<A, RunError>),
    /// The number of blocks that were read. There are no more.
    End(u64),
    /// What a worker returns when no block is left.
    Rest(Result<R, RunError>),
}

/// Where a worker finds blocks and leaves their answers.
pub(crate) struct Desk<B, A, R> {
    blocks: Receiver<(Ticket, B)>,
    messages: Sender<ToCaller<A, R>>,
}

impl<B, A, R> Desk<B, A, R> {
    /// Takes the next block and sends what `answer` gives for it. Returns `false` when no block is left, or nobody
    /// listens. A panic is an error, and ends the run.
    pub(crate) fn answer_next(&self, answer: impl FnOnce(&B) -> Result<A, RunError>) -> bool {
        let Ok((ticket, block)) = self.blocks.recv() else { return false };
        let answer = guard(INTERNAL, || answer(&block));
        self.messages.send(ToCaller::Answer(ticket, answer)).is_ok()
    }
}

/// Where the reader leaves blocks, in their order.
pub(crate) struct Feed<B, A, R> {
    room: Arc<Room>,
    number: u64,
    blocks: Sender<(Ticket, B)>,
    messages: Sender<ToCaller<A, R>>,
}

impl<B, A, R> Feed<B, A, R> {
    fn ticket(&mut self, weight: usize) -> Ticket {
        self.room.take(weight);
        self.number += 1;
        Ticket { number: self.number - 1, weight }
    }

    /// Waits until there is room for a block of so many bytes, which is yet to be read.
    pub(crate) fn expect(&self, weight: usize) {
        self.room.expect(weight);
    }

    /// Hands on a block of so many bytes, once there is room for it. Returns `false` when nobody takes it.
    pub(crate) fn put(&mut self, block: B, weight: usize) -> bool {
        let ticket = self.ticket(weight);
        self.blocks.send((ticket, block)).is_ok()
    }

    /// Gives an answer that no worker is asked for. Returns `false` when nobody listens.
    pub(crate) fn answer(&mut self, answer: A) -> bool {
        let ticket = self.ticket(0);
        self.messages.send(ToCaller::Answer(ticket, Ok(answer))).is_ok()
    }
}

/// Reads `inputs` in blocks of at most `block_rows` rows, which are answered as [`run_from`] says. Where an input fails,
/// `lost` is its last answer, or the error that ends the run; it is told whose blocks came before, if any did.
pub(crate) fn run<A: Send + 'static, R: Send + 'static>(
    inputs: Vec<Input>,
    block_rows: usize,
    workers: usize,
    work: impl Fn(&Desk<RawBlock, A, R>) -> Result<R, RunError> + Send + Sync + 'static,
    lost: impl Fn(Option<Arc<Origin>>, RunError) -> Result<A, RunError> + Send + 'static,
    collect: impl FnMut(A) -> Result<ControlFlow<()>, RunError>,
) -> Result<ControlFlow<(), Vec<R>>, RunError> {
    let read = move |feed: &mut Feed<RawBlock, A, R>| {
        inputs.into_iter().try_for_each(|input| {
            let mut origin = None;
            let mut emit = |block: RawBlock| {
                origin.get_or_insert_with(|| Arc::clone(&block.origin));
                let weight = block.weight;
                feed.put(block, weight)
            };
            if let Err(error) = input.read(block_rows, &mut emit) {
                feed.answer(lost(origin, error)?);
            }
            Ok(())
        })
    };
    run_from(read, workers, work, collect)
}

/// Has `read` feed blocks, which are answered by `workers` workers, each of which does `work` at a desk of its own. The
/// answers go to `collect` in the order of the blocks, until it breaks off. Returns what the workers returned at the end.
///
/// When a run ends early, the threads that are still busy are left behind. A reader may be waiting for input that never
/// comes, and the process is about to end.
pub(crate) fn run_from<B: Send + 'static, A: Send + 'static, R: Send + 'static>(
    read: impl FnOnce(&mut Feed<B, A, R>) -> Result<(), RunError> + Send + 'static,
    workers: usize,
    work: impl Fn(&Desk<B, A, R>) -> Result<R, RunError> + Send + Sync + 'static,
    collect: impl FnMut(A) -> Result<ControlFlow<()>, RunError>,
) -> Result<ControlFlow<(), Vec<R>>, RunError> {
    let room = Arc::new(Room::new(workers));
    let work = Arc::new(work);
    let (blocks_to, blocks) = unbounded();
    let (messages_to, messages) = unbounded();
    for number in 0..workers {
        let work = Arc::clone(&work);
        let desk = Desk { blocks: blocks.clone(), messages: messages_to.clone() };
        start(format!("work-{number}"), move || {
            let rest = guard(INTERNAL, || work(&desk));
            let _ = desk.messages.send(ToCaller::Rest(rest));
        })?;
    }
    drop(blocks);
    let mut feed = Feed { room: Arc::clone(&room), number: 0, blocks: blocks_to, messages: messages_to };
    start("read".to_owned(), move || {
        let read = guard(INTERNAL, || read(&mut feed));
        let _ = feed.messages.send(match read {
            Ok(()) => ToCaller::End(feed.number),
            Err(error) => ToCaller::Answer(Ticket { number: feed.number, weight: 0 }, Err(error)),
        });
    })?;
    collect_in_order(&messages, workers, &room, collect)
}

/// Starts a thread that nobody waits for.
fn start(name: String, work: impl FnOnce() + Send + 'static) -> Result<(), RunError> {
    thread::Builder::new().name(name).spawn(work).map(drop).map_err(RunError::of)
}

/// Takes messages until every block is answered and every worker has returned, or until an error or `collect` ends the
/// run.
fn collect_in_order<A, R>(
    messages: &Receiver<ToCaller<A, R>>,
    workers: usize,
    room: &Room,
    mut collect: impl FnMut(A) -> Result<ControlFlow<()>, RunError>,
) -> Result<ControlFlow<(), Vec<R>>, RunError> {
    let (mut next, mut end) = (0, None);
    let mut early = BTreeMap::new();
    let mut rests = Vec::with_capacity(workers);
    for message in messages {
        match message {
            ToCaller::Answer(ticket, answer) => drop(early.insert(ticket.number, (ticket.weight, answer))),
            ToCaller::End(blocks) => end = Some(blocks),
            ToCaller::Rest(rest) => rests.push(rest?),
        }
        while let Some((weight, answer)) = early.remove(&next) {
            next += 1;
            if collect(answer?)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            room.give_back(weight);
        }
    }
    if end != Some(next) || rests.len() != workers {
        return Err(RunError::new(format!("{INTERNAL}: {next} blocks of {end:?} were answered")));
    }
    Ok(ControlFlow::Continue(rests))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said = ToCaller<u32, ()>;

    /// What `collect` gets of these messages until it has `most` answers, and the result of the run.
    fn collected(messages: Vec<Said>, most: usize) -> (Vec<u32>, Result<bool, String>) {
        let (to, from) = unbounded();
        messages.into_iter().for_each(|message| to.send(message).unwrap());
        drop(to);
        let mut answers = Vec::new();
        let room = Room::new(3);
        (0..9).for_each(|_| room.take(0));
        let run = collect_in_order(&from, 1, &room, |answer| {
            answers.push(answer);
            Ok(if answers.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        (answers, run.map(|flow| flow.is_continue()).map_err(|error| error.to_string()))
    }

    fn answer(number: u64) -> Said {
        ToCaller::Answer(Ticket { number, weight: 0 }, Ok(number as u32))
    }

    fn failure(number: u64) -> Said {
        ToCaller::Answer(Ticket { number, weight: 0 }, Err(RunError::new(format!("no block {number}"))))
    }

    #[test]
    fn answers_come_in_order_whatever_the_threads_do() {
        let messages = vec![answer(2), answer(0), ToCaller::End(3), answer(1), ToCaller::Rest(Ok(()))];
        assert_eq!(collected(messages, 9), (vec![0, 1, 2], Ok(true)));
        assert_eq!(collected(vec![answer(1), answer(0), answer(2)], 2), (vec![0, 1], Ok(false)));
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        let messages = vec![failure(2), answer(3), answer(0), failure(1)];
        assert_eq!(collected(messages, 9), (vec![0], Err("no block 1".to_owned())));
        let messages = vec![answer(0), ToCaller::Rest(Err(RunError::new("no sum")))];
        assert_eq!(collected(messages, 9), (vec![0], Err("no sum".to_owned())));
    }

    #[test]
    fn a_block_or_a_worker_that_is_lost_is_an_error() {
        for messages in [
            vec![answer(0), answer(2), ToCaller::End(3), ToCaller::Rest(Ok(()))],
            vec![answer(0), ToCaller::End(2), ToCaller::Rest(Ok(()))],
            vec![answer(0), ToCaller::Rest(Ok(()))],
            vec![answer(0), ToCaller::End(1)],
        ] {
            let (answers, run) = collected(messages, 9);
            assert_eq!(answers, [0]);
            assert!(run.unwrap_err().starts_with("internal error: 1 blocks of"));
        }
    }
}
