//! By what a run computes.

use clap::Args;

/// What computes.
#[derive(Debug, Args)]
pub(crate) struct Means {
    /// How many threads compute; by default as many as the machine can run at once. Reading has a thread
    /// beside them, and so has the writing of answers, if there are any.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,

    /// The implementation to compute with, one of those that `phalanx info` lists; by default the fastest.
    ///
    /// The environment variable PHALANX_BACKEND does the same.
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
}
