//! The thresholds of sums, in one place. What was measured of them is in `docs/msm.md` of the repository.

/// Bits of the widest window that plans take: the widest that was measured.
pub const MAX_WIDTH: u32 = 16;

/// Points of the sets that are summed side by side: enough for an inversion to be little among its additions, and few
/// enough for the points to stay in a level-2 cache.
pub(super) const POINTS_PER_BATCH: usize = 1 << 14;

/// Pairs of a round in place: their points and products stay in a level-2 cache.
pub(super) const PAIRS_PER_ROUND: usize = 1 << 12;

/// Buckets per pair of a round from which on terms are added in place. With fewer, most terms would have to wait.
pub(super) const IN_PLACE_FROM: usize = 4;

/// Buckets of a window per term that it schedules before it is the next window's turn. With fewer, many terms would
/// have to wait.
pub(super) const BUCKETS_PER_TERM: usize = 6;

/// Parts of the last chain from which on eight stretches are worth their while: their doublings and additions, of which
/// there are few in each, take about as long as two dozen additions of one lane.
pub(super) const PARTS_FOR_STRETCHES: usize = 24;
