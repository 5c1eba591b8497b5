//! The committed list of faults that the short tier must catch. The example `planted_faults` plants them.
//!
//! A fault replaces one expression by another of the same type. Each file lists the faults of one part of the source:
//! `engine` and `numbers`, `banderwagon`, `library`, `lent`, `abi`, `capi`, `go`, `command`.

mod abi;
mod banderwagon;
mod capi;
mod command;
mod engine;
mod go;
mod lent;
mod library;
mod numbers;

use std::path::Path;

/// A wrong expression, and the tests that must find it.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What the runner prints, and is asked for by.
    pub name: &'static str,
    /// From the root of the repository.
    pub file: &'static str,
    /// Text that stands in the file once, with the expression between `«` and `»`.
    pub place: &'static str,
    /// The wrong expression.
    pub wrong: &'static str,
    /// What of the short tier must fail.
    pub test: Test,
    /// Why it matters.
    pub why: &'static str,
    /// Whether only a CPU with vector units runs the expression.
    pub vectors: bool,
}

/// Tests of one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// The package.
    pub package: &'static str,
    /// The name of an integration test; none for the unit tests of the library.
    pub target: Option<&'static str>,
    /// What the tests' names contain.
    pub filter: &'static str,
}

impl Fault {
    /// The text that the file has, in which the expression begins and ends at these places.
    ///
    /// # Panics
    /// If the expression is not marked.
    pub fn marked(&self) -> (String, std::ops::Range<usize>) {
        let (before, rest) = self.place.split_once('«').expect("« marks where the expression begins");
        let (expression, after) = rest.split_once('»').expect("» marks where it ends");
        (format!("{before}{expression}{after}"), before.len()..before.len() + expression.len())
    }

    /// The source with the expression replaced by what `replace` makes of it.
    ///
    /// # Errors
    /// What is wrong with the list when the text does not stand there exactly once.
    pub fn plant(&self, source: &str, replace: impl FnOnce(&str) -> String) -> Result<String, String> {
        let (text, expression) = self.marked();
        let mut found = source.match_indices(&text);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => {
                let (start, end) = (at + expression.start, at + expression.end);
                Ok([&source[..start], &replace(&source[start..end]), &source[end..]].concat())
            }
            (None, _) => Err(format!("{}: its text is no longer in {}", self.name, self.file)),
            (Some(_), Some(_)) => Err(format!("{}: its text is in {} more than once", self.name, self.file)),
        }
    }
}

/// Every fault.
pub fn all() -> Vec<Fault> {
    [
        engine::FAULTS,
        numbers::FAULTS,
        banderwagon::FAULTS,
        library::FAULTS,
        lent::FAULTS,
        abi::FAULTS,
        capi::FAULTS,
        go::FAULTS,
        command::FAULTS,
    ]
    .concat()
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Tests of a crate's unit tests.
const fn unit(package: &'static str, filter: &'static str) -> Test {
    Test { package, target: None, filter }
}

/// Tests of an integration test.
const fn integration(package: &'static str, target: &'static str, filter: &'static str) -> Test {
    Test { package, target: Some(target), filter }
}
