//! What a run over blocks found, for people and for machines.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use phalanx_bitcoin::{Network, Report, reversed_hex};

use super::super::summary::{counts, speed};
use super::judge::FoundInput;
use crate::exit::{ALL_VALID, RunError, SOME_INVALID, SOME_MALFORMED};
use crate::pipeline::grouped;

/// Faults that the summary lists, all of which have been said on standard error by then; and stale blocks.
const LISTED: usize = 100;
/// Inputs and blocks that are not valid, of which the summary in JSON lists as many of each.
const LISTED_INVALID: usize = 10_000;

/// An input that is not valid, or a block.
struct ListedInvalid {
    place: Arc<str>,
    height: Option<u32>,
    block: Option<[u8; 32]>,
    input: Option<FoundInput>,
    /// The rule that a block breaks.
    rule: String,
}

impl ListedInvalid {
    fn json(&self) -> serde_json::Value {
        let mut object = serde_json::json!({
            "path": &*self.place,
            "height": self.height,
            "block": self.block.as_ref().map(reversed_hex),
        });
        match &self.input {
            Some(FoundInput { txid, input, error }) => {
                object["txid"] = reversed_hex(txid).into();
                object["input"] = (*input).into();
                object["reason"] = error.name().into();
            }
            None => object["reason"] = self.rule.as_str().into(),
        }
        object
    }
}

/// The blocks of a path that were verified.
struct VerifiedRange {
    place: Arc<str>,
    network: Network,
    first: u32,
    last: u32,
    hash: String,
}

/// A run over blocks.
pub(super) struct BlocksReport {
    pub(super) counts: Report,
    pub(super) blocks: u64,
    /// Inputs that are not valid.
    pub(super) invalid: u64,
    /// Blocks that break a rule of consensus as a whole.
    not_valid: u64,
    /// The first inputs that are not valid, and the first blocks.
    invalid_inputs: Vec<ListedInvalid>,
    invalid_blocks: Vec<ListedInvalid>,
    /// For each folder and file: its name, the network, and the first and the last height that was verified with the
    /// last block's hash.
    ranges: Vec<VerifiedRange>,
    /// Blocks that are in no chain that was verified: the hashes of the first ones, and how many there are.
    stale: Vec<String>,
    stale_count: u64,
    /// Why blocks could not be verified, and what else is wrong in a folder: the first ones, and how many there are.
    faults: Vec<String>,
    fault_count: u64,
    pub(super) failed: Vec<RunError>,
    pub(super) elapsed: Duration,
    paths: usize,
    threads: usize,
    backend: &'static str,
}

impl BlocksReport {
    pub(super) fn new(paths: usize, failed: Vec<RunError>, threads: usize, backend: &'static str) -> BlocksReport {
        BlocksReport {
            counts: Report::default(),
            blocks: 0,
            invalid: 0,
            not_valid: 0,
            invalid_inputs: Vec::new(),
            invalid_blocks: Vec::new(),
            ranges: Vec::new(),
            stale: Vec::new(),
            stale_count: 0,
            faults: Vec::new(),
            fault_count: 0,
            failed,
            elapsed: Duration::ZERO,
            paths,
            threads,
            backend,
        }
    }

    pub(super) fn add(&mut self, found: &Report) {
        self.counts.add_counts(found);
        self.blocks += 1;
        self.invalid += found.invalid.len() as u64;
    }

    /// Lists the inputs of a block that are not valid. [`add`](Self::add) counts them.
    pub(super) fn add_invalid_inputs(
        &mut self,
        place: &Arc<str>,
        height: u32,
        block: &[u8; 32],
        invalid: Vec<FoundInput>,
    ) {
        let room = LISTED_INVALID - self.invalid_inputs.len();
        self.invalid_inputs.extend(invalid.into_iter().take(room).map(|input| ListedInvalid {
            place: Arc::clone(place),
            height: Some(height),
            block: Some(*block),
            input: Some(input),
            rule: String::new(),
        }));
    }

    /// Counts a block that breaks a rule of consensus as a whole.
    pub(super) fn add_invalid_block(
        &mut self,
        place: &Arc<str>,
        height: Option<u32>,
        block: Option<[u8; 32]>,
        rule: String,
    ) {
        self.not_valid += 1;
        if self.invalid_blocks.len() < LISTED_INVALID {
            let place = Arc::clone(place);
            self.invalid_blocks.push(ListedInvalid { place, height, block, input: None, rule });
        }
    }

    /// Notes that a block was verified. Those of a path come one after another.
    pub(super) fn add_place(&mut self, place: &Arc<str>, network: Network, height: u32, hash: &[u8; 32]) {
        let (hash, room) = (reversed_hex(hash), self.ranges.len() < LISTED);
        match self.ranges.last_mut().filter(|range| Arc::ptr_eq(&range.place, place)) {
            Some(range) => (range.last, range.hash) = (height, hash),
            None if room => {
                self.ranges.push(VerifiedRange {
                    place: Arc::clone(place),
                    network,
                    first: height,
                    last: height,
                    hash,
                });
            }
            None => {}
        }
    }

    pub(super) fn add_stale(&mut self, hashes: &[[u8; 32]]) {
        self.stale_count += hashes.len() as u64;
        let room = LISTED - self.stale.len();
        self.stale.extend(hashes.iter().take(room).map(reversed_hex));
    }

