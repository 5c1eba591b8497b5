//! What operations are computed by.

use phalanx::{Machine, bulk::OneThread};

/// A machine, for many rows and for one item.
#[derive(Clone, Copy)]
pub(crate) struct Means {
    pub(crate) bulk: OneThread,
    pub(crate) machine: Machine,
}
