//! The same as Markdown.

use super::{
    chart::Chart,
    cpus::Cpu,
    figures::figures,
    headline::{Column, RECORDS, columns, headline_chart, headlines, rates_chart},
    memory,
    study::Study,
    table::Table,
};
use crate::{
    outcome::{AbsentPeer, Outcome, absent_peers, builds},
    presence::{Found, Presence},
};
use std::fmt::Write;

/// The table of ratios beside libsecp256k1, and where each column comes from.
pub(crate) fn headline(cpus: &[Cpu]) -> String {
    let columns = columns(cpus);
    let names: Vec<String> = columns.iter().map(Column::name).collect();
    let mut text = format!("| operation | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(columns.len()));
    for line in headlines() {
        let ratio = |column: &Column<'_>| column.ratio(&line).map_or_else(String::new, |ratio| format!(" {ratio:.1}x"));
        let cells: Vec<String> = columns.iter().map(ratio).collect();
        let _ = writeln!(text, "| {} |{} |", line.words, cells.join(" |"));
    }
    let records: Vec<String> = columns.iter().map(Column::records).collect();
    let _ = writeln!(text, "| {RECORDS} | {} |", records.join(" | "));
    text
}

/// The numbers of a chart, under its title.
fn chart(chart: &Chart) -> String {
    let data = chart.data();
    let about = data.title.strip_prefix(&chart.title).unwrap_or(&data.title).trim_start_matches(". ").to_owned();
    format!("\n### {}\n\n{}", chart.title, Table { title: about, ..data }.markdown())
}

/// A study.
pub(crate) fn study(study: Study, cpus: &[Cpu]) -> String {
    let tables: String = study.tables(cpus).iter().map(|table| format!("\n{}", table.markdown())).collect();
    format!("# {}\n{tables}", study.title())
}

/// A peer that was looked for.
fn presence(Presence { peer, found }: &Presence) -> String {
    match found {
        Found::There { version, flags } => format!("- {peer} {version}: {flags}\n"),
        Found::Absent { absent } => format!("- {peer} is absent: {absent}\n"),
    }
}

/// The report of these CPUs.
pub(crate) fn markdown(cpus: &[Cpu]) -> String {
    let mut text = format!(
        "# Phalanx beside its peers\n\nHow many times as fast as libsecp256k1, on one thread; in bulk is one call for 4,096 rows.\n\n{}",
        headline(cpus)
    );
    let first: String = [headline_chart(cpus), rates_chart(cpus)].iter().map(chart).collect();
    text += &first;
    for cpu in cpus {
        let _ = writeln!(text, "\n## {}", cpu.short_name());
        let figures = figures(cpu);
        if !figures.missing.is_empty() {
            let _ = writeln!(text, "\nNot measured on this CPU: {}.", figures.missing.join("; "));
        }
        figures.charts.iter().for_each(|one| text += &chart(one));
        if !cpu.peers.is_empty() {
            let peers: String = cpu.peers.iter().map(presence).collect();
            let _ = write!(text, "\n### Peers\n\n{peers}");
        }
        for (name, list) in &cpu.lists {
            let _ = writeln!(text, "\n### {name}, {}\n\n{}", list.date, Outcome::MARKDOWN_HEADING);
            list.rows.iter().for_each(|row| text += &format!("{}\n", row.markdown_row()));
            let absent = list.absent.iter().map(|absent| (&absent.absent, &absent.reason));
            let peers = absent_peers(&list.rows).into_iter().map(|AbsentPeer { peer, reason }| (peer, reason));
            let absent: String = absent.chain(peers).map(|(what, reason)| format!("- {what}: {reason}\n")).collect();
            if !absent.is_empty() {
                text += &format!("\nNot there:\n\n{absent}");
            }
            let builds: String = builds(&list.rows).iter().map(|built| format!("- {built}\n")).collect();
            text += &format!("\nBuilt:\n\n{builds}");
        }
    }
    text += "\n## Memory of tables against time, as published\n";
    memory::published().iter().for_each(|one| text += &chart(one));
    for one in Study::ALL {
        text += &format!("\n#{}", study(one, cpus));
    }
    text
}
