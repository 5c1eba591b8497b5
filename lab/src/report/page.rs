//! The blocks of a page, and the page as HTML and as Markdown. The HTML is one file with its style and drawings inside,
//! which asks for nothing from anywhere.

use super::chart::{Chart, PALETTE};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

/// A part of a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Table),
    Chart(Chart),
}

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
    fn html(&self) -> Markup {
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

/// The page as HTML. Charts that follow one another stand side by side.
pub(crate) fn html(title: &str, blocks: &[Block]) -> String {
    let one = |block: &Block| match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Text(text) => html! { p { (text) } },
        Block::Table(table) => table.html(),
        Block::Chart(chart) => chart.figure(),
    };
    let is_chart = |block: &Block| matches!(block, Block::Chart(_));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(PALETTE)) (PreEscaped(include_str!("style.css"))) }
            }
            body {
                h1 { (title) }
                @for run in blocks.chunk_by(|one, next| is_chart(one) && is_chart(next)) {
                    div class=[is_chart(&run[0]).then_some("charts")] { @for block in run { (one(block)) } }
                }
            }
        }
    };
    page.into_string()
}

/// The page as Markdown, with the numbers of its charts.
pub(crate) fn markdown(title: &str, blocks: &[Block]) -> String {
    let one = |block: &Block| match block {
        Block::Heading(text) => format!("\n## {text}\n"),
        Block::Text(text) => format!("\n{text}\n"),
        Block::Table(table) => format!("\n{}", table.markdown()),
        Block::Chart(chart) => format!("\n### {}\n\n{}", chart.title, chart.data().markdown()),
    };
    format!("# {title}\n{}", blocks.iter().map(one).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_scrolls_and_shows_it() {
        let table = Table { notes: vec!["d is <absent>".into()], ..Table::new("t", ["a"]) };
        let page = html("page", &[Block::Table(table)]);
        assert!(page.contains("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"t\"><table>"));
        assert!(page.contains("<li>d is &lt;absent&gt;</li>"));
        // Shadows that stay at the edges, under covers that move with the table and hide them at its ends.
        let (_, scroll) = page.split_once(".scroll {").unwrap();
        let (scroll, _) = scroll.split_once('}').unwrap();
        assert!(scroll.contains("overflow-x: auto"));
        for edge in ["left", "right"] {
            for (colour, moving) in [("page", "local"), ("shade", "scroll")] {
                let layer =
                    |line: &&str| line.contains(&format!("to {edge}, var(--{colour})")) && line.contains(moving);
                assert_eq!(scroll.lines().filter(layer).count(), 1, "{colour} to {edge}");
            }
        }
        // A head that is not transparent would cover them.
        assert!(PALETTE.matches("--shade: ").count() == 2 && PALETTE.matches("--band: rgb(").count() == 2);
    }
}
