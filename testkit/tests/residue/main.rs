//! No operation leaves a secret in memory: each runs in a process of its own, which then searches all of its memory for
//! the secrets that went into the operation, arose in it or came out of it.
//!
//! The test passes with and without incremental compilation. Without it the compiler inlines more.
//!
//! `cargo test -p phalanx-testkit --test residue` runs all; a word after `--` those alone whose name holds it.
//!
//! | file | holds |
//! |---|---|
//! | `operations` | the operations, as a user calls them |
//! | `c_calls`, `drop_in` | those of `libphalanx`, and of the drop-in for libsecp256k1 |
//! | `secrets`, `hashes` | the secrets of each, computed apart |
//! | `silent`, `musig` | silent payments, MuSig2: operations and their secrets |
//! | `needles` | the forms in which a secret may stand in memory |
//! | `case` | inputs and needles on their way to the process that runs the operation, masked |
//! | `child` | that process |
//! | `search` | the search |
//! | `planted` | copies that must be found |

mod c_calls;
mod case;
mod child;
mod drop_in;
mod hashes;
mod live;
mod musig;
mod needles;
mod operations;
mod planted;
mod search;
mod secrets;
mod silent;

use case::Case;
use child::Found;
use needles::Needles;
use operations::{ALL, Kind, Operation};
use phalanx::Backend;
use secrets::Row;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
    process::{Command, ExitCode, Stdio},
    sync::Mutex,
    thread,
};

