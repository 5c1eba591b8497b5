//! The table and the chart of the repository's first page.

use super::{cpus::Cpu, headline::headline_chart, text::headline};
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
    let page = with_table(&page, &headline(cpus)).map_err(|error| failed(&path, &error))?;
    for (path, text) in [(path, page), (chart(), headline_chart(cpus).alone())] {
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
        assert!(with_table(&first, &headline(&cpus)).unwrap() == first, "the table of README.md: {advice}");
        assert!(fs::read_to_string(chart()).unwrap() == headline_chart(&cpus).alone(), "lab/report/bulk.svg: {advice}");
    }

    #[test]
    fn a_page_without_a_place_for_the_table_is_refused() {
        assert!(with_table("# Phalanx", "| |").is_err());
        let page = format!("a{}old{}b", MARKS[0], MARKS[1]);
        assert_eq!(with_table(&page, "new").unwrap(), format!("a{}new{}b", MARKS[0], MARKS[1]));
    }
}
