//! Sums over a fixed basis by tables of many shapes: the example `sweep` of our side.

use super::folder::example;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

/// What the example prints of one length and one kind of tables.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sum {
    msm_length: usize,
    t: Option<usize>,
    b: Option<usize>,
    configuration: Option<String>,
    positions: String,
    backend: String,
    /// The median time of a sum.
    pub(crate) ns_per_op: f64,
    /// Additions and doublings of a sum, counted.
    pub(crate) add_plus_double: f64,
    /// The size of the tables by the published accounting.
    pub(crate) table_mib: f64,
    /// Their size as they are.
    pub(crate) table_bytes: f64,
    /// The time to build the tables.
    pub(crate) build_ns: f64,
    samples: usize,
}

/// The value of an option among words.
fn option<'a>(words: &'a str, name: &str) -> &'a str {
    let mut words = words.split(' ');
    words.by_ref().find(|word| *word == name).and_then(|_| words.next()).unwrap_or_default()
}

/// Sums by their words, `--curve C --backend B --positions P --n N --tables T`. A run of the example measures all that
/// differ only in length. `go_on` hears how many there are after each, and may end the sweep.
pub(crate) fn sweep(
    asked: &[String],
    seconds: f64,
    mut go_on: impl FnMut(usize) -> bool,
) -> Result<BTreeMap<String, Sum>, String> {
    let program = example("sweep")?;
    let mut runs: BTreeMap<_, Vec<&String>> = BTreeMap::new();
    for words in asked {
        let run = ["--curve", "--backend", "--positions", "--tables"].map(|name| option(words, name));
        runs.entry(run).or_default().push(words);
    }
    let mut found = BTreeMap::new();
    for ([curve, backend, positions, tables], asked) in runs {
        let lengths: Vec<&str> = asked.iter().map(|words| option(words, "--n")).collect();
        let mut command = Command::new(&program);
        command.args([curve, backend, positions, &lengths.join(","), &seconds.to_string(), tables]);
        let child = command.stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("cannot run sweep: {error}"))?;
        let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        for (words, line) in asked.into_iter().zip(lines.map_while(Result::ok)) {
            let sum = serde_json::from_str(&line).map_err(|error| format!("sweep: {error}"))?;
            found.insert(words.clone(), sum);
            if !go_on(found.len()) {
                let _ = child.kill();
            }
        }
        let _ = child.wait();
    }
    Ok(found)
}
