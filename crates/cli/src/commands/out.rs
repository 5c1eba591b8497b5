//! What becomes of what a run finds.

use std::path::{Path, PathBuf};

use clap::Args;

use super::backend::ComputeArgs;
use crate::exit::RunError;
use crate::output::OutputFormat;

/// What becomes of what a run finds, and by what it computes.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write what is found to this file, row by row: Parquet, CSV or JSON lines by its ending.
    ///
    /// The file appears under its name only when it is complete. It replaces the file that has the name then, and takes
    /// over its permissions; a symbolic link is followed, and stays. A run that is killed leaves nothing on Linux, but
    /// for the moment in which a file is replaced, and unless the file system needs a name for each file; then, and on
    /// other systems, it leaves a `.phalanx-*.tmp` beside the name, which may be removed. An output that would replace
    /// an input is refused.
    ///
    /// `-` is standard output, as JSON lines unless --out-format says otherwise; the summary then goes to standard
    /// error.
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// The format of the output, whatever its ending.
    #[arg(long, value_name = "FORMAT", requires = "out")]
    out_format: Option<OutputFormat>,

    #[command(flatten)]
    pub(super) compute: ComputeArgs,

    /// Print the summary as one JSON object.
    #[arg(long)]
    pub(super) json: bool,

    /// Show neither progress nor rows.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl OutputArgs {
    /// The option and its path, if it is given.
    pub(super) fn named(&self) -> Option<(&'static str, &Path)> {
        Some(("--out", self.out.as_deref()?))
    }

    /// The file of the answers, and its format.
    pub(super) fn file(&self) -> Result<Option<(&Path, OutputFormat)>, RunError> {
        let path = self.out.as_deref();
        path.map(|path| Ok((path, OutputFormat::of(path, self.out_format)?))).transpose()
    }
}
