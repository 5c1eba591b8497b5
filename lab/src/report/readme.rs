//! The table and the chart of the repository's first page.

use super::{
    cpus::Cpu,
    headline::{self, Line, columns, headlines},
};
use crate::{Failure, outcome::say, revision::lab};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What stands around the table.
const MARKS: [&str; 2] = ["<!-- `lab report --readme` makes this table -->\n\n", "\n<!-- until here -->\n"];

fn readme() -> PathBuf {
    lab().parent().expect("the lab is in the repository").join("README.md")
}

fn chart() -> PathBuf {
    lab().join("report/bulk.svg")
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
    let ratio = |single, line: &Line| {
        let ratio = best(single).and_then(|column| column.ratio(line));
        ratio.map_or_else(String::new, |ratio| format!("{ratio:.1}x"))
    };
    let mut text = "| operation | in bulk | one at a time |\n|---|---|---|\n".to_owned();
    for line in headlines() {
        text += &format!("| {} | {} | {} |\n", line.words, ratio(false, &line), ratio(true, &line));
    }
    let measured = [best(false), best(true)].into_iter().flatten();
    let measured = measured.map(|column| format!("{} `{}`, {}", column.calls(), column.backend, column.records()));
    let measured: Vec<_> = measured.collect();
    text + &format!("\nMeasured on an {}: {}.\n", cpu[0].short_name(), measured.join("; "))
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
pub(crate) fn write(cpus: &[Cpu]) -> Result<(), Failure> {
    let failed = |path: &Path, error: &str| Failure::Broken(format!("{}: {error}", path.display()));
    let path = readme();
    let page = fs::read_to_string(&path).map_err(|error| failed(&path, &error.to_string()))?;
    let cpu = shown(cpus);
    let page = with_table(&page, &table(cpu)).map_err(|error| failed(&path, &error))?;
    for (path, text) in [(path, page), (chart(), headline::chart(cpu).alone())] {
        fs::write(&path, text).map_err(|error| failed(&path, &error.to_string()))?;
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
        let first = fs::read_to_string(readme()).unwrap();
        let advice = "run `lab report --readme`";
        let cpu = shown(&cpus);
        assert!(with_table(&first, &table(cpu)).unwrap() == first, "the table of README.md: {advice}");
        assert!(fs::read_to_string(chart()).unwrap() == headline::chart(cpu).alone(), "lab/report/bulk.svg: {advice}");
    }

    #[test]
    fn a_page_without_a_place_for_the_table_is_refused() {
        assert!(with_table("# Phalanx", "| |").is_err());
        let page = format!("a{}old{}b", MARKS[0], MARKS[1]);
        assert_eq!(with_table(&page, "new").unwrap(), format!("a{}new{}b", MARKS[0], MARKS[1]));
    }
}
