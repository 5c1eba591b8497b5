//! A process that runs one operation and then searches itself.
//!
//! The operation has a thread of its own, which afterwards waits without a call, so that nothing overwrites what lies
//! below its stack pointer; the main thread searches. There are three searches:
//!
//! 1. before the operation: the inputs must be found where they are, and nothing elsewhere, or the test itself leaves
//!    secrets;
//! 2. after it: still nothing elsewhere;
//! 3. after the inputs were wiped or dropped: nothing at all.

use crate::{
    c_calls,
    case::Case,
    live::Live,
    operations::{ALL, Operation},
    search::{Region, Searcher, regions},
};
use phalanx::{Bulk, internals::settle_single_calls};
use serde::{Deserialize, Serialize};
use std::{
    hint::{black_box, spin_loop},
    io::Read,
    ops::Range,
    ptr,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

/// Stack of the thread, most of it for what is planted.
const STACK: usize = 8 << 20;
/// Bytes below the operation's frame that are painted first, so that it shows how deep it went.
pub(crate) const PAINTED: usize = 256 << 10;
const PAINT: u8 = 0xa5;
/// Bytes of the outermost frames.
const OUTERMOST: usize = 1 << 10;
/// Hits that are told one by one.
const TOLD: usize = 50_000;

/// What a child says.
#[derive(Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) backend: String,
    pub(crate) searches: Vec<Search>,
    /// Bytes of stack that the operation used, and how many of them, but for the outermost, are not zero afterwards.
    pub(crate) depth: usize,
    pub(crate) left: usize,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Search {
    /// Hits in the inputs.
    pub(crate) live: usize,
    /// Needles found elsewhere, and where.
    pub(crate) hits: Vec<(usize, String)>,
}

/// How far the two threads are.
static STEP: AtomicU32 = AtomicU32::new(0);
/// Where the operation's frame begins.
static FRAME: AtomicUsize = AtomicUsize::new(0);

#[inline(always)]
fn wait_for(step: u32) {
    while STEP.load(SeqCst) != step {
        spin_loop();
    }
}

/// The steps of the thread that runs the operation.
fn operate(case: Arc<Case>, operation: &Operation, bulk: Bulk, tell: impl FnOnce(Vec<Range<usize>>)) {
    let (live, run) = (Live::new(case, bulk), operation.run);
    if operation.name.starts_with(c_calls::PREFIX) {
        c_calls::prepare(&live);
    }
    tell(live.ranges());
    paint();
    let here = 0u8;
    FRAME.store(ptr::from_ref(black_box(&here)).addr(), SeqCst);
    STEP.store(1, SeqCst);
    wait_for(2);
    run(&live);
    STEP.store(3, SeqCst);
    wait_for(4);
    drop(live);
    STEP.store(5, SeqCst);
    wait_for(6);
}

#[inline(never)]
fn paint() {
    let mut area = [0; PAINTED];
    area.fill(PAINT);
    black_box(&mut area);
}

/// Runs the operation of this name and tells what was found.
pub(crate) fn run(name: &str, threads: &str) {
    let operation = ALL.iter().find(|operation| operation.name == name).expect("an operation of this name");
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("the parent writes");
    let case = Arc::new(serde_json::from_slice::<Case>(&input).expect("what the parent wrote"));
    let bulk = Bulk::builder();
    let bulk = if threads == "all" { bulk } else { bulk.threads(threads.parse().expect("a number")) };
    let bulk = bulk.build().expect("the backend that the parent chose");
    assert!(settle_single_calls(bulk.backend()), "the child has made no single call yet");
    let mut found = Found { backend: bulk.backend().to_string(), searches: Vec::new(), depth: 0, left: 0 };
    let mut searcher = Searcher::new(case.clone());
    let (tell, told) = std::sync::mpsc::channel();
    let given = case.clone();
    let work = move || operate(given, operation, bulk, |ranges| tell.send(ranges).expect("the other end waits"));
    let thread = thread::Builder::new().name("operation".into()).stack_size(STACK).spawn(work).expect("a thread");
    let live = told.recv().expect("the inputs are made");
    for step in [1, 3, 5] {
        while STEP.load(SeqCst) != step {
            thread::sleep(std::time::Duration::from_micros(100));
        }
        let live = if step == 5 { &[][..] } else { &live };
        found.searches.push(search(&mut searcher, live));
        if step == 3 {
            (found.depth, found.left) = depth(&searcher);
        }
        STEP.store(step + 1, SeqCst);
    }
    thread.join().expect("the operation does not panic");
    println!("{}", serde_json::to_string(&found).expect("text and numbers"));
}

fn search(searcher: &mut Searcher, live: &[Range<usize>]) -> Search {
    let (hits, regions) = (searcher.search(), regions());
    let (live, hits): (Vec<_>, Vec<_>) =
        hits.into_iter().partition(|hit| live.iter().any(|range| range.contains(&hit.address)));
    let told = hits.iter().take(TOLD).map(|hit| (hit.needle, place(hit.address, &regions)));
    Search { live: live.len(), hits: told.collect() }
}

fn place(address: usize, regions: &[Region]) -> String {
    let frame = FRAME.load(SeqCst);
    let region = regions.iter().find(|region| region.range.contains(&address));
    match region {
        Some(region) if region.range.contains(&frame) && address < frame => {
            format!("stack, {} below the call", frame - address)
        }
        Some(region) if region.range.contains(&frame) => format!("stack, {} above the call", address - frame),
        Some(region) => format!("{} at {:#x}", region.name, address - region.range.start),
        None => "nowhere".into(),
    }
}

/// How deep below the call the stack was written to, and how many bytes there are not zero now, but for those of
/// the outermost frames, which the caller and the outward function share.
fn depth(searcher: &Searcher) -> (usize, usize) {
    let frame = FRAME.load(SeqCst);
    let stack = searcher.copy(frame - PAINTED / 2..frame);
    let depth = stack.iter().position(|byte| *byte != PAINT).map_or(0, |at| stack.len() - at);
    let left = stack[..stack.len() - OUTERMOST].iter().filter(|byte| !matches!(**byte, 0 | PAINT)).count();
    (depth, left)
}
