//! `lab report`: the newest records of every CPU as one page, and the same as Markdown and JSON.
//!
//! [`cpus`] gathers the rows by CPU, [`figures`] chooses what is shown of them, [`chart`] draws, [`page`] and [`text`]
//! write, [`study`] repeats the field's studies, [`readme`] keeps the first page of the repository up to date. No series of a chart holds rows of two CPUs.

mod chart;
mod cpus;
mod figures;
mod page;
mod readme;
mod study;
mod text;

use crate::{Failure, outcome::say, revision::lab};
use clap::Args;
use cpus::Cpu;
use std::{fs, path::PathBuf};
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
        let tables = study.tables(&cpus);
        let text = tables.iter().map(|table| format!("\n## {}", table.markdown())).collect::<String>();
        return say(&format!("# {}\n{text}", study.title()));
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

/// Every row that the page is made of, under its CPU.
fn json(cpus: &[Cpu]) -> String {
    serde_json::to_string_pretty(cpus).expect("strings and numbers have a JSON form") + "\n"
}
