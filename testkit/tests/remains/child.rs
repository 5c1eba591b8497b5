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
    case::Case,
    operations::{ALL, wipe},
    search::{Hit, Region, Searcher, regions},
};
use phalanx::{Bulk, FieldElement, Keypair, PublicKey, Scalar, SecretKey};
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
use zeroize::Zeroize;

/// Stack of the thread, most of it for what is planted.
const STACK: usize = 8 << 20;
/// Bytes below the operation's frame that are painted first, so that it shows how deep it went.
pub(crate) const PAINTED: usize = 256 << 10;
const PAINT: u8 = 0xa5;
/// Bytes of the outermost frames.
const OUTERMOST: usize = 1 << 10;
/// Hits that are told one by one.
const TOLD: usize = 50_000;

/// The inputs in the clear, each where the library can take it from.
pub(crate) struct Live {
    pub(crate) case: Arc<Case>,
    pub(crate) keys: Vec<[u8; 32]>,
    pub(crate) tweaks: Vec<[u8; 32]>,
    pub(crate) digests: Vec<[u8; 32]>,
    pub(crate) aux: Vec<[u8; 32]>,
    pub(crate) publics: Vec<PublicKey>,
    pub(crate) text: String,
    pub(crate) secrets: Vec<SecretKey>,
    pub(crate) pairs: Vec<Keypair>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) elements: Vec<FieldElement>,
    pub(crate) bulk: Bulk,
}

impl Live {
    fn new(case: Arc<Case>, bulk: Bulk) -> Live {
        let (mut keys, mut tweaks) = (vec![[0; 32]; case.rows.len()], vec![[0; 32]; case.rows.len()]);
        for (row, (key, tweak)) in case.rows.iter().zip(keys.iter_mut().zip(&mut tweaks)) {
            row.key.unmask_into(key);
            row.tweak.unmask_into(tweak);
        }
        let mut text = vec![0; case.text.len()];
        case.text.unmask_into(&mut text);
        let count = case.rows.len();
        let (mut secrets, mut pairs) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut scalars, mut elements) = (Vec::with_capacity(count), Vec::with_capacity(count));
        // A key that is out of range is there as bytes alone.
        for secret in keys.iter().filter_map(|key| SecretKey::from_bytes(key).ok()) {
            scalars.push(Scalar::from(&secret));
            pairs.push(Keypair::from_secret(secret.clone()));
            secrets.push(secret);
        }
        elements.extend(keys.iter().map(FieldElement::from_bytes_reduced));
        Live {
            keys,
            tweaks,
            digests: case.rows.iter().map(|row| row.digest).collect(),
            aux: case.rows.iter().map(|row| row.aux).collect(),
            publics: case.rows.iter().map(|row| PublicKey::from_bytes(&row.public).expect("a key")).collect(),
            text: String::from_utf8(text).expect("text"),
            secrets,
            pairs,
            scalars,
            elements,
            bulk,
            case,
        }
    }

    /// Where the inputs stand.
    fn ranges(&self) -> Vec<Range<usize>> {
        fn range<T>(slice: &[T]) -> Range<usize> {
            let Range { start, end } = slice.as_ptr_range();
            start.addr()..end.addr()
        }
        vec![
            range(&self.keys),
            range(&self.tweaks),
            range(self.text.as_bytes()),
            range(&self.secrets),
            range(&self.pairs),
            range(&self.scalars),
            range(&self.elements),
        ]
    }
}

impl Drop for Live {
    /// What does not wipe itself; the keys do.
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(self.tweaks.as_flattened_mut());
        self.scalars.iter_mut().for_each(Zeroize::zeroize);
        self.elements.iter_mut().for_each(Zeroize::zeroize);
        let mut text = std::mem::take(&mut self.text).into_bytes();
        wipe(&mut text);
    }
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
fn operate(case: Arc<Case>, run: fn(&Live), bulk: Bulk, tell: impl FnOnce(Vec<Range<usize>>)) {
    let live = Live::new(case, bulk);
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

/// Runs the operation of this name and tells what was found, a line each.
pub(crate) fn run(name: &str, threads: &str) {
    let operation = ALL.iter().find(|operation| operation.name == name).expect("an operation of this name");
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).expect("the parent writes");
    let case = Arc::new(Case::read(&input));
    let bulk = Bulk::builder();
    let bulk = if threads == "all" { bulk } else { bulk.threads(threads.parse().expect("a number")) };
    let bulk = bulk.build().expect("the backend that the parent chose");
    println!("backend {} threads {}", bulk.backend(), bulk.threads());

    let mut searcher = Searcher::new(case.clone());
    let (tell, told) = std::sync::mpsc::channel();
    let (run, given) = (operation.run, case.clone());
    let work = move || operate(given, run, bulk, |ranges| tell.send(ranges).expect("the other end waits"));
    let thread = thread::Builder::new().name("operation".into()).stack_size(STACK).spawn(work).expect("a thread");
    let live = told.recv().expect("the inputs are made");
    for (search, step) in [1, 3, 5].into_iter().enumerate() {
        while STEP.load(SeqCst) != step {
            thread::sleep(std::time::Duration::from_micros(100));
        }
        let live = if step == 5 { &[][..] } else { &live };
        report(search + 1, searcher.search(), live);
        if step == 3 {
            depth(&searcher);
        }
        STEP.store(step + 1, SeqCst);
    }
    thread.join().expect("the operation does not panic");
}

fn report(search: usize, hits: Vec<Hit>, live: &[Range<usize>]) {
    let regions = regions();
    let (expected, hits): (Vec<_>, Vec<_>) =
        hits.into_iter().partition(|hit| live.iter().any(|range| range.contains(&hit.address)));
    println!("search {search} {} {}", expected.len(), hits.len());
    for hit in hits.iter().take(TOLD) {
        println!("hit {search} {} {}", hit.needle, place(hit.address, &regions));
    }
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
fn depth(searcher: &Searcher) {
    let frame = FRAME.load(SeqCst);
    let stack = searcher.copy(frame - PAINTED / 2..frame);
    let depth = stack.iter().position(|byte| *byte != PAINT).map_or(0, |at| stack.len() - at);
    let left = stack[..stack.len() - OUTERMOST].iter().filter(|byte| !matches!(**byte, 0 | PAINT)).count();
    println!("depth {depth} {left}");
}
