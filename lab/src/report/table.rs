//! A table, as Markdown and as HTML.

use maud::{Markup, html};
use serde::Serialize;

/// What stands in a cell whose figure nobody took.
pub(crate) const NOT_MEASURED: &str = "not measured";
/// What stands in a cell of a library that is absent; a note below the table has the reason.
pub(crate) const ABSENT: &str = "absent";

/// A table.
#[derive(Debug, Serialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// What is said below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Table {
    /// A published table: its figures as they were published. The first line of the text says what it is.
    pub(crate) fn published(text: &str) -> Self {
        let (about, figures) = text.split_once('\n').expect("a line says what it is");
        let mut lines = figures.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let columns = lines.next().expect("a line names the columns");
        let about = about.trim_start_matches('#').trim();
        let title = format!("Published, measured elsewhere: {about}");
        Self { title, columns, rows: lines.collect(), notes: Vec::new() }
    }

    /// A table without rows.
    pub(crate) fn new(title: String, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Self { title, columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// The place of a column.
    ///
    /// # Panics
    /// If the table has no such column.
    pub(crate) fn column(&self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).expect("the table has the column")
    }

    /// Adds a column that is computed from the others.
    pub(crate) fn add_column(&mut self, name: &str, value: impl Fn(&[String]) -> String) {
        self.columns.push(name.to_owned());
        for row in &mut self.rows {
            let value = value(row);
            row.push(value);
        }
    }

    /// The table as Markdown; of one without rows its title.
    pub(crate) fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return format!("{}\n", self.title);
        }
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        let notes: String = self.notes.iter().map(|note| format!("\n{note}\n")).collect();
        format!("{}\n\n{}|{}\n{rows}{notes}", self.title, line(&self.columns), "---|".repeat(self.columns.len()))
    }

    /// The table as HTML, under its title.
    pub(crate) fn html(&self) -> Markup {
        let (begin, rest) = self.title.split_once(": ").unwrap_or((&self.title, ""));
        html! {
            p { strong { (begin) } @if !rest.is_empty() { ": " (rest) } }
            @if !self.rows.is_empty() {
                (scrolling(begin, html! {
                    table {
                        thead { tr { @for cell in &self.columns { th { (cell) } } } }
                        tbody { @for row in &self.rows { tr { @for cell in row { td { (cell) } } } } }
                    }
                }))
                @for note in &self.notes { p.small { (note) } }
            }
        }
    }
}

/// A table that may be wider than the page, which scrolls by finger or key; the style shades an edge behind which there is more.
pub(crate) fn scrolling(name: &str, table: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(name) { (table) } }
}

/// A figure with so many decimals.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| NOT_MEASURED.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A cell as a number.
pub(crate) fn of_cell(row: &[String], cell: usize) -> Option<f64> {
    row.get(cell)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_table_keeps_every_cell() {
        let mut table = Table::published("# of a day\na,b\n1,2.50\n3,\n");
        assert_eq!(table.title, "Published, measured elsewhere: of a day");
        table.add_column("c", |row| number(of_cell(row, 1), 1));
        let text = "| a | b | c |\n|---|---|---|\n| 1 | 2.50 | 2.5 |\n| 3 |  | not measured |\n";
        assert!(table.markdown().ends_with(text), "{}", table.markdown());
        table.notes.push("d is absent".into());
        assert!(table.markdown().ends_with("| not measured |\n\nd is absent\n"));
        assert!(table.html().into_string().contains("<p class=\"small\">d is absent</p>"));
        assert_eq!(table.column("b"), 1);
    }
}
