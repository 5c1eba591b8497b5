//! The studies as one page of HTML: no script, nothing from elsewhere.

use super::{Section, grids::Grid};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Tables with more rows are folded.
const LONG: usize = 24;

/// The page.
pub(super) fn html(sections: &[Section]) -> String {
    let title = "Five published comparisons, run again";
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(include_str!("../chart.css"))) (PreEscaped(include_str!("page.css"))) }
            }
            body {
                h1 { (title) }
                nav { @for section in sections { a href=(format!("#{}", section.name)) { (section.study.title) } } }
                @for section in sections {
                    h2 id=(section.name) { (section.study.title) }
                    p { (section.study.question) }
                    p.answer { (section.answer) }
                    @let [title, address, about] = &section.study.source;
                    p.quiet { "Source: " a href=(address) { (title) } ", " (about) ". " (section.conditions) }
                    @for grid in &section.grids { (table(grid)) }
                    details { summary { "How the libraries were built" } ul { @for built in &section.builds { li { (built) } } } }
                }
            }
        }
    };
    page.into_string()
}

/// A table with its chart.
fn table(grid: &Grid) -> Markup {
    // Columns of numbers end at one line.
    let class = |place: usize| {
        let cells = grid.rows.iter().filter_map(|row| row[place].bytes().next());
        (place > 0
            && cells.clone().next().is_some()
            && cells.clone().all(|first| first.is_ascii_digit() || first == b'-'))
        .then_some("number")
    };
    let cells =
        |row: &[String]| html! { @for (place, cell) in row.iter().enumerate() { td class=[class(place)] { (cell) } } };
    let rows = html! {
        div.scroll {
            table {
                thead { tr { @for (place, column) in grid.columns.iter().enumerate() { th class=[class(place)] { (column) } } } }
                tbody { @for row in &grid.rows { tr { (cells(row)) } } }
            }
        }
    };
    html! {
        h3 { (grid.title) }
        @if !grid.about.is_empty() { p { (grid.about) } }
        @if let Some(chart) = &grid.chart { figure { (PreEscaped(chart.svg())) } }
        @if grid.rows.len() > LONG { details { summary { (grid.rows.len()) " rows" } (rows) } } @else { (rows) }
        @for note in &grid.notes { p.quiet { (note) } }
    }
}
