//! The page: one file of HTML with its style and drawings inside, which asks for nothing from anywhere.

use super::{
    chart::PALETTE,
    cpus::{Cpu, List},
    figures::{charts, columns, headline_chart, headlines},
};
use crate::outcome::Outcome;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("style.css");

/// The page of these CPUs.
pub(crate) fn page(cpus: &[Cpu]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Phalanx beside its peers" }
                style { (PreEscaped(PALETTE)) (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Phalanx beside its peers" }
                p {
                    "Every figure comes from samples of two libraries in turn on the same rows, whose results were equal. A "
                    "ratio is the peer's median time over ours: above 1 Phalanx is faster. Figures of one CPU say nothing about "
                    "another, so each has a part of its own."
                }
                (headline_table(cpus))
                @for cpu in cpus { (of_cpu(cpu)) }
            }
        }
    };
    page.into_string()
}

fn headline_table(cpus: &[Cpu]) -> Markup {
    let columns = columns(cpus);
    html! {
        h2 { "How many times as fast as libsecp256k1, on one thread" }
        div.scroll {
            table {
                thead { tr { th { "operation" } @for column in &columns { th { (column.name()) } } } }
                tbody {
                    @for line in headlines() {
                        tr {
                            th { (line.words) }
                            @for column in &columns {
                                td { @if let Some(ratio) = column.ratio(&line) { (format!("{ratio:.1}")) } }
                            }
                        }
                    }
                }
            }
        }
        p.small { "In bulk: one call for 4,096 rows. One at a time: a call a row. An empty place was not measured." }
        div.charts { (headline_chart(cpus).figure()) }
    }
}

fn of_cpu(cpu: &Cpu) -> Markup {
    html! {
        section {
            h2 { (cpu.name) }
            div.charts { @for chart in charts(cpu) { (chart.figure()) } }
            h3 { "All rows" }
            @for (name, list) in &cpu.lists {
                details {
                    summary { (name) ", " (list.date) ", " (list.rows.len()) " rows" }
                    div.scroll {
                        table {
                            thead { tr { @for cell in Outcome::HEADING { th { (cell) } } } }
                            tbody { @for row in &list.rows { tr { @for cell in row.cells() { td { (cell) } } } } }
                        }
                    }
                    @if !list.absent.is_empty() {
                        p { "Not there:" }
                        ul { @for absent in &list.absent { li { code { (absent.absent) } ": " (absent.reason) } } }
                    }
                    (builds(list))
                }
            }
        }
    }
}

/// Each library's version and how it was built.
fn builds(list: &List) -> Markup {
    let mut builds = BTreeSet::new();
    for row in &list.rows {
        builds.insert((&row.ours, &row.ours_version, row.ours_commit.as_deref(), &row.ours_flags));
        builds.insert((&row.peer, &row.peer_version, row.peer_commit.as_deref(), &row.peer_flags));
    }
    html! {
        ul.small {
            @for (name, version, commit, flags) in builds {
                li { (name) " " (version) @if let Some(commit) = commit { " at " (commit) } ": " code { (flags) } }
            }
        }
    }
}
