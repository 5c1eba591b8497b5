//! Runs one operation of Phalanx on poisoned secrets. Under valgrind's memory checker, a branch on a poisoned value or
//! an address made from one is an error; what the library makes public it declares by `declassify`, which in this build
//! tells the checker so.
//!
//! `phalanx-constant-time list` names the operations, one a line; `phalanx-constant-time NAME` runs one and prints how
//! many errors there were. The test `constant_time` of `phalanx-testkit` builds and runs this; by itself it does nothing.

mod arithmetic;
mod memcheck;
mod operations;
mod planted;

use std::process::ExitCode;

fn main() -> ExitCode {
    let operations = || operations::ALL.iter().chain(arithmetic::ALL).chain(planted::ALL);
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "list" {
        operations().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let Some((_, operation)) = operations().find(|(known, _)| *known == name) else {
        eprintln!("no operation named {name:?}; `list` names them");
        return ExitCode::from(2);
    };
    if !cfg!(phalanx_valgrind) || !memcheck::is_running() {
        eprintln!("build with RUSTFLAGS='--cfg phalanx_valgrind' and run under valgrind on x86-64");
        return ExitCode::from(2);
    }
    operation();
    println!("{name}: {} errors, backend {}", memcheck::errors(), operations::backend());
    ExitCode::SUCCESS
}
