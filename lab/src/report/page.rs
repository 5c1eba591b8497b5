//! The page: one file of HTML with its style and drawings inside, which asks for nothing from anywhere.

use super::{
    chart::PALETTE,
    cpus::{Cpu, List},
    figures::figures,
    headline::{Column, RECORDS, columns, headline_chart, headlines, rates_chart},
    memory,
    study::Study,
    table::scrolling,
};
use crate::{
    outcome::{Outcome, absent_peers, builds},
    presence::{Found, Presence},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

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
                    "A ratio is the peer's median time over ours: above 1 Phalanx is faster. Both times come from samples of the "
                    "two libraries in turn on the same rows, after their results were found equal. What was measured otherwise "
                    "says so: sweeps of tables, which are ours alone, libraries among which the fastest was looked for, and "
                    "everything published. Figures of one CPU say nothing about another, so each has a part of its own."
                }
                (headline_table(cpus))
                @for cpu in cpus { (of_cpu(cpu)) }
                section {
                    h2 { "Memory of tables against time, as published" }
                    div.charts { @for chart in memory::published() { (chart.figure()) } }
                }
                section {
                    h2 { "The field's studies" }
                    p {
                        "What each study published, measured elsewhere, and below it the same measured here, in its rows and "
                        "columns. Where nobody measured, the cell says so."
                    }
                    @for study in Study::ALL {
                        details {
                            summary { (study.title()) }
                            @for table in study.tables(cpus) { (table.html()) }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// Neighbours that agree in something, as one heading and the number of columns below it.
fn spans(columns: &[Column<'_>], name: impl Fn(&Column<'_>) -> String) -> Vec<(String, usize)> {
    let groups = columns.chunk_by(|left, right| left.single == right.single && name(left) == name(right));
    groups.map(|group| (name(&group[0]), group.len())).collect()
}

fn headline_table(cpus: &[Cpu]) -> Markup {
    let columns = columns(cpus);
    let calls = spans(&columns, |column| column.calls().to_owned());
    let names = spans(&columns, |column| column.cpu.short_name());
    html! {
        h2 { "How many times as fast as libsecp256k1, on one thread" }
        (scrolling("times as fast as libsecp256k1", html! {
            table.pinned {
                thead {
                    tr { th.corner rowspan="3" { "operation" } @for (name, width) in calls { th colspan=(width) { (name) } } }
                    tr { @for (name, width) in names { th colspan=(width) { (name) } } }
                    tr { @for column in &columns { th { (column.backend) } } }
                }
                tbody {
                    @for line in headlines() {
                        tr {
                            th { (line.words) }
                            @for column in &columns {
                                td { @if let Some(ratio) = column.ratio(&line) { (format!("{ratio:.1}")) } }
                            }
                        }
                    }
                    tr { th { (RECORDS) } @for column in &columns { td.wrap { (column.records()) } } }
                }
            }
        }))
        p.small {
            "In bulk: one call for 4,096 rows. One at a time: a call a row. An empty place was not measured. The last line has the "
            "day and the commit of each column's figures."
        }
        div.charts { (headline_chart(cpus).figure()) (rates_chart(cpus).figure()) }
    }
}

fn of_cpu(cpu: &Cpu) -> Markup {
    let figures = figures(cpu);
    html! {
        section {
            h2 { (cpu.short_name()) }
            div.charts { @for chart in &figures.charts { (chart.figure()) } }
            @if !figures.missing.is_empty() { p { "Not measured on this CPU: " (figures.missing.join("; ")) "." } }
            @if !cpu.peers.is_empty() { (peers(&cpu.peers)) }
            h3 { "All rows" }
            @for (name, list) in &cpu.lists {
                details {
                    summary { (name) ", " (list.date) ", " (list.rows.len()) " rows" }
                    (scrolling(name, html! {
                        table {
                            thead { tr { @for cell in Outcome::HEADING { th { (cell) } } } }
                            tbody { @for row in &list.rows { tr { @for cell in row.cells() { td { (cell) } } } } }
                        }
                    }))
                    @let peers = absent_peers(&list.rows);
                    @if !list.absent.is_empty() || !peers.is_empty() {
                        p { "Not there:" }
                        ul {
                            @for absent in &list.absent { li { code { (absent.absent) } ": " (absent.reason) } }
                            @for absent in peers { li { code { (absent.peer) } ": " (absent.reason) } }
                        }
                    }
                    (built(list))
                }
            }
        }
    }
}

/// The peers that were looked for.
fn peers(peers: &[Presence]) -> Markup {
    html! {
        h3 { "Peers" }
        ul.small {
            @for Presence { peer, found } in peers {
                li {
                    @match found {
                        Found::There { version, flags } => { (peer) " " (version) ": " code { (flags) } },
                        Found::Absent { absent } => { (peer) strong { " is absent: " } (absent) },
                    }
                }
            }
        }
    }
}

/// Each library's version and how it was built.
fn built(list: &List) -> Markup {
    html! { ul.small { @for built in builds(&list.rows) { li { code { (built.to_string()) } } } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        records::row,
        report::cpus::{cpu, newest},
        revision::lab,
    };

    #[test]
    fn the_page_asks_for_nothing_from_anywhere() {
        let cpus = newest(&lab().join("record")).unwrap_or_else(|failure| panic!("{failure:?}"));
        let page = page(&cpus);
        for asking in ["src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
            assert!(!page.contains(asking), "{asking}");
        }
        let charts = page.matches("<figure>").count();
        assert!(charts > 4);
        // Each has a title and a drawing with a name.
        for part in ["<figcaption><strong>", "role=\"img\" aria-label="] {
            assert_eq!(page.matches(part).count(), charts, "{part}");
        }
    }

    #[test]
    fn every_table_scrolls_and_shows_it() {
        let page = page(&[cpu("one", vec![("bulk", vec![row("recover", 2.0).outcome])])]);
        let (style, body) = page.split_once("</style>").unwrap();
        let tables: Vec<&str> = body.split("<table").collect();
        assert!(tables.len() > 3);
        for before in &tables[..tables.len() - 1] {
            let (_, container) = before.rsplit_once('<').unwrap();
            assert!(
                container.starts_with("div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""),
                "{container}"
            );
        }
        // Shadows that stay at the edges, under covers that move with the table and hide them at its ends.
        let (_, scroll) = style.split_once(".scroll {").unwrap();
        let (scroll, _) = scroll.split_once('}').unwrap();
        assert!(scroll.contains("overflow-x: auto"));
        for edge in ["left", "right"] {
            for (colour, moving) in [("page", "local"), ("shade", "scroll")] {
                let layer =
                    |line: &&str| line.contains(&format!("to {edge}, var(--{colour})")) && line.contains(moving);
                assert_eq!(scroll.lines().filter(layer).count(), 1, "{colour} to {edge}");
            }
        }
        assert_eq!(PALETTE.matches("--shade: ").count(), 2);
        // A head that is not transparent would cover them.
        assert!(PALETTE.matches("--band: rgb(").count() == 2 && !PALETTE.contains("--band: #"));
    }

    #[test]
    fn cpus_and_absent_peers_are_named() {
        let mut cpus = ["one", "two"].map(|name| cpu(name, vec![("bulk", vec![row("recover", 2.0).outcome])]));
        let absent = Found::Absent { absent: "does not build: no compiler".into() };
        cpus[1].peers.push(Presence { peer: "p256k1".into(), found: absent });
        let page = page(&cpus);
        assert!(page.contains("<h2>one</h2>") && page.contains("<h2>two</h2>"));
        assert!(page.contains("p256k1<strong> is absent: </strong>does not build: no compiler"));
        assert_eq!(page.matches("Not measured on this CPU").count(), 2);
    }
}
