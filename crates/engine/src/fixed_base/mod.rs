//! Sums over a basis of points that never changes, by tables that are computed once. Any curve.
//!
//! | file | holds |
//! |---|---|
//! | `scheme` | what a table holds: subset sums, signed windows, or the comb of signed digits |
//! | `few` | short lists that lie where their owner does |
//! | `configuration` | several tables, and the rules by which they serve |
//! | `scalar`, `lookups` | digits of scalars, and the entries that they ask for |
//! | `vector` | scalars, all of them or a few, and what their sum costs |
//! | `points` | points in memory, and rounds that append sums to them |
//! | `build` | tables, part by part, in rounds of affine additions |
//! | `tables` | tables in memory, and the way a sum takes |
//! | `saved`, `checksum` | tables as a file, read back checked |
//! | `held` | rows in memory of their own, or in a file |
//! | `mapped` | files of tables that are mapped to memory, by the feature `mmap` |
//! | `workspace` | the memory of one thread's sums, lent or growing |
//! | `rounds`, `horner` | sums of many entries, of one vector or of many |
//! | `spread` | sums of few entries, dealt to the lanes |
//! | `planner` | which tables to build within a budget |
//! | `lent` | sums of terms in any order, in a caller's memory |
//! | `limits` | thresholds |
//!
//! A vector of scalars asks for entries, each in one of t columns; the sum of column c counts 2^c. Variable time
//! throughout, for scalars that are public. Threads are the caller's: tables are shared, a workspace is one thread's.
//!
//! All of it can be done in memory that a caller lends: tables part by part ([`Configuration::build_part`]), and sums
//! ([`Tables::sums_in_vartime`], [`Tables::sums_of_terms_in_vartime`]).

mod build;
mod checksum;
mod configuration;
mod few;
mod held;
mod horner;
mod lent;
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
mod spread;
mod tables;
mod vector;
mod workspace;

pub use build::Part;
pub use configuration::{Configuration, ConfigurationError, MAX_TABLES, MAX_TABLES_OF_RULE, Rule, TableSpec};
pub use few::Few;
pub use held::HeldRows;
pub use limits::{DOUBLING_ALONE, DOUBLING_SIDE_BY_SIDE};
#[cfg(feature = "mmap")]
pub use mapped::{MapError, MappedFile};
pub use planner::{Expected, Load, Planned, Request};
pub use saved::{SavedError, SavedRows};
pub use scheme::{Layout, MAX_COLUMNS, MAX_GROUP, MAX_WINDOW, Scheme};
pub use tables::Tables;
pub use vector::{Operations, Vector, scalar_difference};
pub use workspace::Workspace;
