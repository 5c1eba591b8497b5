//! What is compared, and how: cases in chunks, chunks over all cores, every surface on each chunk.

use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Single, Surface, surfaces};
use std::fmt::Debug;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const CASES: u64 = 100_000;
/// Cases that a surface gets in one call: not a whole number of vectors, nor of the library's own chunks.
const CHUNK: u64 = 499;

/// One operation, done by three implementations.
pub(crate) trait Operation {
    /// In reports, and in what the inputs are drawn from.
    const NAME: &'static str;
    /// The inputs.
    type Case: Debug;
    /// What all implementations must agree on.
    type Answer: PartialEq + Debug;
    /// What Phalanx says, and all of its surfaces must agree on.
    type Detail: PartialEq + Debug;

    fn draw(draws: &mut Draws) -> Self::Case;

    fn libsecp256k1(case: &Self::Case) -> Self::Answer;

    fn k256(case: &Self::Case) -> Self::Answer;

    /// One element per case.
    fn phalanx(surface: &dyn Surface, cases: &[Self::Case]) -> Vec<Self::Detail>;

    fn answer(detail: &Self::Detail) -> Self::Answer;

    /// Whether it is a key, or says yes: too few of these, and the comparison would be empty.
    fn is_positive(answer: &Self::Answer) -> bool;

    /// Those that have the operation.
    fn surfaces() -> Vec<Box<dyn Surface>> {
        surfaces()
    }
}

/// For operations that have no bulk form.
pub(crate) fn single_only() -> Vec<Box<dyn Surface>> {
    vec![Box::new(Single)]
}

/// Runs all cases of an operation and prints how many, with the seed.
pub(crate) fn run<O: Operation>() {
    let cases = variable("PHALANX_CASES").unwrap_or(CASES);
    // The hasher's keys are the operating system's randomness.
    let random = || std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), O::NAME);
    let seed = variable("PHALANX_SEED").unwrap_or_else(random);
    let begin = Instant::now();
    let (next, positive) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let surfaces = O::surfaces();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= cases {
                break;
            }
            positive.fetch_add(check::<O>(seed, first..cases.min(first + CHUNK), &surfaces), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // The report of the first that failed is this test's.
        workers.into_iter().for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    let positive = positive.into_inner();
    assert!(cases < 1000 || positive >= cases / 4, "{}: {positive} of {cases} cases have a positive answer", O::NAME);
    let surfaces: Vec<_> = O::surfaces().iter().map(|surface| surface.name()).collect();
    let line = format!(
        "{}: {cases} cases ({positive} positive), no disagreement; PHALANX_SEED={seed}, {:.0} s; {}\n",
        O::NAME,
        begin.elapsed().as_secs_f64(),
        surfaces.join("; "),
    );
    // Straight to the stream, past the capture of passing tests: the seed belongs in every log.
    std::io::stderr().write_all(line.as_bytes()).expect("a log");
}

/// How many answers are positive, after all were found equal.
fn check<O: Operation>(seed: u64, range: std::ops::Range<u64>, surfaces: &[Box<dyn Surface>]) -> u64 {
    let cases: Vec<_> = range.clone().map(|case| O::draw(&mut Draws::new(seed, O::NAME, case))).collect();
    let mut reference: Option<Vec<O::Detail>> = None;
    let mut positive = 0;
    let place = |index: usize| format!("{}, PHALANX_SEED={seed}, case {}", O::NAME, range.start + index as u64);
    for surface in surfaces {
        let details = O::phalanx(&**surface, &cases);
        assert_eq!(details.len(), cases.len());
        let Some(reference) = &reference else {
            for (index, (case, detail)) in cases.iter().zip(&details).enumerate() {
                let answer = O::answer(detail);
                positive += u64::from(O::is_positive(&answer));
                assert_eq!(answer, O::libsecp256k1(case), "libsecp256k1 (right): {}: {case:02x?}", place(index));
                assert_eq!(answer, O::k256(case), "k256 (right): {}: {case:02x?}", place(index));
            }
            reference = Some(details);
            continue;
        };
        for (index, (case, (detail, reference))) in cases.iter().zip(details.iter().zip(reference)).enumerate() {
            assert_eq!(detail, reference, "{} (left): {}: {case:02x?}", surface.name(), place(index));
        }
    }
    positive
}

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value:?}")))
}
