//! Runs one operation of Phalanx on poisoned secrets. Under a checker, a branch on a poisoned value or an address made
//! from one is an error; what the library makes public it declares by `declassify`, which in these builds tells the
//! checker so. There are two: valgrind's memory checker (`--cfg phalanx_valgrind`), which sees the code as compiled for
//! users, but knows no AVX-512; and MemorySanitizer (`--cfg phalanx_msan`), which the compiler puts into the program,
//! for the vector code.
//!
//! `phalanx-constant-time list` names the operations, one a line; `phalanx-constant-time NAME` runs one and prints how
//! many errors there were. The test `constant_time` of `phalanx-testkit` builds and runs this for both; by itself it
//! does nothing.

mod arithmetic;
#[cfg(not(phalanx_msan))]
mod banderwagon;
#[cfg(not(phalanx_msan))]
#[path = "memcheck.rs"]
mod checker;
#[cfg(phalanx_msan)]
#[path = "sanitizer.rs"]
mod checker;
mod operations;
mod planted;
mod secret;
#[cfg(phalanx_msan)]
mod vectors;

use std::process::ExitCode;

/// What only one of the two can check. MemorySanitizer alone knows the leaks and controls on vector words. Banderwagon's
/// operations are one lane on every backend, and MemorySanitizer takes the upper half of a product of two words for
/// known, so valgrind alone checks them.
#[cfg(not(phalanx_msan))]
use banderwagon::ALL as OF_ONE_CHECKER;
#[cfg(phalanx_msan)]
use vectors::ALL as OF_ONE_CHECKER;

fn main() -> ExitCode {
    let operations = || operations::ALL.iter().chain(arithmetic::ALL).chain(planted::ALL).chain(OF_ONE_CHECKER);
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "list" {
        operations().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let Some((_, operation)) = operations().find(|(known, _)| *known == name) else {
        eprintln!("no operation named {name:?}; `list` names them");
        return ExitCode::from(2);
    };
    if !checker::is_running() {
        eprintln!("{}", checker::ADVICE);
        return ExitCode::from(2);
    }
    operation();
    println!("{name}: {} errors, backend {}", checker::errors(), operations::backend());
    ExitCode::SUCCESS
}
