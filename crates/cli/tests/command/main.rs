//! The command from the outside: files in, bytes and exit statuses out.
//!
//! `running` starts the command, `rows` signs rows with the library, `files` writes them in every form that the command
//! reads, `crafted` makes Parquet files that no writer would. The other modules hold the tests, each on one subject.

mod batches;
mod bench;
mod block_files;
mod block_outputs;
mod blocks;
mod chain;
mod columns;
mod crafted;
mod derive;
mod endings;
mod files;
mod forgeries;
mod forms;
mod help;
mod hostile;
mod inputs;
mod invariance;
mod long_lines;
mod memory;
mod mutations;
mod nodes;
mod nostr;
mod outputs;
mod quotes;
mod recovery;
mod recovery_ids;
mod relays;
mod replacing;
mod rows;
mod running;
mod sample;
mod scan;
mod secrets;
mod several;
mod shared;
mod signals;
mod single;
mod statuses;
mod streams;
mod sums;
mod terminal;
mod values;
mod verdicts;
mod worldly;
mod wycheproof;
