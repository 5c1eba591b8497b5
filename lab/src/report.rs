//! `lab report`: the newest records of every CPU as one page, and the same as Markdown and JSON.
//!
//! [`cpus`] gathers the rows by CPU. [`headline`] sets CPUs side by side, [`figures`] has the charts of one, [`study`] the
//! field's studies. A page is a list of blocks, which [`page`] writes and [`chart`] draws; [`readme`] keeps the first page
//! of the repository up to date. No series of a chart holds rows of two CPUs.

mod chart;
mod cpus;
mod figures;
mod headline;
mod page;
mod readme;
mod study;
mod table;

use crate::{
    Failure,
    outcome::{Absent, AbsentPeer, Outcome, absent_peers, builds, say},
    presence::{Found, Presence},
    revision::lab,
};
use clap::{Args, ValueEnum};
use cpus::{Cpu, List};
use figures::figures;
use page::Block;
use std::{
    fs,
    path::{Path, PathBuf},
};
use study::Study;
use table::Table;

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
    /// Prints one of the field's studies instead, as Markdown: what it published, with our rows
    #[arg(long, value_enum, conflicts_with_all = ["into", "readme"])]
    pub(crate) study: Option<Study>,
}

const TITLE: &str = "Phalanx beside its peers";
const ABOUT: &str = "A ratio is the peer's median time over ours: above 1 Phalanx is faster. Both times come from samples of the \
                     two libraries in turn on the same rows, after their results were found equal. What was measured otherwise says \
                     so: sweeps of tables, which are ours alone, libraries among which the fastest was looked for, and everything \
                     published. Figures of one CPU say nothing about another, so each has a part of its own.";

/// The page of these CPUs.
fn page(cpus: &[Cpu]) -> Vec<Block> {
    let mut page = vec![Block::Text(ABOUT.into()), Block::Table(headline::table(cpus))];
    page.extend([headline::chart(cpus), headline::rates(cpus)].map(Block::Chart));
    for cpu in cpus {
        page.push(Block::Heading(cpu.short_name()));
        let (charts, missing) = figures(cpu);
        page.extend(charts.into_iter().map(Block::Chart));
        if !missing.is_empty() {
            page.push(Block::Text(format!("Not measured on this CPU: {}.", missing.join("; "))));
        }
        page.push(Block::Table(study::fastest(cpu)));
        if !cpu.peers.is_empty() {
            page.push(Block::Table(peers(cpu)));
        }
        page.extend(cpu.lists.iter().map(|(name, list)| Block::Table(rows(name, list))));
    }
    for study in Study::value_variants() {
        page.push(Block::Heading(format!("Published: {}", study.title())));
        page.extend(study.tables(cpus).into_iter().map(Block::Table));
    }
    page
}

/// The peers that were looked for.
fn peers(cpu: &Cpu) -> Table {
    let mut table = Table::new("Peers", ["peer", "version", "built by, or why it is absent"]);
    let row = |Presence { peer, found }: &Presence| match found {
        Found::There { version, flags } => vec![peer.clone(), version.clone(), flags.clone()],
        Found::Absent { absent } => vec![peer.clone(), "absent".to_owned(), absent.clone()],
    };
    table.rows = cpu.peers.iter().map(row).collect();
    table.is_folded = true;
    table
}

/// All rows of a list, what it lacks, and how its libraries were built.
fn rows(name: &str, list: &List) -> Table {
    let mut table = Table::new(&format!("{name}, {}, {} rows", list.date, list.rows.len()), Outcome::HEADING);
    table.rows = list.rows.iter().map(|row| row.cells().into()).collect();
    let absent = list.absent.iter().map(|Absent { absent, reason, .. }| format!("Not there: {absent}: {reason}"));
    let peers =
        absent_peers(&list.rows).into_iter().map(|AbsentPeer { peer, reason }| format!("Not there: {peer}: {reason}"));
    table.notes = absent.chain(peers).chain(builds(&list.rows).iter().map(|built| built.to_string())).collect();
    table.is_folded = true;
    table
}

fn write(folder: &Path, ending: &str, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let path = folder.join("report").with_extension(ending);
    fs::write(&path, text).map_err(|error| Failure::Broken(format!("{}: {error}", path.display())))?;
    say(&path.display().to_string())
}

/// Writes the page alone, and gives the table that it begins with as Markdown.
pub(crate) fn page_of(records: &Path, folder: &Path) -> Result<String, Failure> {
    let cpus = cpus::newest(records)?;
    write(folder, "html", &page::html(TITLE, &page(&cpus)))?;
    Ok(headline::table(&cpus).markdown())
}

/// Writes the three forms.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let cpus = cpus::newest(&settings.records.clone().unwrap_or_else(|| lab().join("record")))?;
    if let Some(study) = settings.study {
        let tables: Vec<_> = study.tables(&cpus).into_iter().map(Block::Table).collect();
        return say(&page::markdown(study.title(), &tables));
    }
    let folder = settings.into.clone().unwrap_or_else(|| lab().join("report"));
    let page = page(&cpus);
    let json = serde_json::to_string_pretty(&page).expect("strings and numbers have a JSON form") + "\n";
    for (ending, text) in [("html", page::html(TITLE, &page)), ("md", page::markdown(TITLE, &page)), ("json", json)] {
        write(&folder, ending, &text)?;
    }
    if settings.readme { readme::write(&cpus) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    fn read() -> Vec<Cpu> {
        cpus::newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    #[test]
    fn the_page_asks_for_nothing_from_anywhere() {
        let page = page::html(TITLE, &page(&read()));
        for asking in ["src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
            assert!(!page.contains(asking), "{asking}");
        }
        let charts = page.matches("<figure>").count();
        assert!(charts > 4);
        // Each has a title and a drawing with a name.
        for part in ["<figcaption><strong>", "role=\"img\" aria-label="] {
            assert_eq!(page.matches(part).count(), charts, "{part}");
        }
    }

    #[test]
    fn markdown_has_every_row_the_builds_and_the_numbers_of_every_chart() {
        let cpus = read();
        let text = page::markdown(TITLE, &page(&cpus));
        let has = |cells: &[String]| assert!(text.contains(&format!("| {} |\n", cells.join(" | "))), "{cells:?}");
        for cpu in &cpus {
            for chart in figures(cpu).0 {
                assert!(text.contains(&format!("\n### {}\n", chart.title)), "{}", chart.title);
                chart.data().rows.iter().for_each(|row| has(row));
            }
            for list in cpu.lists.values() {
                list.rows.iter().for_each(|row| has(&row.cells()));
                assert!(builds(&list.rows).iter().all(|built| text.contains(&format!("- {built}\n"))));
            }
        }
    }

    #[test]
    fn cpus_and_absent_peers_are_named() {
        let mut cpus = ["one", "two"].map(|name| cpus::cpu(name, vec![("bulk", vec![row("recover", 2.0).outcome])]));
        let absent = Found::Absent { absent: "does not build: no compiler".into() };
        cpus[1].peers.push(Presence { peer: "p256k1".into(), found: absent });
        let text = page::html(TITLE, &page(&cpus));
        assert!(text.contains("<h2>one</h2>") && text.contains("<h2>two</h2>"));
        assert!(text.contains("<td>p256k1</td><td>absent</td><td>does not build: no compiler</td>"));
        assert_eq!(text.matches("Not measured on this CPU").count(), 2);
        assert!(text.matches("<summary>bulk, 2026-01-01, 1 rows</summary>").count() == 2);
    }
}
