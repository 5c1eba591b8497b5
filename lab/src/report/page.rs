//! The blocks of a page, and the page as HTML and as Markdown. The HTML is one file with its style and drawings inside,
//! which asks for nothing from anywhere.

use super::{
    chart::{Chart, PALETTE},
    table::Table,
};
use maud::{DOCTYPE, PreEscaped, html};
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
