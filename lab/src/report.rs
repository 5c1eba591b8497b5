//! `lab report`: how many times as fast as libsecp256k1, by CPU, from the newest records. The first page of the
//! repository shows one of these CPUs as a table and as bars.

mod headline;

use crate::{
    Failure,
    chart::{Bars, Chart},
    outcome::{say, table},
    record::not_written,
    revision::lab,
};
use clap::Args;
use headline::{Column, Cpu, LINES, Line, columns, newest};
use std::{fs, path::PathBuf};

/// What to report.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Writes `report.md` to this folder, not to `lab/report`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Also writes the table of `README.md` and its chart anew
    #[arg(long, conflicts_with = "into")]
    readme: bool,
}

const ABOUT: &str = "How many times as fast as libsecp256k1 we are on one thread: its median time over ours. In bulk: \
                     one call for 4,096 rows. One at a time: a call a row. An empty place was not measured.";

/// What stands around the table of the first page.
const MARKS: [&str; 2] = ["<!-- `lab report --readme` makes this table -->\n\n", "\n<!-- until here -->\n"];

/// Writes the page.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let cpus = newest(&lab().join("record"))?;
    let folder = settings.into.clone().unwrap_or_else(|| lab().join("report"));
    fs::create_dir_all(&folder).map_err(not_written(&folder))?;
    let mut files = vec![(folder.join("report.md"), page(&cpus))];
    if settings.readme {
        let [path, svg] = first_page();
        let text = fs::read_to_string(&path).map_err(not_written(&path))?;
        let cpu = shown(&cpus);
        files.push((path, with_table(&text, &readme(cpu)).map_err(Failure::Broken)?));
        files.push((svg, chart(cpu)));
    }
    for (path, text) in files {
        fs::write(&path, text).map_err(not_written(&path))?;
        say(&path.display().to_string())?;
    }
    Ok(())
}

/// A table with a column for each of these, and a row of what `last` says of each.
fn ratios(columns: &[Column<'_>], names: &[String], last: impl Fn(&Column<'_>) -> Option<String>) -> String {
    let row = |first: &str, cells: Vec<String>| [vec![first.to_owned()], cells].concat();
    let line = |line: &Line| row(line.words, columns.iter().map(|column| column.times(line)).collect());
    let last: Vec<String> = columns.iter().filter_map(last).collect();
    let end = (!last.is_empty()).then(|| row("recorded", last));
    table(&row("operation", names.to_vec()), &LINES.iter().map(line).chain(end).collect::<Vec<_>>())
}

fn page(cpus: &[Cpu]) -> String {
    let columns = columns(cpus);
    let name = |column: &Column<'_>| format!("{}, {}, {}", column.calls(), column.backend, column.cpu.short_name());
    let names: Vec<String> = columns.iter().map(name).collect();
    format!("# Phalanx beside libsecp256k1\n\n{ABOUT}\n\n{}", ratios(&columns, &names, |column| Some(column.records())))
}

/// The first page, and the file of its chart.
fn first_page() -> [PathBuf; 2] {
    [lab().join("../README.md"), lab().join("report/bulk.svg")]
}

/// The CPU that the first page shows: of those measured in bulk the one whose record is the newest.
fn shown(cpus: &[Cpu]) -> &[Cpu] {
    let date = |cpu: &Cpu| cpu.lists.get("bulk").map(|list| list.date.clone());
    let newest = (0..cpus.len()).max_by_key(|place| date(&cpus[*place])).expect("there is a record");
    &cpus[newest..=newest]
}

/// The table of the first page: its best backend, and where that was measured.
fn readme(cpu: &[Cpu]) -> String {
    let columns = columns(cpu);
    let best = |single: bool| columns.iter().find(|column| column.single == single).copied();
    let best: Vec<Column<'_>> = [best(false), best(true)].into_iter().flatten().collect();
    let names: Vec<String> = best.iter().map(|column| column.calls().to_owned()).collect();
    let measured = best.iter().map(|column| format!("{} `{}`, {}", column.calls(), column.backend, column.records()));
    let measured = measured.collect::<Vec<_>>().join("; ");
    format!("{}\nMeasured on an {}: {measured}.\n", ratios(&best, &names, |_| None), cpu[0].short_name())
}

/// Its calls in bulk as bars, by backend.
fn chart(cpu: &[Cpu]) -> String {
    let columns: Vec<_> = columns(cpu).into_iter().filter(|column| !column.single).collect();
    let name = cpu[0].short_name();
    let brief = name.split(" (").next().unwrap_or_default();
    let bars = |line: &Line| {
        let ratios = columns.iter().map(|column| column.ratio(line)).enumerate();
        ratios.filter_map(|(series, ratio)| Some((series, ratio?))).collect()
    };
    let lines = LINES.iter().filter(|line| line.keys.is_none());
    let chart = Bars {
        title: "Times libsecp256k1, in bulk".into(),
        note: "One thread, 4,096 rows a call.".into(),
        unit: "times as fast as libsecp256k1".into(),
        series: columns.iter().map(|column| format!("{}, {brief}", column.backend)).collect(),
        groups: lines.map(|line| (line.words.to_owned(), bars(line))).collect(),
    };
    Chart::Bars(chart).svg()
}

/// The first page with this table in it.
fn with_table(page: &str, table: &str) -> Result<String, String> {
    let [begin, end] = MARKS;
    let missing = || format!("README.md has no place for the table: {begin:?} and {end:?}");
    let (before, rest) = page.split_once(begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok([before, begin, table, end, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_pages_agree_with_the_newest_records() {
        let cpus = newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"));
        let text = page(&cpus);
        assert!(cpus.len() > 1 && cpus.iter().all(|cpu| text.contains(&cpu.short_name())));
        assert!(text.split_whitespace().count() <= 3000);
        let [page, svg] = first_page().map(|path| fs::read_to_string(path).unwrap());
        let advice = "run `lab report --readme`";
        let cpu = shown(&cpus);
        assert!(with_table(&page, &readme(cpu)).unwrap() == page, "the table of README.md: {advice}");
        assert!(svg == chart(cpu), "lab/report/bulk.svg: {advice}");
        assert!(with_table("# Phalanx", "| |").is_err());
    }
}
