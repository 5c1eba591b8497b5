//! An extension that DuckDB loads: the function `phalanx_scan`, which finds silent payments in the rows of a table.
//!
//! DuckDB binds the function once for each query, and then calls it for chunks of some 2,000 rows, from many threads.
//! `docs/use/silent-payments.md` says what SQL sees of it.
//!
//! ```text
//! LOAD ──> entry ──> table                       DuckDB's functions, which are kept; ours is registered
//! bind ──> callbacks ──> binding ──> wallet      constant arguments; the receiver, which the query keeps
//!                           └──> file ──┘        the scan secret, read as DuckDB's settings allow
//! chunk ──> callbacks ──> columns ──> answer     rows, read in place; a list of items for each
//!                    <── lists <──────┘
//! ```
//!
//! DuckDB is C++ and may throw, so its functions and ours have the ABI `C-unwind`. Nothing that may throw runs where
//! panics are caught, which must not catch an exception of C++.

mod answer;
mod binding;
mod callbacks;
mod columns;
mod entry;
mod file;
mod lists;
mod owned;
mod table;
mod text;
mod wallet;
