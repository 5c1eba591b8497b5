//! Runs one operation of Phalanx on poisoned secrets. Under a checker, a branch on a poisoned value or an address made
//! from one is an error; what the library makes public it declares by `declassify`, which in these builds tells the
//! checker so. There are two: valgrind's memory checker (`--cfg phalanx_valgrind`), which sees the code as compiled for
//! users, but knows no AVX-512; and MemorySanitizer (`--cfg phalanx_msan`), which the compiler puts into the program,
//! for the vector code.
//!
//! `phalanx-constant-time list` names the backend's operations, one a line; `phalanx-constant-time NAME` runs one and prints how
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
#[cfg(not(phalanx_msan))]
mod frost;
mod musig;
mod operations;
mod planted;
mod secret;
mod silent;
mod vectors;

use phalanx::{Backend, Bulk};
use std::process::ExitCode;

/// Banderwagon's operations are one lane on every backend, and MemorySanitizer takes the upper half of a product of two
/// words for known. Threshold signatures and MuSig2 tell valgrind alone what becomes public. So valgrind alone checks
/// all three.
#[cfg(not(phalanx_msan))]
const OF_VALGRIND: [Operations; 3] = [banderwagon::ALL, frost::ALL, musig::ALL];
#[cfg(phalanx_msan)]
const OF_VALGRIND: [Operations; 0] = [];

/// Each by its name.
type Operations = &'static [(&'static str, fn())];

/// What the bulk operations run on: what the environment names. Without a name it would be the fastest, and valgrind
/// shows its programs a CPU without AVX-512.
fn backend() -> Backend {
    Bulk::new().backend()
}

fn main() -> ExitCode {
    // The leaks and controls on vector words are there where the backend has any.
    let of_vectors = if backend() == Backend::Portable { &[] } else { vectors::ALL };
    let schemes = || operations::ALL.iter().chain(silent::ALL);
    let everywhere = || schemes().chain(arithmetic::ALL).chain(planted::ALL);
    let operations = || everywhere().chain(OF_VALGRIND.into_iter().flatten()).chain(of_vectors);
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
    println!("{name}: {} errors, backend {}", checker::errors(), backend());
    ExitCode::SUCCESS
}
