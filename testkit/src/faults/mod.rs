//! Faults that the short tier must catch: the committed list. The example `planted_faults` plants them.
//!
//! A fault is an [edit] of one function. The list is spread over the crates that it is about: `engine` and `numbers`,
//! `banderwagon`, `library`, `in_workspace`, `abi`, `capi`, `go`, `command`, `ethereum`, `bitcoin`, `bip32`,
//! `frost`, `musig`, `silent`.

mod abi;
mod banderwagon;
mod bip32;
mod bitcoin;
mod capi;
mod command;
pub mod edit;
mod engine;
mod ethereum;
mod frost;
mod functions;
mod go;
pub mod guards;
mod in_workspace;
mod library;
mod musig;
mod nodes;
mod numbers;
mod silent;
pub mod tree;

use edit::{Edit, Replacement, answer};
use std::path::Path;

/// A wrong expression, and the tests that must find it.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What the runner prints, and is asked for by.
    pub name: &'static str,
    /// From the root of the repository.
    pub file: &'static str,
    /// The path of a function or a constant in the file.
    pub function: &'static str,
    /// What is wrong in it.
    pub edit: Edit,
    /// What of the short tier must fail.
    pub test: Test,
    /// Why it matters.
    pub why: &'static str,
    /// Whether only a CPU with vector units runs the expression.
    pub vectors: bool,
    /// Whether the compiler computes the expression, so that no running program can choose it.
    pub constant: bool,
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
    /// The expression of the source that is replaced, and by what.
    ///
    /// # Errors
    /// What is wrong with the list when the place is not there exactly once.
    pub fn replacement(&self, source: &str) -> Result<Replacement, String> {
        let replacement = self.edit.apply(source, self.function);
        replacement.map_err(|error| format!("{}: {}: {error}", self.name, self.file))
    }

    /// In a function or a constant of a file, of which these tests must find it.
    const fn of(self, file: &'static str, function: &'static str, test: Test) -> Fault {
        Fault { file, function, test, ..self }
    }

    const fn edit(self, edit: Edit) -> Fault {
        Fault { edit, ..self }
    }

    const fn on_vectors(self) -> Fault {
        Fault { vectors: true, ..self }
    }

    const fn in_constant(self) -> Fault {
        Fault { constant: true, ..self }
    }
}

/// Every fault.
pub fn all() -> Vec<Fault> {
    [
        engine::FAULTS,
        numbers::FAULTS,
        banderwagon::FAULTS,
        library::FAULTS,
        in_workspace::FAULTS,
        abi::FAULTS,
        capi::FAULTS,
        go::FAULTS,
        command::FAULTS,
        ethereum::FAULTS,
        bitcoin::FAULTS,
        bip32::FAULTS,
        frost::FAULTS,
        musig::FAULTS,
        silent::FAULTS,
    ]
    .concat()
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A fault by its name and why it matters. Until the rest is set it changes nothing.
const fn fault(name: &'static str, why: &'static str) -> Fault {
    Fault {
        name,
        file: "",
        function: "",
        edit: answer().becomes("{}"),
        test: unit("", ""),
        why,
        vectors: false,
        constant: false,
    }
}

/// Tests of a crate's unit tests.
const fn unit(package: &'static str, filter: &'static str) -> Test {
    Test { package, target: None, filter }
}

/// Tests of an integration test.
const fn integration(package: &'static str, target: &'static str, filter: &'static str) -> Test {
    Test { package, target: Some(target), filter }
}
