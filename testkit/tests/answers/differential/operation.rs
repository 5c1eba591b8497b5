//! What is compared, and how: cases in chunks, chunks over all cores, every surface on each chunk.

use phalanx::{Error, Verdict};
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Single, Surface, Verifier};
use phalanx_tiers::{number, say, seed, size};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Cases of an operation, in the short tier and in the large one.
const CASES: (u64, u64) = (5_000, 100_000);
/// Cases that a surface gets in one call: not a whole number of vectors, nor of the library's own chunks.
const CHUNK: u64 = 499;

/// One operation, done by three implementations.
pub(crate) struct Operation<Case, A: Answer, S: ?Sized> {
    /// In reports, and in what the inputs are drawn from.
    pub(crate) name: &'static str,
    /// The surfaces that have the operation.
    pub(crate) surfaces: fn() -> Vec<Box<S>>,
    pub(crate) draw: fn(&mut Draws) -> Case,
    pub(crate) libsecp256k1: fn(&Case) -> Option<A::Value>,
    pub(crate) k256: fn(&Case) -> Option<A::Value>,
    /// One answer per case.
    pub(crate) phalanx: fn(&S, &[Case]) -> Vec<A>,
}

/// What Phalanx says, and all of its surfaces must agree on.
pub(crate) trait Answer: PartialEq + Debug {
    type Value: PartialEq + Debug;

    /// What all implementations must agree on. There is one if the answer is a key or a signature, or says yes: too few
    /// of these, and the comparison would be empty.
    fn value(&self) -> Option<Self::Value>;
}

impl<T: Copy + PartialEq + Debug> Answer for Option<T> {
    type Value = T;

    fn value(&self) -> Option<T> {
        *self
    }
}

impl<T: Copy + PartialEq + Debug> Answer for Result<T, Error> {
    type Value = T;

    fn value(&self) -> Option<T> {
        self.ok()
    }
}

impl Answer for Verdict {
    type Value = ();

    fn value(&self) -> Option<()> {
        self.is_valid().then_some(())
    }
}

/// For operations that have no bulk form.
pub(crate) fn single_only() -> Vec<Box<dyn Surface>> {
    vec![Box::new(Single)]
}

/// Runs all cases of an operation and prints how many, with the seed.
pub(crate) fn run<Case: Debug, A: Answer, S: Verifier + ?Sized>(operation: &Operation<Case, A, S>) {
    let name = operation.name;
    let cases = number("PHALANX_CASES").unwrap_or(size(CASES.0, CASES.1));
    let seed = seed();
    let begin = Instant::now();
    let (next, positive) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let surfaces = (operation.surfaces)();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= cases {
                break;
            }
            let found = check(operation, seed, first..cases.min(first + CHUNK), &surfaces);
            positive.fetch_add(found, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // The report of the first that failed is this test's.
        workers.into_iter().for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    let positive = positive.into_inner();
    assert!(cases < 1000 || positive >= cases / 4, "{name}: {positive} of {cases} cases have a positive answer");
    let surfaces: Vec<_> = (operation.surfaces)().iter().map(|surface| surface.name()).collect();
    // The seed belongs in every log.
    say(&format!(
        "{name}: {cases} cases ({positive} positive), no disagreement; PHALANX_SEED={seed}, {:.0} s; {}",
        begin.elapsed().as_secs_f64(),
        surfaces.join("; "),
    ));
}

/// How many answers are positive, after all were found equal.
fn check<Case: Debug, A: Answer, S: Verifier + ?Sized>(
    operation: &Operation<Case, A, S>,
    seed: u64,
    range: std::ops::Range<u64>,
    surfaces: &[Box<S>],
) -> u64 {
    let name = operation.name;
    let cases: Vec<_> = range.clone().map(|case| (operation.draw)(&mut Draws::new(seed, name, case))).collect();
    let mut reference: Option<Vec<A>> = None;
    let mut positive = 0;
    let place = |index: usize| format!("{name}, PHALANX_SEED={seed}, case {}", range.start + index as u64);
    for surface in surfaces {
        // A slow surface gets the first few cases of a chunk.
        let share = cases.len().div_ceil(surface.share().cases);
        let answers = (operation.phalanx)(surface, &cases[..share]);
        assert_eq!(answers.len(), share);
        let Some(reference) = &reference else {
            for (index, (case, answer)) in cases.iter().zip(&answers).enumerate() {
                let value = answer.value();
                positive += u64::from(value.is_some());
                let theirs = (operation.libsecp256k1)(case);
                assert_eq!(value, theirs, "libsecp256k1 (right): {}: {case:02x?}", place(index));
                assert_eq!(value, (operation.k256)(case), "k256 (right): {}: {case:02x?}", place(index));
            }
            reference = Some(answers);
            continue;
        };
        for (index, (case, (answer, reference))) in cases.iter().zip(answers.iter().zip(reference)).enumerate() {
            assert_eq!(answer, reference, "{} (left): {}: {case:02x?}", surface.name(), place(index));
        }
    }
    positive
}
