//! `lab report`: the newest records of every CPU as one page of Markdown.
//!
//! [`cpus`] gathers the rows by CPU. [`headline`] sets CPUs side by side, [`fastest`] says who is fastest at what on
//! one. [`readme`] keeps the first page of the repository up to date.

mod cpus;
mod fastest;
mod headline;
mod readme;
mod table;

use crate::{
    Failure,
    outcome::{Absent, AbsentPeer, Outcome, absent_peers, builds, say},
    record::not_written,
    revision::lab,
};
use clap::Args;
use cpus::{Cpu, List};
use std::{fs, path::PathBuf};
use table::Table;

/// What to report.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Writes `report.md` to this folder, not to `lab/report`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Reads the records of this folder, not those of `lab/record`
    #[arg(long, value_name = "FOLDER", conflicts_with = "readme")]
    records: Option<PathBuf>,
    /// Also writes the table of `README.md` and its chart anew
    #[arg(long, conflicts_with = "into")]
    readme: bool,
}

const ABOUT: &str = "A ratio is the peer's median time over ours: above 1 Phalanx is faster. Both times come from \
                     samples of the two libraries in turn on the same rows, after their results were found equal. \
                     Figures of one CPU say nothing about another, so each has a part of its own.";

/// The page of these CPUs.
fn page(cpus: &[Cpu]) -> String {
    let mut page = format!("# Phalanx beside its peers\n\n{ABOUT}\n\n{}", headline::table(cpus).markdown());
    for cpu in cpus {
        let lists = cpu.lists.iter().map(|(name, list)| rows(name, list));
        let tables = [fastest::table(cpu)].into_iter().chain(lists);
        page += &format!("\n## {}\n", cpu.short_name());
        page.extend(tables.map(|table| format!("\n{}", table.markdown())));
    }
    page
}

/// All rows of a list, what it lacks, and how its libraries were built.
fn rows(name: &str, list: &List) -> Table {
    let mut table = Table::new(&format!("{name}, {}, {} rows", list.date, list.rows.len()), Outcome::HEADING);
    table.rows = list.rows.iter().map(|row| row.cells().into()).collect();
    let absent = list.absent.iter().map(|Absent { absent, reason, .. }| format!("Not there: {absent}: {reason}"));
    let peers =
        absent_peers(&list.rows).into_iter().map(|AbsentPeer { peer, reason }| format!("Not there: {peer}: {reason}"));
    table.notes = absent.chain(peers).chain(builds(&list.rows).iter().map(|built| built.to_string())).collect();
    table
}

/// Writes the page.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let cpus = cpus::newest(&settings.records.clone().unwrap_or_else(|| lab().join("record")))?;
    let folder = settings.into.clone().unwrap_or_else(|| lab().join("report"));
    let path = folder.join("report.md");
    fs::create_dir_all(&folder).and_then(|()| fs::write(&path, page(&cpus))).map_err(not_written(&path))?;
    say(&path.display().to_string())?;
    if settings.readme { readme::write(&cpus) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_cpu_every_row_and_the_builds() {
        let cpus = cpus::newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"));
        let text = page(&cpus);
        assert!(cpus.len() > 1);
        for cpu in &cpus {
            assert!(text.contains(&format!("\n## {}\n", cpu.short_name())));
            for list in cpu.lists.values() {
                for cells in list.rows.iter().map(Outcome::cells) {
                    assert!(text.contains(&format!("| {} |\n", cells.join(" | "))), "{cells:?}");
                }
                assert!(builds(&list.rows).iter().all(|built| text.contains(&format!("- {built}\n"))));
                assert!(list.absent.iter().all(|one| text.contains(&format!("Not there: {}: ", one.absent))));
            }
        }
    }
}
