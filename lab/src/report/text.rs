//! The same as Markdown.

use super::{
    cpus::Cpu,
    figures::{Column, columns, headlines},
};
use crate::outcome::Outcome;
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

/// The report of these CPUs.
pub(crate) fn markdown(cpus: &[Cpu]) -> String {
    let mut text = format!(
        "# Phalanx beside its peers\n\nHow many times as fast as libsecp256k1, on one thread; in bulk is one call for 4,096 rows.\n\n{}",
        headline(cpus)
    );
    for cpu in cpus {
        let _ = writeln!(text, "\n## {}", cpu.name);
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
    text
}
