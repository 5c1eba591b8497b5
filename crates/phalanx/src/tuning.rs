//! The thresholds of this crate in one place: what each is, its unit, and the measurement that set it.
//!
//! A measurement is a file below `lab/record` or a section of `lab/trials.md`, both in the repository. Below,
//! `record/` stands for `lab/record/2026-11-21-amd-epyc-family-26-model-2/`. "Not measured apart" says that no record
//! compares the value with others. Thresholds of sums that do not depend on the curve are in `phalanx_engine::msm`;
//! what the steps of a sum cost on each backend is in `msm::costs`.
//!
//! Looks at no other room.

// Threads.

/// Rows of a chunk at most. `record/batch-sizes` has `verify-schnorr` on one thread, where a chunk is a whole call
/// of up to 256 rows: 2.98 us per row for 32 rows, 2.83 us for 64, 2.74 us for 256. Longer chunks: not measured apart.
pub(crate) const ROWS_PER_CHUNK_MAX: usize = 256;
/// Rows of a chunk at least. A multiple of the lanes of any backend. `record/batch-sizes`: 3.43 us per row for 16
/// rows, 2.98 us for 32.
pub(crate) const ROWS_PER_CHUNK_MIN: usize = 32;
/// Chunks per thread where all threads are equally fast. With fewer, the last chunk may keep the other threads waiting.
/// Not measured apart.
pub(crate) const CHUNKS_PER_THREAD: usize = 4;
/// Rows of secret keys in columns that are read to the stack at a time: half the rows of an inversion on eight lanes.
/// More take more of a stack that may be small. Not measured apart.
pub(crate) const SECRET_ROWS_ON_STACK: usize = 64;

// Eight lanes.

/// Groups of eight rows that share an inversion. Their tables, products and partial sums stay in a level-2 cache
/// together. `lab/trials.md`, "Shared inversions", compares 8, 16, 24 and 32 groups.
pub(crate) const GROUPS_PER_INVERSION: usize = 16;

/// Groups of x coordinates whose roots are computed side by side: a squaring waits for the one before it, twice as long
/// as it takes. Four groups for two took 224 ns per lifted key for 242, and twice as long to compile. Where a word is
/// several registers, nothing is gained by it. A run by hand on an Intel Xeon, without a record.
pub(crate) const LIFTS_SIDE_BY_SIDE: usize = 2;

/// Spend keys of a receiver of silent payments whose sums share an inversion. Most receivers have two. Not measured
/// apart.
pub(crate) const SPEND_KEYS_AT_ONCE: usize = 4;

/// Rows of a scan for silent payments that share inversions on one lane: as many as fit into the memory of other
/// operations. Not measured apart.
pub(crate) const ROWS_OF_A_SCAN_ON_ONE_LANE: usize = 64;

/// The cache lines in which any operation computes a chunk of rows, on one lane and in eight. The test
/// `workspaces_are_enough_and_no_larger` says what they are.
pub(crate) const LINES_OF_ONE_LANE: usize = 2369;
pub(crate) const LINES_OF_EIGHT_LANES: usize = 12838;

// Tables of keys.

/// Rows of eight keys together for which the tables of these keys pay: 16 per key. By `lab/trials.md`, "Tables of
/// keys", a table pays from 10 to 16 rows on. Other values: not measured apart.
pub(crate) const ROWS_TO_BUILD_8: usize = 128;
/// Rows under a key that are worth a group of eight lanes by the key's table. Fewer are computed without the table. By
/// `record/prepared` a group takes 8 times 923 ns (64 keys), as long as 2.8 rows without a table take (2.64 us
/// each). Other values: not measured apart.
pub(crate) const MIN_ROWS_PER_GROUP: usize = 3;
/// Keys without a table whose rows are counted, per table that there may be. When there are more such keys, all counts
/// are forgotten. Not measured apart.
#[cfg(feature = "std")]
pub(crate) const COUNTED_KEYS_PER_TABLE: usize = 8;
/// Bytes of tables where the caller sets no bound: 1,191 tables. Not measured apart; the largest number of keys in
/// `record/prepared` is 512.
pub(crate) const TABLE_MEMORY: usize = 64 << 20;

// Sums of products.

/// Terms from which on threads share the windows of a sum. Not measured apart.
pub(crate) const SPLIT_WINDOWS_FROM: usize = 128;
/// Terms from which on each thread sums points of its own: its buckets are then few beside its points. Not measured
/// apart.
pub(crate) const SPLIT_POINTS_FROM: usize = 1 << 16;
/// Terms of a piece at most, so that its points stay in a cache. `lab/trials.md`, "Sums of products", compares
/// 2^15 with 2^17.
pub(crate) const TERMS_PER_PIECE_MAX: usize = 1 << 15;
/// Terms of a piece that is not divided further, however little memory there is. Not measured apart.
pub(crate) const TERMS_PER_PIECE_MIN: usize = 64;
/// Bytes of a sum's tables at most, whatever the caller allows. This is a bound, not a matter of speed: references to
/// points reach four times as far.
pub(crate) const MAX_TABLE_BYTES: usize = 1 << 30;
/// Pairs of points that share an inversion where a caller adds pairs. References reach 2^26 points. Not measured apart;
/// `record/affine-add` has calls of up to 1,024 pairs.
pub(crate) const PAIRS_PER_INVERSION: usize = 1 << 16;
/// Bytes of a thread's memory for sums that it keeps from call to call, and as many for batches. The plan with the most
/// buckets, of windows of 16 bits, takes 37 MiB at its worst, and is kept. `lab/trials.md`, "Sums of products",
/// compares kept memory with fresh memory. Other bounds: not measured apart.
#[cfg(feature = "std")]
pub(crate) const KEPT_WORKSPACE_BYTES: usize = 40 << 20;

// Batch verification.

/// Rows of one sum at most. `record/batch-sizes`: 1.24 us per row in a sum of 4,096 rows, 1.19 us in one of 16,384.
/// Longer sums of rows: not measured apart.
pub(crate) const ROWS_PER_SUM: usize = 1 << 14;
/// Rows of one sum at most in memory that the caller lends: most of what a batch gains, in a few megabytes. By
/// `record/batch-sizes` a sum of 4,096 rows takes 4% more per row than one of 16,384.
pub(crate) const ROWS_PER_WORKSPACE_SUM: usize = 1 << 12;
const _: () = assert!(ROWS_PER_WORKSPACE_SUM <= ROWS_PER_SUM);
/// Rows that are verified one by one rather than halved further. By `record/batch-sizes` 64 rows take 2.91 us each
/// in a batch, which sums them, and 2.83 us each one by one. Sums of fewer rows: not measured apart.
pub(crate) const MIN_BISECTION: usize = 32;
/// Rows that are verified one by one first, to learn how many rows will fail: a group of lanes. Not measured apart.
pub(crate) const SAMPLE: usize = 8;

// One lane.

/// Rows of a verification on one lane that share inversions: one for each of five rounds of additions, and one for the
/// equations. Their sums stay in a level-1 cache. Not measured apart.
pub(crate) const ROWS_BY_X_ON_ONE_LANE: usize = 32;

/// Elements per inversion of a batch on the stack. By `lab/trials.md`, "Single calls", an inversion in constant
/// time takes 0.93 us, which is 7 ns per element: less than one multiplication. Other values: not measured apart.
pub(crate) const ELEMENTS_PER_INVERSION: usize = 128;
