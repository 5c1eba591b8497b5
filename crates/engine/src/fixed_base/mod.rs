//! Sums over a basis of points that never changes, by tables that are computed once, on any curve.
//!
//! | file | holds |
//! |---|---|
//! | `scheme` | the contents of a table: subset sums, signed windows, or the comb of signed digits |
//! | `short_list` | short lists inside the value that owns them |
//! | `configuration` | several tables, and the rules by which a sum uses them |
//! | `scalar`, `lookups` | digits of scalars, and the entries that they ask for |
//! | `vector` | vectors with all scalars or a few, and the cost of their sum |
//! | `points` | points in memory, and rounds that append sums to them |
//! | `build` | tables, part by part, in rounds of affine additions |
//! | `tables` | tables in memory, and the steps of a sum |
//! | `saved`, `checksum` | tables as a file, which is checked when it is read |
//! | `stored` | rows in memory that the tables own, or in a file |
//! | `mapped` | files of tables that are mapped to memory, with the feature `mmap` |
//! | `workspace` | the memory of one thread's sums, lent or growing |
//! | `rounds`, `horner` | sums of many entries, for one vector or several |
//! | `across_lanes` | sums of few entries, spread over the lanes |
//! | `planner` | which tables to build within a budget |
//! | `in_workspace` | sums of terms in any order, in a caller's memory |
//! | `limits` | thresholds |
//!
//! A vector of scalars asks for entries. Each entry belongs to one of t columns. The sum of column c is multiplied by
//! 2^c. All is variable time, for public scalars. The caller makes the threads: they share the tables, and each thread
//! has a workspace of its own.
//!
//! Tables and sums can be computed in memory that a caller lends: tables part by part ([`Configuration::build_part`]),
//! and sums ([`Tables::sums_in_vartime`], [`Tables::sums_of_terms_in_vartime`]).

mod across_lanes;
mod build;
mod checksum;
mod configuration;
mod horner;
mod in_workspace;
mod limits;
mod lookups;
#[cfg(feature = "mmap")]
mod mapped;
mod planner;
mod points;
mod rounds;
mod saved;
mod scalar;
mod scheme;
mod short_list;
mod stored;
mod tables;
mod vector;
mod workspace;

pub use build::Part;
pub use configuration::{Configuration, ConfigurationError, MAX_TABLES, MAX_TABLES_OF_RULE, Rule, TableSpec};
pub use limits::{DOUBLING_ALONE, DOUBLING_SIDE_BY_SIDE};
#[cfg(feature = "mmap")]
pub use mapped::{MapError, MappedFile};
pub use planner::{Expected, Load, Planned, Request};
pub use saved::{SavedError, SavedRows};
pub use scheme::{Layout, MAX_COLUMNS, MAX_GROUP, MAX_WINDOW, Scheme};
pub use short_list::ShortList;
pub use stored::StoredRows;
pub use tables::Tables;
pub use vector::{Operations, Vector, scalar_difference};
pub use workspace::Workspace;

/// An error where something does not hold.
fn require<E>(holds: bool, error: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(error) }
}