/// Groups of hits that are told.
const TOLD: usize = 40;
/// Bytes of the stack that may be left: return addresses of clearings, one for each of the three sizes that nest.
const LEFT: usize = 24;
/// The word that makes a process a child.
const CHILD: &str = "--search-yourself";
/// Rows of a bulk call: two chunks for several threads, the second less than a whole one.
const ROWS: u64 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [child, name, threads] = &arguments[..]
        && child == CHILD
    {
        child::run(name, threads);
        return ExitCode::SUCCESS;
    }
    let chosen = |name: &str| arguments.iter().filter(|word| !word.starts_with('-')).all(|word| name.contains(word));
    let runs: Vec<Run> = runs().into_iter().filter(|run| chosen(run.operation.name)).collect();
    if arguments.iter().any(|word| word == "--list") {
        runs.iter().for_each(|run| println!("{}: test", run.name()));
        return ExitCode::SUCCESS;
    }
    if !Path::new("/proc/self/mem").exists() {
        let counts = format!("{} operations", runs.len());
        phalanx_tiers::skipped("the search through memory needs /proc/self/mem", &counts);
        return ExitCode::SUCCESS;
    }
    if !Backend::available().contains(&Backend::Ifma) {
        phalanx_tiers::skipped(
            "the search through memory on the backend ifma, which this CPU lacks",
            "all operations again",
        );
    }
    if runs.iter().any(|run| run.operation.name.starts_with(c_calls::PREFIX)) {
        c_calls::build();
    }
    let next = Mutex::new(runs.iter());
    let take = || next.lock().expect("no run panics while it holds the list").next();
    let some = || std::iter::from_fn(take).map(Run::judge).collect::<Vec<_>>();
    let failures: Vec<String> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(some)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a run reports, it does not panic"))
            .flatten()
            .collect()
    });
    failures.iter().for_each(|failure| println!("\n{failure}"));
    let word = if failures.is_empty() { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {} passed; {} failed", runs.len() - failures.len(), failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// An operation on a backend and so many threads.
struct Run {
    operation: &'static Operation,
    backend: Backend,
    threads: &'static str,
}

fn runs() -> Vec<Run> {
    let mut runs = Vec::new();
    for operation in ALL {
        let threads: &[_] = if matches!(operation.kind, Kind::Bulk) { &["1", "3", "all"] } else { &["1"] };
        for backend in Backend::available() {
            runs.extend(threads.iter().map(|threads| Run { operation, backend: *backend, threads }));
        }
    }
    runs
}

impl Run {
    fn name(&self) -> String {
        format!("{}, {}, {} thread(s)", self.operation.name, self.backend, self.threads)
    }

    /// Runs a child and says what it found; an error says what it should not have found.
    fn judge(&self) -> Option<String> {
        let result = self.check();
        println!("{}: {}", self.name(), if let Ok(figures) = &result { figures } else { "FAILED" });
        result.err().map(|error| format!("{}: {error}", self.name()))
    }

    fn check(&self) -> Result<String, String> {
        let kind = self.operation.kind;
        let count = if matches!(kind, Kind::Bulk) { ROWS } else { 1 };
        let row = if matches!(kind, Kind::OutOfRange) { Row::out_of_range } else { Row::new };
        let rows: Vec<Row> = (0..count).map(row).collect();
        let text = if let Kind::Text(text) = kind { text(&rows[0].key) } else { String::from("no text") };
        let mut needles = Needles::default();
        (self.operation.secrets)(&rows, &mut needles);
        let case = Case::new(&rows, &text, &needles);
        let found = self.child(&serde_json::to_vec(&case).expect("numbers and bytes"))?;
        let [before, after, end] = &found.searches[..] else { return Err("three searches are due".into()) };
        if before.live == 0 || after.live == 0 {
            return Err("the search did not find the inputs".into());
        }
        if !before.hits.is_empty() {
            return Err(format!("the test itself leaves secrets\n{}", told(&before.hits, &needles)));
        }
        if matches!(kind, Kind::Planted) {
            let found: BTreeSet<_> = after.hits.iter().map(|(needle, _)| *needle).collect();
            let missed = needles.all.iter().enumerate().filter(|(number, _)| !found.contains(number));
            let missed: Vec<_> = missed.map(|(_, needle)| format!("{}, {}", needle.secret, needle.form)).collect();
            return if missed.is_empty() {
                Ok(format!("all {} planted needles found", needles.all.len()))
            } else {
                Err(format!("planted, and not found:\n{}", missed.join("\n")))
            };
        }
        if !after.hits.is_empty() {
            return Err(format!("leaves secrets\n{}", told(&after.hits, &needles)));
        }
        if !end.hits.is_empty() {
            return Err(format!("keeps secrets when its inputs are gone\n{}", told(&end.hits, &needles)));
        }
        if self.shows_its_stack() && found.left > LEFT {
            let Found { depth, left, .. } = found;
            return Err(format!("leaves {left} bytes of {depth} on the stack; `wipe::Stack` has too few"));
        }
        Ok(format!("none of {} needles found; {} bytes of stack, {} left", needles.all.len(), found.depth, found.left))
    }

    /// Whether the operation clears all that it uses of its thread's stack, but for return addresses. Where it does
    /// not, it works on public data before or afterwards, unwinds, or lets other threads work. C calls leave what they noted of
    /// their arguments: pointers and lengths.
    fn shows_its_stack(&self) -> bool {
        let name = self.operation.name;
        let public = ["_checked", "_in_session", "_panic"].iter().any(|end| name.ends_with(end))
            || name.starts_with(c_calls::PREFIX);
        self.threads == "1" && !public
    }

    /// Runs the child on this input.
    fn child(&self, input: &[u8]) -> Result<Found, String> {
        let mut child = Command::new(std::env::current_exe().expect("a program knows its file"))
            .args([CHILD, self.operation.name, self.threads])
            .env("PHALANX_BACKEND", self.backend.name())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the test's own program runs");
        let written = child.stdin.take().expect("it is piped").write_all(input);
        let output = child.wait_with_output().expect("the child ends");
        let found = serde_json::from_slice::<Found>(&output.stdout).ok();
        let found =
            found.filter(|found| written.is_ok() && output.status.success() && found.backend == self.backend.name());
        found.ok_or_else(|| {
            let [said, error] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
            format!("the child ended with {}\n{said}{error}", output.status)
        })
    }
}

/// Hits in groups.
fn told(hits: &[(usize, String)], needles: &Needles) -> String {
    let mut groups = BTreeMap::<_, Vec<&str>>::new();
    for (needle, place) in hits {
        let needle = &needles.all[*needle];
        groups.entry((&*needle.secret, needle.form)).or_default().push(place);
    }
    let mut text = String::new();
    for ((secret, form), places) in groups.iter().take(TOLD) {
        let some = &places[..places.len().min(4)];
        text += &format!("  {secret}, {form}: {} times: {}\n", places.len(), some.join("; "));
    }
    if groups.len() > TOLD {
        text += &format!("  and {} more\n", groups.len() - TOLD);
    }
    text
}
