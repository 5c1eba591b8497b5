//! Silent payments against published vectors, and against an obvious scan by libsecp256k1.

mod limits;
mod obvious;
mod scans;
mod short_addresses;
mod vectors;

use phalanx::{Backend, Bulk};

/// One for each backend of this CPU, on one thread.
fn bulks() -> impl Iterator<Item = Bulk> {
    let bulk = |backend: &Backend| Bulk::builder().backend(*backend).threads(1).build().expect("an available backend");
    Backend::available().iter().map(bulk)
}
