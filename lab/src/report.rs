//! `lab report`: the newest records of every CPU as one page, and the same as Markdown and JSON.
//!
//! [`cpus`] gathers the rows by CPU. [`headline`] sets CPUs side by side, [`figures`] has the charts of one, with
//! [`memory`] and [`ablations`]; [`study`] repeats the field's studies. [`chart`] draws, [`table`] lays out, [`page`] and
//! [`text`] write, [`readme`] keeps the first page of the repository up to date. No series of a chart holds rows of two CPUs.

mod ablations;
mod chart;
mod cpus;
mod figures;
mod headline;
mod memory;
mod page;
mod readme;
mod study;
mod table;
mod text;

use crate::{Failure, outcome::say, revision::lab};
use clap::Args;
use cpus::Cpu;
use std::{
    fs,
    path::{Path, PathBuf},
};
use study::Study;

/// What to report.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Writes `report.html`, `report.md` and `report.json` to this folder, not to `lab/report`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Reads the records of this folder, not those of `lab/record`
    #[arg(long, value_name = "FOLDER", conflicts_with = "readme")]
    pub(crate) records: Option<PathBuf>,
    /// Also writes the table of `README.md` and its chart anew
    #[arg(long, conflicts_with = "into")]
    pub(crate) readme: bool,
    /// Prints one of the field's studies instead, as Markdown: what it published, and the same measured here
    #[arg(long, value_enum, conflicts_with_all = ["into", "readme"])]
    pub(crate) study: Option<Study>,
}

/// Writes the three forms.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let kept = settings.records.clone().unwrap_or_else(|| lab().join("record"));
    let cpus = cpus::newest(&kept)?;
    if let Some(study) = settings.study {
        return say(&text::study(study, &cpus));
    }
    let folder = settings.into.clone().unwrap_or_else(|| lab().join("report"));
    fs::create_dir_all(&folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let forms = [("html", page::page(&cpus)), ("md", text::markdown(&cpus)), ("json", json(&cpus))];
    for (ending, text) in forms {
        let path = folder.join("report").with_extension(ending);
        fs::write(&path, text).map_err(|error| Failure::Broken(format!("{}: {error}", path.display())))?;
        say(&path.display().to_string())?;
    }
    if settings.readme { readme::write(&cpus) } else { Ok(()) }
}

/// The table of ratios of the records in a folder, as Markdown.
pub(crate) fn headline(records: &Path) -> Result<String, Failure> {
    Ok(text::headline(&cpus::newest(records)?))
}

/// Everything that the page is made of: the rows under their CPU, and the tables of the studies.
fn json(cpus: &[Cpu]) -> String {
    let studies = Study::ALL.map(|study| serde_json::json!({"study": study.title(), "tables": study.tables(cpus)}));
    let all = serde_json::json!({"cpus": cpus, "studies": studies});
    serde_json::to_string_pretty(&all).expect("strings and numbers have a JSON form") + "\n"
}
