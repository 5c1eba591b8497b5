//! How far a run is, on a terminal; silence elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::process::standard;

/// A bar over the bytes of the input if their number is known, and otherwise a spinner. There is none if standard error
/// is not a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// What is counted.
    unit: &'static str,
}

impl Progress {
    pub(crate) fn new(bytes: Option<u64>) -> Progress {
        Progress::of(bytes, "rows")
    }

    /// As [`new`](Self::new), of something else than rows.
    pub(crate) fn of(bytes: Option<u64>, unit: &'static str) -> Progress {
        if !stderr().is_terminal() {
            return Progress { bar: None, unit };
        }
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), "{wide_bar} {percent:>3} %  {eta} left  {msg}"),
            None => (ProgressBar::no_length(), "{spinner} {elapsed}  {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress { bar: Some(bar), unit }
    }

    /// Shows that `bytes` more bytes were read, and that `rows` rows are answered in all.
    pub(crate) fn advance(&self, bytes: u64, rows: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(bytes);
            bar.set_message(format!("{} {}", grouped(rows), self.unit));
        }
    }

    /// Writes a line on standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| standard::remark(line)),
            None => standard::remark(line),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A number with a comma between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}
