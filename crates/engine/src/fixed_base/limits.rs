//! The thresholds of sums, in one place. They are estimates from runs by hand over Bandersnatch's group on an Intel
//! Xeon with AVX-512 IFMA; no record compares other values.

/// Entries, at most, of a sum whose entries are dealt to eight lanes and added one after the other there. With more of
/// them, rounds that share an inversion are faster.
pub(super) const SPREAD_UP_TO: usize = 700;

/// Entries, at most, of a sum that is added up in one lane where no lanes are faster.
pub(super) const ONE_AFTER_THE_OTHER_UP_TO: usize = 90;

/// The same where there are lanes, but they multiply by doubles: one product after the other takes longer there than in
/// one lane.
pub(super) const INSTEAD_OF_DOUBLES_UP_TO: usize = 90;

/// Columns, at least, of a vector that is alone and whose columns are put together in lanes, an eighth in each.
pub(super) const COLUMNS_DEALT_FROM: usize = 24;

/// Pairs, about, of a round of additions: partial sums of all columns of all vectors that are summed side by side. The
/// rows of a round then stay in a level-2 cache.
pub(super) const PAIRS_PER_ROUND: usize = 1 << 12;

/// References, about, that are listed before they are summed.
pub(super) const REFERENCES_AT_ONCE: usize = 1 << 22;

/// What adding up lanes once more costs, in steps of a vector that is alone.
pub(super) const APART_COSTS: usize = 6;

/// Entries, about, that are built side by side. With their steps they stay in a level-2 cache.
pub(super) const ENTRIES_PER_BATCH: usize = 1 << 13;

/// Multiples by powers of two, about, that are held at once: those of as many points as this allows, and of no fewer
/// than the windows need that end where a point ends. References reach all of them, and a batch of entries behind them:
/// a batch is below `ENTRIES_PER_BATCH` and one window of 2^`MAX_WINDOW`, and a window's points have at most 2^13.
pub(super) const POWERS_AT_ONCE: usize = 1 << 17;

/// What a doubling between columns costs, in additions, where one vector is summed at a time: no other work fills the
/// lanes while it waits.
pub const DOUBLING_ALONE: f64 = 6.5;

/// The same where eight vectors are summed side by side.
pub const DOUBLING_SIDE_BY_SIDE: f64 = 1.5;
