//! The backends that tests run on: those of this CPU, and emulated words where it has no vector words of eight lanes.

use phalanx::{Backend, internals::EMULATED};

pub(crate) fn backends() -> Vec<Backend> {
    let available = Backend::available().iter().copied();
    let mut backends: Vec<_> =
        available.filter(|backend| *backend == Backend::Portable || !phalanx_tiers::is_emulated()).collect();
    if backends == [Backend::Portable] {
        phalanx_tiers::skipped("vector words", "every case of bulk calls, sums and batches; emulated words got each");
        backends.push(EMULATED);
    }
    backends
}
