//! What there is at most.

/// The most labels of a [`Scanner`](crate::Scanner): a bound on memory and time, not of BIP-352.
pub const MAX_LABELS: usize = 100_000;
