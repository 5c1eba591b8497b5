//! The command from the outside: files in, bytes and exit statuses out.
//!
//! `running` starts the command, `rows` signs rows with the library, `files` writes them in every form that the command
//! reads, `crafted` makes Parquet files that no writer would. The other modules hold the tests, each on one subject.

mod columns;
mod crafted;
mod endings;
mod files;
mod help;
mod hostile;
mod inputs;
mod invariance;
mod mutations;
mod nostr;
mod outputs;
mod recovery;
mod rows;
mod running;
mod sample;
mod shared;
mod single;
mod statuses;
mod sums;
mod together;
mod verdicts;
mod wycheproof;
