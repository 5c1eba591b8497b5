//! What a run found, for people and for machines.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use phalanx::{Class, Verdict};
use phalanx_rows::Tally;

use crate::exit::RunError;
use crate::input::ChainTally;
use crate::output::Finished;
use crate::pipeline::grouped;
use crate::process::standard;

/// A completed run.
pub(crate) struct Summary {
    pub(crate) tally: Tally,
    /// Of Ethereum transactions.
    pub(crate) chain: Option<ChainTally>,
    /// How many files were asked for, and why those failed that did.
    pub(crate) files: usize,
    pub(crate) failed: Vec<RunError>,
    /// What to say of files as a whole.
    pub(crate) hints: Vec<String>,
    pub(crate) elapsed: Duration,
    pub(crate) threads: usize,
    pub(crate) backend: &'static str,
}

impl Summary {
    fn rows_per_second(&self) -> f64 {
        self.tally.rows() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// One JSON object on one line.
    pub(crate) fn json(&self) -> String {
        let reasons: Vec<String> = Verdict::ALL
            .iter()
            .map(|verdict| format!("\"{}\":{}", verdict.reason(), self.tally.verdict(*verdict)))
            .collect();
        let chain = self.chain.map_or(String::new(), |chain| {
            let (unsigned, blocks, unchecked) = (self.tally.unsigned(), chain.blocks, chain.unchecked_roots);
            format!(r#""unsigned":{unsigned},"blocks":{blocks},"unchecked_roots":{unchecked},"#)
        });
        let failed: Vec<_> = self.failed.iter().filter_map(RunError::of_file).collect();
        let failed = failed.iter().map(|(file, error)| serde_json::json!({ "file": file, "error": error }).to_string());
        format!(
            concat!(
                r#"{{"rows":{},"valid":{},"invalid":{},"malformed":{},{}"reasons":{{{}}},"high_s_rows":{},"#,
                r#""failed":[{}],"hints":{},"seconds":{:.6},"rows_per_second":{:.1},"threads":{},"backend":"{}"}}"#,
                "\n"
            ),
            self.tally.rows(),
            self.tally.class(Class::Valid),
            self.tally.class(Class::Invalid),
            self.tally.class(Class::Malformed),
            chain,
            reasons.join(","),
            self.tally.high_s(),
            failed.collect::<Vec<_>>().join(","),
            serde_json::json!(self.hints),
            self.elapsed.as_secs_f64(),
            self.rows_per_second(),
            self.threads,
            self.backend,
        )
    }

    /// A few lines of text.
    pub(crate) fn text(&self) -> String {
        let tally = &self.tally;
        let width = grouped(tally.rows()).len();
        let mut text = String::new();
        let mut line = |count: u64, what: &str| {
            // Writing to memory does not fail.
            let _ = writeln!(text, "{:>width$}  {what}", grouped(count));
        };
        line(tally.rows(), "rows");
        line(tally.class(Class::Valid), "valid");
        line(tally.class(Class::Invalid), "invalid");
        line(tally.class(Class::Malformed), "malformed");
        if tally.unsigned() > 0 {
            line(tally.unsigned(), "without a signature");
        }
        for verdict in Verdict::ALL.iter().copied().filter(|verdict| verdict.class() == Class::Invalid) {
            match tally.verdict(verdict) {
                0 => {}
                count => line(count, &format!("  {}", verdict.reason())),
            }
        }
        if tally.high_s() > 0 {
            line(tally.high_s(), "with s above half the group order");
        }
        if let Some(chain) = self.chain {
            line(chain.blocks, "blocks");
            if chain.unchecked_roots > 0 {
                line(chain.unchecked_roots, "blocks whose transactionsRoot could not be checked");
            }
        }
        for hint in &self.hints {
            let _ = writeln!(text, "{hint}");
        }
        if !self.failed.is_empty() {
            let _ = writeln!(text, "{} of {} files could not be read to the end:", self.failed.len(), self.files);
            for failure in &self.failed {
                let _ = writeln!(text, "  {failure}");
            }
        }
        text + &speed(self.elapsed, self.rows_per_second(), "rows", self.threads, self.backend)
    }
}

/// Counts, a line each. Those that need more than a word are left out if they are zero.
pub(super) fn counts(lines: &[(u64, &str)]) -> String {
    let width = lines.iter().map(|(count, _)| grouped(*count).len()).max().unwrap_or(0);
    let shown = lines.iter().filter(|(count, what)| *count > 0 || !what.contains(' '));
    shown.map(|(count, what)| format!("{:>width$}  {what}\n", grouped(*count))).collect()
}

/// The last line of a summary: how long it took, and by what.
pub(super) fn speed(elapsed: Duration, rate: f64, what: &str, threads: usize, backend: &str) -> String {
    let (seconds, rate) = (elapsed.as_secs_f64(), grouped(rate as u64));
    let word = if threads == 1 { "thread" } else { "threads" };
    format!("{seconds:.3} s, {rate} {what} per second, {threads} {word}, backend {backend}\n")
}

/// Tells a summary, where the answers do not go.
pub(super) fn tell(text: &str, out: Option<&Path>) -> Result<(), RunError> {
    if out == Some(Path::new("-")) {
        standard::prompt(text);
        return Ok(());
    }
    standard::explain(text)
}

/// Tells a summary, and lets the answers appear if they are complete, which it returns. Where the summary cannot be
/// written, they may not appear, so it comes first.
pub(super) fn conclude(
    text: &str,
    out: Option<&Path>,
    complete: bool,
    finished: Option<Finished>,
) -> Result<bool, RunError> {
    tell(text, out)?;
    if complete && let Some(finished) = finished {
        finished.commit()?;
    }
    Ok(complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_summary_is_an_object_that_adds_up() {
        let rows = [(Verdict::Valid, 5), (Verdict::BadPublicKey, 3), (Verdict::MalformedRow, 2)];
        let tally = Tally::of_verdicts(rows);
        let summary = Summary {
            tally,
            chain: None,
            files: 2,
            failed: vec![RunError::new("no \"pubkey\"").about("a\\b.csv")],
            hints: vec!["a \"hint\"".to_owned()],
            elapsed: Duration::from_millis(500),
            threads: 2,
            backend: "portable",
        };
        let json: serde_json::Value = serde_json::from_str(&summary.json()).unwrap();
        assert_eq!(json["rows"], 10);
        assert_eq!(json["invalid"], 3);
        assert_eq!(json["malformed"], 2);
        assert_eq!(json["rows_per_second"], 20.0);
        assert_eq!(json["failed"], serde_json::json!([{ "file": "a\\b.csv", "error": "no \"pubkey\"" }]));
        assert_eq!(json["hints"], serde_json::json!(["a \"hint\""]));
        assert!(summary.text().contains("\na \"hint\"\n"));
        assert!(summary.text().contains("1 of 2 files could not be read"));
        let reasons = json["reasons"].as_object().unwrap();
        assert_eq!(reasons.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 10);
        assert_eq!(reasons.len(), Verdict::ALL.len());
    }
}
