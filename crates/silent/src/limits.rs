//! What there is at most.

/// The most outputs of a transaction that are for addresses with the same scan key (BIP-352: K_max): as many as there
/// is room for in the largest transaction that nodes relay.
pub const MAX_OUTPUTS: u32 = 2_323;

/// The most labels of a [`Scanner`](crate::Scanner): a bound on memory and time, not of BIP-352.
pub const MAX_LABELS: usize = 100_000;
