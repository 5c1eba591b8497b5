//! What every way to ask the library for verdicts offers, and on which backends tests ask.

use phalanx::{
    Backend, LowS, Verdict, ecdsa,
    internals::{EMULATED, settle_single_calls},
    schnorr,
};
use phalanx_tiers::{is_emulated, size, skipped};

/// One way to ask the library for verdicts.
pub trait Verifier {
    /// What a test prints.
    fn name(&self) -> String;

    /// One verdict per row.
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict>;

    /// One verdict per row.
    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict>;

    /// What of a test's cases this surface needs be asked.
    fn share(&self) -> Share {
        Share::ALL
    }
}

/// What a surface that takes long is asked: of all cases, and of the places at which a case may stand, one in so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// One case in so many.
    pub cases: usize,
    /// One place in so many.
    pub places: usize,
}

impl Share {
    /// All cases at all places.
    pub const ALL: Share = Share { cases: 1, places: 1 };

    /// On the emulated words, which take some fifty times as long as vector registers, a small part where those are
    /// tested too.
    pub fn of(backend: Backend) -> Share {
        match backend {
            EMULATED if has_vectors() => Share { cases: 64, places: size(64, 16) },
            _ => Share::ALL,
        }
    }

    /// With one place in so many in the short tier.
    #[must_use]
    pub fn at_places(self, places: usize) -> Share {
        Share { places: self.places * size(places, 1), ..self }
    }

    /// The cases that are asked.
    pub fn of_cases<T>(self, cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        cases.into_iter().step_by(self.cases)
    }
}

/// Whether bulk calls are tested on the vector words of this CPU.
fn has_vectors() -> bool {
    backends().iter().any(|backend| ![Backend::Portable, EMULATED].contains(backend))
}

/// The vector backend that the environment names.
fn named() -> Option<Backend> {
    let name = std::env::var("PHALANX_BACKEND").ok().filter(|name| !name.is_empty())?;
    let backend = name.parse().unwrap_or_else(|error| panic!("PHALANX_BACKEND={name}: {error}"));
    (backend != Backend::Portable).then_some(backend)
}

/// The backends that tests run on: those of this CPU, and the one of emulated words. Says what is skipped. Where
/// `PHALANX_BACKEND` names a vector backend, it is that one alone; beside it single calls run, on whatever it means to
/// them.
pub fn backends() -> Vec<Backend> {
    if let Some(named) = named() {
        settle_single_calls(named);
        return vec![named];
    }
    let available = Backend::available().iter().copied();
    let mut backends: Vec<_> = available.filter(|backend| *backend == Backend::Portable || !is_emulated()).collect();
    if backends == [Backend::Portable] {
        skipped("bulk calls on vector words", "every case of bulk calls, of which the emulated words get all instead");
    }
    backends.push(EMULATED);
    backends
}