    pub(super) fn add_fault(&mut self, fault: String) {
        self.fault_count += 1;
        if self.faults.len() < LISTED {
            self.faults.push(fault);
        }
    }

    /// What is said when the run is interrupted after a height. `rest` is where to go on, up to the last height that was
    /// asked for, if any block of the place is left.
    pub(super) fn resume(&self, place: &str, height: u32, rest: Option<(u32, Option<u32>)>) -> String {
        let rest = match rest {
            Some((first, Some(last))) => format!("go on with --heights {first}..{last}"),
            Some((first, None)) => format!("go on with --heights {first}.."),
            None => "no block of it is left".to_owned(),
        };
        format!(
            "phalanx: interrupted after block {height} of {place}: {} inputs of {} blocks, {} of them not valid; {rest}",
            grouped(self.counts.inputs),
            grouped(self.blocks),
            grouped(self.invalid),
        )
    }

    pub(super) fn status(&self) -> u8 {
        match (self.fault_count, self.invalid + self.not_valid) {
            (0, 0) => ALL_VALID,
            (0, _) => SOME_INVALID,
            _ => SOME_MALFORMED,
        }
    }

    fn inputs_per_second(&self) -> f64 {
        self.counts.inputs as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// One JSON object on one line.
    pub(super) fn json(&self) -> String {
        let Report { inputs, ecdsa, schnorr, commitments, speculative, executed_again, .. } = self.counts;
        let failed = self.failed.iter().filter_map(RunError::of_file);
        let failed: Vec<_> = failed.map(|(file, error)| serde_json::json!({ "file": file, "error": error })).collect();
        let range = |range: &VerifiedRange| {
            serde_json::json!({
                "path": &*range.place,
                "network": range.network.name(),
                "first_height": range.first,
                "last_height": range.last,
                "last_block": range.hash,
            })
        };
        let verified: Vec<_> = self.ranges.iter().map(range).collect();
        let object = serde_json::json!({
            "blocks": self.blocks,
            "inputs": inputs,
            "valid": inputs - self.invalid,
            "invalid": self.invalid,
            "ecdsa": ecdsa,
            "schnorr": schnorr,
            "commitments": commitments,
            "speculative": speculative,
            "executed_again": executed_again,
            "blocks_not_valid": self.not_valid,
            "invalid_inputs": self.invalid_inputs.iter().map(ListedInvalid::json).collect::<Vec<_>>(),
            "invalid_blocks": self.invalid_blocks.iter().map(ListedInvalid::json).collect::<Vec<_>>(),
            "verified": verified,
            "stale_blocks": self.stale_count,
            "stale_hashes": self.stale,
            "fault_count": self.fault_count,
            "faults": self.faults,
            "failed": failed,
            "seconds": self.elapsed.as_secs_f64(),
            "inputs_per_second": self.inputs_per_second(),
            "threads": self.threads,
            "backend": self.backend,
        });
        format!("{object}\n")
    }

    /// A few lines of text.
    pub(super) fn text(&self) -> String {
        let Report { inputs, ecdsa, schnorr, commitments, speculative, executed_again, .. } = self.counts;
        let lines = [
            (self.blocks, "blocks"),
            (inputs, "inputs"),
            (inputs - self.invalid, "valid"),
            (self.invalid, "invalid"),
            (ecdsa, "ECDSA signatures checked"),
            (schnorr, "Schnorr signatures checked"),
            (commitments, "commitments of Taproot checked"),
            (speculative, "signatures checked that no script used"),
            (executed_again, "inputs whose scripts ran twice"),
            (self.not_valid, "blocks that are not valid"),
            (self.stale_count, "stale blocks"),
        ];
        let mut text = counts(&lines);
        for VerifiedRange { place, network, first, last, hash } in &self.ranges {
            let _ = writeln!(text, "{place}: {network}, heights {first} to {last}, the last block is {hash}");
        }
        for hash in &self.stale {
            let _ = writeln!(text, "stale: {hash}");
        }
        let more = self.stale_count - self.stale.len() as u64;
        if more > 0 {
            let _ = writeln!(text, "and {} more stale blocks", grouped(more));
        }
        if !self.faults.is_empty() {
            let _ = writeln!(text, "Problems:");
            for fault in &self.faults {
                let _ = writeln!(text, "  {fault}");
            }
            let more = self.fault_count - self.faults.len() as u64;
            if more > 0 {
                let _ = writeln!(text, "  and {} more", grouped(more));
            }
        }
        if !self.failed.is_empty() {
            let _ = writeln!(text, "{} of {} paths could not be read:", self.failed.len(), self.paths);
            for failure in &self.failed {
                let _ = writeln!(text, "  {failure}");
            }
        }
        text + &speed(self.elapsed, self.inputs_per_second(), "inputs", self.threads, self.backend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_names_no_heights_where_none_are_left() {
        let report = BlocksReport::new(1, Vec::new(), 1, "portable");
        let said = |rest| report.resume("node", 7, rest).rsplit_once("; ").unwrap().1.to_owned();
        assert_eq!(said(Some((8, Some(9)))), "go on with --heights 8..9");
        assert_eq!(said(Some((8, None))), "go on with --heights 8..");
        assert_eq!(said(None), "no block of it is left");
    }
}
