//! The thresholds of sums, in one place. `lab/trials.md` of the repository, "Sums of products", has what was
//! measured.

/// Bits of the widest window of a plan. Wider ones were not measured.
pub const MAX_WIDTH: u32 = 16;

/// Powers of two that the points of the last chain may have: more than numbers of 256 bits and a window need.
pub(super) const MAX_BITS: usize = 320;

/// Bits of the widest window of Straus' tables. Plans choose up to 7.
pub(super) const MAX_TABLE_WIDTH: u32 = 10;

/// Points, about, of the sets that are summed side by side. With fewer points the inversion of a round is a larger part
/// of its cost. With more points they leave a level-2 cache.
pub(super) const POINTS_PER_BATCH: usize = 1 << 14;

/// Sets of a given number of points and more count as equally long where sets are sorted. There are few of them.
pub(super) const LENGTHS_APART: usize = 1 << 8;

/// Pairs per round, at most, where terms are added to their buckets in place. The points and products of a round then
/// stay in a level-2 cache.
pub(super) const PAIRS_PER_ROUND: usize = 1 << 12;

/// Terms are added in place from `IN_PLACE_FROM * PAIRS_PER_ROUND` buckets on. With fewer buckets most terms would have
/// to wait for a later round.
pub(super) const IN_PLACE_FROM: usize = 4;

/// A window schedules `b / BUCKETS_PER_TERM` terms before it is the next window's turn, where `b` is the number of
/// buckets of the widest window. With longer turns many terms would meet a bucket that is already taken, and wait.
pub(super) const BUCKETS_PER_TERM: usize = 6;

/// The last chain is cut into eight stretches from this number of parts on. The doublings and the few additions of the
/// stretches take about as long as two dozen additions in one lane.
pub(super) const PARTS_FOR_STRETCHES: usize = 24;

/// Points of a step, at most, that the chain of [`super::Method::Lanes`] adds as they are. With more of them a round of
/// affine additions with its inversion costs less.
pub(super) const POINTS_FOR_CHAIN: usize = 8;
