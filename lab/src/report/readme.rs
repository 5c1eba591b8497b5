//! The table and the chart of the repository's first page.

use super::{
    cpus::Cpu,
    headline::{Line, columns, headlines},
};
use crate::{
    Failure,
    chart::{Bars, Chart},
    outcome::say,
    record::not_written,
    revision::lab,
};
use std::{fs, path::PathBuf};

/// What stands around the table.
const MARKS: [&str; 2] = ["<!-- `lab report --readme` makes this table -->\n\n", "\n<!-- until here -->\n"];

/// The page, and the file of the chart.
fn paths() -> [PathBuf; 2] {
    [lab().join("../README.md"), lab().join("report/bulk.svg")]
}

/// The CPU that the page shows: of those measured in bulk the one whose record is the newest.
fn shown(cpus: &[Cpu]) -> &[Cpu] {
    let date = |cpu: &Cpu| cpu.lists.get("bulk").map(|list| list.date.clone());
    let newest = (0..cpus.len()).max_by_key(|place| date(&cpus[*place])).expect("there is a record");
    &cpus[newest..=newest]
}

/// How many times as fast as libsecp256k1 its best backend is, and where that was measured.
fn table(cpu: &[Cpu]) -> String {
    let columns = columns(cpu);
    let best = |single: bool| columns.iter().find(|column| column.single == single);
    let ratio = |single, line: &Line| best(single).map_or_else(String::new, |column| column.times(line));
    let mut text = "| operation | in bulk | one at a time |\n|---|---|---|\n".to_owned();
    for line in headlines() {
        text += &format!("| {} | {} | {} |\n", line.words, ratio(false, &line), ratio(true, &line));
    }
    let measured = [best(false), best(true)].into_iter().flatten();
    let measured = measured.map(|column| format!("{} `{}`, {}", column.calls(), column.backend, column.records()));
    let measured: Vec<_> = measured.collect();
    text + &format!("\nMeasured on an {}: {}.\n", cpu[0].short_name(), measured.join("; "))
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
    let lines = headlines().into_iter().filter(|line| line.keys.is_none());
    let chart = Bars {
        title: "Times libsecp256k1, in bulk".into(),
        note: "One thread, 4,096 rows a call.".into(),
        unit: "times as fast as libsecp256k1".into(),
        series: columns.iter().map(|column| format!("{}, {brief}", column.backend)).collect(),
        groups: lines.map(|line| (line.words.to_owned(), bars(&line))).collect(),
    };
    Chart::Bars(chart).svg()
}

/// The page with this table in it.
fn with_table(page: &str, table: &str) -> Result<String, String> {
    let [begin, end] = MARKS;
    let missing = || format!("README.md has no place for the table: {begin:?} and {end:?}");
    let (before, rest) = page.split_once(begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok([before, begin, table, end, after].concat())
}

/// Writes both.
pub(super) fn write(cpus: &[Cpu]) -> Result<(), Failure> {
    let [page, svg] = paths();
    let cpu = shown(cpus);
    let text = fs::read_to_string(&page).map_err(not_written(&page))?;
    let text = with_table(&text, &table(cpu)).map_err(Failure::Broken)?;
    for (path, text) in [(page, text), (svg, chart(cpu))] {
        fs::write(&path, text).map_err(not_written(&path))?;
        say(&path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::cpus::newest;

    #[test]
    fn the_first_page_agrees_with_the_newest_records() {
        let cpus = newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"));
        let [page, svg] = paths().map(|path| fs::read_to_string(path).unwrap());
        let advice = "run `lab report --readme`";
        let cpu = shown(&cpus);
        assert!(with_table(&page, &table(cpu)).unwrap() == page, "the table of README.md: {advice}");
        assert!(svg == chart(cpu), "lab/report/bulk.svg: {advice}");
    }

    #[test]
    fn a_page_without_a_place_for_the_table_is_refused() {
        assert!(with_table("# Phalanx", "| |").is_err());
        let page = format!("a{}old{}b", MARKS[0], MARKS[1]);
        assert_eq!(with_table(&page, "new").unwrap(), format!("a{}new{}b", MARKS[0], MARKS[1]));
    }
}
