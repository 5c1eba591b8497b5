//! A table, as Markdown and as HTML.

use maud::{Markup, html};
use serde::Serialize;

/// A table.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// What is said below it.
    pub(crate) notes: Vec<String>,
    /// Whether only its title shows until somebody asks for the rest.
    #[serde(skip)]
    pub(crate) is_folded: bool,
}

impl Table {
    pub(crate) fn new(title: &str, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The table as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        let notes: String = self.notes.iter().map(|note| format!("\n- {note}\n")).collect();
        format!("{}\n\n{}|{}\n{rows}{notes}", self.title, line(&self.columns), "---|".repeat(self.columns.len()))
    }

    /// The table as HTML. It may be wider than the page and scrolls by finger or key; the style shades an edge behind
    /// which there is more.
    pub(super) fn html(&self) -> Markup {
        let class = |cell: &String| (cell.len() > 32).then_some(if cell.len() > 60 { "wrap long" } else { "wrap" });
        let body = html! {
            div.scroll tabindex="0" role="region" aria-label=(self.title) {
                table {
                    thead { tr { @for cell in &self.columns { th { (cell) } } } }
                    tbody { @for row in &self.rows { tr { @for cell in row { td class=[class(cell)] { (cell) } } } } }
                }
            }
            @if !self.notes.is_empty() { ul.small { @for note in &self.notes { li { (note) } } } }
        };
        html! {
            @if self.is_folded {
                details { summary { (self.title) } (body) }
            } @else {
                p { strong { (self.title) } }
                (body)
            }
        }
    }
}
