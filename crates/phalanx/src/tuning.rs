//! The thresholds of this crate in one place: what each is, its unit, and the measurement that set it.
//!
//! The measurements are in the repository: pages of `docs/`, under "What was measured", and the records of `lab/record`
//! that these name. Thresholds of sums that do not depend on the curve are in `phalanx_engine::msm`; what the steps of
//! a sum cost on each backend is in `msm::costs`.
//!
//! Looks at no other room.

// Threads: the record `batch-sizes`.

/// Rows of a chunk at most. Longer chunks no longer spread a batch inversion thinner.
pub(crate) const ROWS_PER_CHUNK_MAX: usize = 256;
/// Rows of a chunk at least. A multiple of the lanes of any backend.
pub(crate) const ROWS_PER_CHUNK_MIN: usize = 32;
/// Chunks per thread where all threads are equally fast. With fewer, the last chunk may keep the other threads waiting.
pub(crate) const CHUNKS_PER_THREAD: usize = 4;

// Eight lanes: `docs/lanes.md`.

/// Groups of eight rows whose tables, products and partial sums stay in a level-2 cache together, and share an
/// inversion.
pub(crate) const GROUPS_PER_INVERSION: usize = 16;

// Tables of keys: `docs/lanes.md`, "Tables of keys, measured".

/// Rows of eight keys together for which the tables of these keys pay.
pub(crate) const ROWS_TO_BUILD_8: usize = 128;
/// Rows under a key that are worth a group of eight lanes by the key's table. Fewer are computed without the table.
pub(crate) const MIN_ROWS_PER_GROUP: usize = 3;
/// Keys without a table whose rows are counted, per table that there may be. Beyond that all counts are forgotten.
#[cfg(feature = "std")]
pub(crate) const COUNTED_KEYS_PER_TABLE: usize = 8;
/// Bytes of tables where the caller sets no bound: 1,191 tables.
pub(crate) const TABLE_MEMORY: usize = 64 << 20;

// Sums of products: `docs/msm.md`.

/// Terms from which on threads share the windows of a sum.
pub(crate) const SPLIT_WINDOWS_FROM: usize = 128;
/// Terms from which on each thread sums points of its own: its buckets are then few beside its points.
pub(crate) const SPLIT_POINTS_FROM: usize = 1 << 16;
/// Terms of a piece at most, so that its points stay in a cache.
pub(crate) const TERMS_PER_PIECE_MAX: usize = 1 << 15;
/// Terms of a piece that is not divided further, however little memory there is.
pub(crate) const TERMS_PER_PIECE_MIN: usize = 64;
/// Bytes of a sum's tables at most, whatever the caller allows. References to points reach four times as far.
pub(crate) const MAX_TABLE_BYTES: usize = 1 << 30;
/// Pairs of points that share an inversion where a caller adds pairs. References reach 2^26 points.
pub(crate) const PAIRS_PER_INVERSION: usize = 1 << 16;
/// Bytes of a thread's memory for sums that it keeps from call to call.
#[cfg(feature = "std")]
pub(crate) const KEPT_WORKSPACE_BYTES: usize = 32 << 20;

// Batch verification: `docs/batch.md` of this crate.

/// Rows of one sum at most. A longer sum costs little less per row, and its points no longer stay in a cache.
pub(crate) const ROWS_PER_SUM: usize = 1 << 14;
/// Rows that are verified alone rather than halved further. A sum of so few costs as much.
pub(crate) const MIN_BISECTION: usize = 32;
/// Rows that are verified alone first, to learn how many culprits to expect: a group of lanes.
pub(crate) const SAMPLE: usize = 8;

// One lane: `docs/one-lane.md`.

/// Elements per inversion of a batch on the stack. The inversion then weighs less than one multiplication per element.
pub(crate) const ELEMENTS_PER_INVERSION: usize = 128;
