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
use chart::Chart;
use clap::Args;
use cpus::Cpu;
use figures::figures;
use headline::{headline_chart, rates_chart};
use serde_json::json;
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

/// Writes the page alone.
pub(crate) fn page_of(records: &Path, folder: &Path) -> Result<(), Failure> {
    write(folder, "html", &page::page(&cpus::newest(records)?))
}

fn write(folder: &Path, ending: &str, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let path = folder.join("report").with_extension(ending);
    fs::write(&path, text).map_err(|error| Failure::Broken(format!("{}: {error}", path.display())))?;
    say(&path.display().to_string())
}

/// Writes the three forms.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let kept = settings.records.clone().unwrap_or_else(|| lab().join("record"));
    let cpus = cpus::newest(&kept)?;
    if let Some(study) = settings.study {
        return say(&text::study(study, &cpus));
    }
    let folder = settings.into.clone().unwrap_or_else(|| lab().join("report"));
    for (ending, text) in [("html", page::page(&cpus)), ("md", text::markdown(&cpus)), ("json", json(&cpus))] {
        write(&folder, ending, &text)?;
    }
    if settings.readme { readme::write(&cpus) } else { Ok(()) }
}

/// The table of ratios of the records in a folder, as Markdown.
pub(crate) fn headline(records: &Path) -> Result<String, Failure> {
    Ok(text::headline(&cpus::newest(records)?))
}

/// Everything that the page is made of: the rows under their CPU, the numbers of the charts, and the tables of the studies.
fn json(cpus: &[Cpu]) -> String {
    let data = |charts: &[Chart]| charts.iter().map(Chart::data).collect::<Vec<_>>();
    let charts: Vec<_> =
        cpus.iter().map(|cpu| json!({"cpu": cpu.name, "charts": data(&figures(cpu).charts)})).collect();
    let studies = Study::ALL.map(|study| json!({"study": study.title(), "tables": study.tables(cpus)}));
    let first = data(&[headline_chart(cpus), rates_chart(cpus)]);
    let published = data(&memory::published());
    let all = json!({"cpus": cpus, "headline": first, "charts": charts, "published": published, "studies": studies});
    serde_json::to_string_pretty(&all).expect("strings and numbers have a JSON form") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read() -> Vec<Cpu> {
        cpus::newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    #[test]
    fn json_has_every_row_and_every_number_of_the_page() {
        let cpus = read();
        let value: Value = serde_json::from_str(&json(&cpus)).unwrap();
        for (place, cpu) in cpus.iter().enumerate() {
            assert_eq!(value["cpus"][place]["name"], cpu.name);
            for (name, list) in &cpu.lists {
                let rows = value["cpus"][place]["lists"][name]["rows"].as_array().unwrap();
                let ratios: Vec<_> = rows.iter().map(|row| row["ratio"].as_f64().unwrap()).collect();
                assert_eq!(ratios, list.rows.iter().map(|row| row.ratio).collect::<Vec<_>>(), "{name}");
            }
            let charts = value["charts"][place]["charts"].as_array().unwrap();
            assert_eq!(charts.len(), figures(cpu).charts.len());
            assert!(charts.iter().all(|chart| !chart["rows"].as_array().unwrap().is_empty()));
        }
        assert_eq!(value["studies"].as_array().unwrap().len(), Study::ALL.len());
    }

    #[test]
    fn markdown_has_the_builds_and_the_numbers_of_every_chart() {
        let cpus = read();
        let text = text::markdown(&cpus);
        for cpu in &cpus {
            for chart in &figures(cpu).charts {
                let data = chart.data();
                assert!(text.contains(&format!("\n### {}\n", chart.title)), "{}", chart.title);
                let last = data.rows.last().unwrap().join(" | ");
                assert!(text.contains(&format!("| {last} |\n")), "{}: {last}", chart.title);
            }
            for list in cpu.lists.values() {
                for built in crate::outcome::builds(&list.rows) {
                    assert!(text.contains(&format!("- {built}\n")), "{built}");
                }
            }
        }
    }
}
