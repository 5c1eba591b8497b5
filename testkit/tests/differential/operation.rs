//! What is compared, and how: cases in chunks, chunks over all cores, every surface on each chunk.

use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Share, Single, Surface, Verifier, surfaces, verifiers};
use phalanx_tiers::{number, say, seed, size};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Cases of an operation, in the short tier and in the large one.
const CASES: (u64, u64) = (5_000, 100_000);
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
    /// What a surface is asked for: everything, or verdicts.
    type Surface: ?Sized + Asked;

    fn draw(draws: &mut Draws) -> Self::Case;

    fn libsecp256k1(case: &Self::Case) -> Self::Answer;

    fn k256(case: &Self::Case) -> Self::Answer;

    /// One element per case.
    fn phalanx(surface: &Self::Surface, cases: &[Self::Case]) -> Vec<Self::Detail>;

    fn answer(detail: &Self::Detail) -> Self::Answer;

    /// Whether it is a key, or says yes: too few of these, and the comparison would be empty.
    fn is_positive(answer: &Self::Answer) -> bool;

    /// Those that have the operation.
    fn surfaces() -> Vec<Box<Self::Surface>> {
        Self::Surface::all()
    }
}

/// A kind of surface.
pub(crate) trait Asked {
    fn all() -> Vec<Box<Self>>;
    fn name(&self) -> String;
    fn share(&self) -> Share;
}

impl Asked for dyn Surface {
    fn all() -> Vec<Box<dyn Surface>> {
        surfaces()
    }
    fn name(&self) -> String {
        Verifier::name(self)
    }
    fn share(&self) -> Share {
        Verifier::share(self)
    }
}

impl Asked for dyn Verifier {
    fn all() -> Vec<Box<dyn Verifier>> {
        verifiers()
    }
    fn name(&self) -> String {
        Verifier::name(self)
    }
    fn share(&self) -> Share {
        Verifier::share(self)
    }
}

/// For operations that have no bulk form.
pub(crate) fn single_only() -> Vec<Box<dyn Surface>> {
    vec![Box::new(Single)]
}

/// Runs all cases of an operation and prints how many, with the seed.
pub(crate) fn run<O: Operation>() {
    let cases = number("PHALANX_CASES").unwrap_or(size(CASES.0, CASES.1));
    let seed = seed();
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
    // The seed belongs in every log.
    say(&format!(
        "{}: {cases} cases ({positive} positive), no disagreement; PHALANX_SEED={seed}, {:.0} s; {}",
        O::NAME,
        begin.elapsed().as_secs_f64(),
        surfaces.join("; "),
    ));
}

/// How many answers are positive, after all were found equal.
fn check<O: Operation>(seed: u64, range: std::ops::Range<u64>, surfaces: &[Box<O::Surface>]) -> u64 {
    let cases: Vec<_> = range.clone().map(|case| O::draw(&mut Draws::new(seed, O::NAME, case))).collect();
    let mut reference: Option<Vec<O::Detail>> = None;
    let mut positive = 0;
    let place = |index: usize| format!("{}, PHALANX_SEED={seed}, case {}", O::NAME, range.start + index as u64);
    for surface in surfaces {
        // A slow surface gets the first few cases of a chunk.
        let share = cases.len().div_ceil(surface.share().cases);
        let details = O::phalanx(surface, &cases[..share]);
        assert_eq!(details.len(), share);
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
