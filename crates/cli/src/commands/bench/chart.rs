//! The bar chart.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};

use phalanx::Backend;

use super::sample::Measured;

/// Columns of a terminal that all text keeps within.
pub(super) const WIDTH: usize = 80;
/// Columns of an operation's name.
pub(super) const NAMES: usize = 24;

/// What bars are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bars {
    /// Blocks of Unicode, of which the last has a width in eighths.
    Blocks,
    /// Signs of ASCII.
    Plain,
}

/// Blocks from one eighth to seven.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

impl Bars {
    /// Blocks where standard output is a terminal that shows UTF-8.
    pub(super) fn fit_for_output() -> Bars {
        // The first of these that is set decides; see setlocale(3).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(std::env::var_os).find(|value| !value.is_empty());
        let locale = locale.unwrap_or_default().to_string_lossy().to_lowercase();
        let utf8 = locale.ends_with("utf-8") || locale.ends_with("utf8");
        if stdout().is_terminal() && utf8 { Bars::Blocks } else { Bars::Plain }
    }

    /// A bar of a share of `width` columns.
    fn of(self, share: f64, width: usize) -> String {
        match self {
            Bars::Blocks => {
                let eighths = (share * 8.0 * width as f64).round() as usize;
                let last = (eighths % 8).checked_sub(1).map(|place| EIGHTHS[place]);
                "█".repeat(eighths / 8).chars().chain(last).collect()
            }
            Bars::Plain => "#".repeat((share * width as f64).round() as usize),
        }
    }
}

/// Writes a bar for each operation and backend; the longest fills the line.
pub(super) fn chart(backends: &[Backend], measured: &[&Measured], bars: Bars, text: &mut String) {
    let rates = || measured.iter().flat_map(|measured| measured.rates.iter().flatten());
    let most = rates().map(|rate| rate.rows_per_second).fold(1.0, f64::max);
    let numbers = rates().map(|rate| rate.shown().len()).max().unwrap_or(0);
    let names = backends.iter().map(|backend| backend.name().len()).max().unwrap_or(0);
    let width = WIDTH.saturating_sub(NAMES + names + numbers + 3);
    text.push_str("Rows per second in bulk on one thread\n");
    for measured in measured {
        let mut label = measured.operation.label();
        for (backend, rate) in backends.iter().zip(&measured.rates) {
            let Some(rate) = rate else { continue };
            let bar = bars.of(rate.rows_per_second / most, width);
            let space = if bar.is_empty() { "" } else { " " };
            // Writing to memory does not fail.
            let _ = writeln!(text, "{label:NAMES$}{:names$}  {bar}{space}{}", backend.name(), rate.shown());
            label.clear();
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(Bars::Plain.of(0.5, 10), "#####");
        assert_eq!(Bars::Blocks.of(0.5, 10), "█████");
        assert_eq!(Bars::Blocks.of(1.0, 3), "███");
        assert_eq!(Bars::Blocks.of(0.125, 3), "▍");
        assert_eq!(Bars::Blocks.of(1.25 / 3.0, 3), "█▎");
        assert_eq!(Bars::Blocks.of(0.0, 3), "");
    }
}
