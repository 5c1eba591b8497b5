//! The same as Markdown.

use super::{
    cpus::Cpu,
    figures::figures,
    headline::{Column, columns, headlines},
    study::Study,
};
use crate::{
    outcome::Outcome,
    presence::{Found, Presence},
};
use std::fmt::Write;

/// The table of ratios beside libsecp256k1.
pub(crate) fn headline(cpus: &[Cpu]) -> String {
    let columns = columns(cpus);
    let names: Vec<String> = columns.iter().map(Column::name).collect();
    let mut text = format!("| operation | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(columns.len()));
    for line in headlines() {
        let ratio = |column: &Column<'_>| column.ratio(&line).map_or_else(String::new, |ratio| format!(" {ratio:.1}x"));
        let cells: Vec<String> = columns.iter().map(ratio).collect();
        let _ = writeln!(text, "| {} |{} |", line.words, cells.join(" |"));
    }
    text
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
    for cpu in cpus {
        let _ = writeln!(text, "\n## {}", cpu.name);
        let missing = figures(cpu).missing;
        if !missing.is_empty() {
            let _ = writeln!(text, "\nNot measured on this CPU: {}.", missing.join("; "));
        }
        if !cpu.peers.is_empty() {
            let peers: String = cpu.peers.iter().map(presence).collect();
            let _ = write!(text, "\n### Peers\n\n{peers}");
        }
        for (name, list) in &cpu.lists {
            let _ = writeln!(text, "\n### {name}, {}\n\n{}", list.date, Outcome::MARKDOWN_HEADING);
            list.rows.iter().for_each(|row| text += &format!("{}\n", row.markdown_row()));
            let absent = list.absent.iter().map(|absent| format!("- {}: {}\n", absent.absent, absent.reason));
            let absent: String = absent.collect();
            if !absent.is_empty() {
                text += &format!("\nNot there:\n\n{absent}");
            }
        }
    }
    for one in Study::ALL {
        text += &format!("\n#{}", study(one, cpus));
    }
    text
}
