//! Which backends there are, in which order.
//!
//! A vector backend is there if this build has its code, the CPU has its instructions, and it has proved itself: its
//! known-answer test ([`super::known_answers`]) gave the known answers. The test runs when the backend is first asked
//! for, by its name or as one of all. In a build without optimisation it does not run, and no vector backend is there.

use super::Backend;

/// What was found out about this machine.
#[derive(Debug)]
pub(super) struct Detected {
    /// The backends that can run, the one that is taken by default last.
    pub(super) backends: &'static [Backend],
    /// Their names.
    pub(super) names: &'static [&'static str],
    /// Those whose instructions the CPU has and whose test did not pass, with the reason.
    pub(super) refused: &'static [(Backend, &'static str)],
}

/// Asks the CPU and runs all tests, the first time.
#[cfg(feature = "std")]
pub(super) fn found() -> &'static Detected {
    static FOUND: std::sync::OnceLock<Detected> = std::sync::OnceLock::new();
    FOUND.get_or_init(|| Detected::of(Backend::vectors, first_wrong))
}

/// Whether the backend can run here. Runs no test but its own.
#[cfg(feature = "std")]
pub(super) fn is_there(backend: Backend) -> bool {
    backend == Backend::Portable || backend.vectors().is_some_and(|unit| first_wrong(unit).is_none())
}

/// Why no unit is tested in a build without optimisation.
#[cfg(feature = "std")]
const UNOPTIMISED: &str = "the library is compiled without optimisation";

/// Why a unit is refused: what it answers wrong, found out the first time, or that this build is not to ask it. A panic
/// on the way is a wrong answer too, where the program does not end by it.
#[cfg(feature = "std")]
fn first_wrong(unit: phalanx_engine::word::VectorUnit) -> Option<&'static str> {
    if !phalanx_engine::word::OPTIMISED {
        return Some(UNOPTIMISED);
    }
    answer(unit)
}

/// Without the code for many rows there is none of vector units either.
#[cfg(all(feature = "std", not(feature = "bulk")))]
fn answer(_: phalanx_engine::word::VectorUnit) -> Option<&'static str> {
    Some("the library is compiled without vector code")
}

/// What the unit's test says, which runs once.
#[cfg(all(feature = "std", feature = "bulk"))]
fn answer(unit: phalanx_engine::word::VectorUnit) -> Option<&'static str> {
    type Answer = std::sync::OnceLock<Option<&'static str>>;
    static ANSWERS: [Answer; Backend::VECTORS.len()] = [const { Answer::new() }; Backend::VECTORS.len()];
    let backend = Backend::of_vectors(unit);
    let answer = ANSWERS.iter().zip(Backend::VECTORS).find(|(_, of)| *of == backend);
    let (answer, _) = answer.expect("every unit is that of a backend");
    *answer.get_or_init(|| said_wrong(|| super::known_answers::first_wrong(super::lanes::Eight::Vectors(unit))))
}

/// What a test says, or that it panicked.
#[cfg(feature = "std")]
pub(super) fn said_wrong(test: impl FnOnce() -> Option<&'static str> + std::panic::UnwindSafe) -> Option<&'static str> {
    std::panic::catch_unwind(test).unwrap_or(Some("a panic"))
}

/// Whether the backend can run here.
#[cfg(not(feature = "std"))]
pub(super) fn is_there(backend: Backend) -> bool {
    backend == Backend::Portable
}

/// Without the standard library nobody asks the CPU.
#[cfg(not(feature = "std"))]
pub(super) fn found() -> &'static Detected {
    &Detected { backends: &[Backend::Portable], names: &["portable"], refused: &[] }
}

#[cfg(feature = "std")]
impl Detected {
    /// Of the units that there are, those that prove themselves.
    pub(super) fn of<U: Untested>(
        unit: impl Fn(Backend) -> Option<U>,
        first_wrong: impl Fn(U) -> Option<&'static str>,
    ) -> Detected {
        let mut backends = std::vec![Backend::Portable];
        let mut refused = std::vec::Vec::new();
        for backend in Backend::VECTORS {
            let Some(unit) = unit(backend) else { continue };
            if let Some(wrong) = first_wrong(unit) {
                refused.push((backend, wrong));
            } else if unit.is_tested() {
                backends.push(backend);
            } else {
                // There by name, and never the default.
                backends.insert(0, backend);
            }
        }
        let names = backends.iter().map(|backend| backend.name()).collect::<std::vec::Vec<_>>();
        // Once a process.
        Detected { backends: backends.leak(), names: names.leak(), refused: refused.leak() }
    }
}

/// Whether the code for a unit has run on a CPU and been tested there. What has only been compiled is never the
/// default.
#[cfg(feature = "std")]
pub(super) trait Untested: Copy {
    fn is_tested(self) -> bool;
}

#[cfg(feature = "std")]
impl Untested for phalanx_engine::word::VectorUnit {
    fn is_tested(self) -> bool {
        phalanx_engine::word::VectorUnit::is_tested(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit of whose code it is known whether it was tested, and whether its answers are right.
    #[derive(Clone, Copy)]
    struct Unit {
        tested: bool,
        right: bool,
    }

    impl Untested for Unit {
        fn is_tested(self) -> bool {
            self.tested
        }
    }

    #[test]
    fn a_panic_is_a_wrong_answer() {
        assert_eq!(said_wrong(|| None), None);
        assert_eq!(said_wrong(|| Some("a lie")), Some("a lie"));
        assert_eq!(said_wrong(|| std::panic::resume_unwind(std::boxed::Box::new(()))), Some("a panic"));
    }

    /// Each vector backend absent, or of any kind.
    #[test]
    fn the_best_that_is_right_and_tested_is_last() {
        let kinds = [None, Some((true, true)), Some((true, false)), Some((false, true)), Some((false, false))];
        let count = Backend::VECTORS.len() as u32;
        for case in 0..kinds.len().pow(count) {
            let kind = |backend: Backend| {
                let at = Backend::VECTORS.iter().position(|other| *other == backend).unwrap() as u32;
                let (tested, right) = kinds[case / kinds.len().pow(at) % kinds.len()]?;
                Some(Unit { tested, right })
            };
            let found = Detected::of(kind, |unit| (!unit.right).then_some("a lie"));
            let is = |backend: Backend, tested, right| {
                kind(backend).is_some_and(|unit| (unit.tested, unit.right) == (tested, right))
            };
            let best = Backend::VECTORS.into_iter().rev().find(|backend| is(*backend, true, true));
            assert_eq!(found.backends.last(), Some(&best.unwrap_or(Backend::Portable)));
            for backend in Backend::VECTORS {
                let there = is(backend, true, true) || is(backend, false, true);
                assert_eq!(found.backends.contains(&backend), there);
                assert_eq!(found.names.contains(&backend.name()), there);
                let lies = is(backend, true, false) || is(backend, false, false);
                assert_eq!(found.refused.contains(&(backend, "a lie")), lies);
            }
            assert!(found.backends.contains(&Backend::Portable));
        }
    }
}
