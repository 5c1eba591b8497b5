//! What is built or runs in a way of its own, and takes minutes for it.

use super::LIBRARY;
use crate::need::Need;
use crate::release;
use crate::step::Step;

pub(super) const STEPS: &[Step] = &[
    // The targets share the tests' dependencies, and are compiled with counters. Then each runs ten seconds, from the
    // committed corpora; hours by `fuzz/run 3600`.
    Step {
        name: "fuzzing",
        shows: "fuzzing each target for ten seconds finds nothing",
        minutes: 8.0,
        needs: &[Need::Program("c++")],
        paths: &[
            "fuzz/",
            "crates/cli/",
            "crates/bitcoin/src/",
            "crates/ethereum/src/",
            "crates/rows/src/",
            "crates/phalanx/src/",
            "verkle/rust/src/",
        ],
        commands: &["fuzz/run 10"],
        ..Step::DEFAULT
    },
    // Its own code, and its committed records.
    Step {
        name: "lab",
        shows: "the lab's tests pass, and its instruments compile",
        minutes: 4.0,
        needs: &[Need::Program("git")],
        paths: &["lab/"],
        commands: &[
            "cargo test --workspace --locked --manifest-path lab/Cargo.toml",
            "cargo clippy --locked --manifest-path lab/ours/Cargo.toml --all-targets -- -D warnings",
        ],
        ..Step::DEFAULT
    },
    // Both sides are built and run, and their results compared. The ratio is of no interest here.
    Step {
        name: "comparison",
        shows: "the lab compares the library with libsecp256k1",
        minutes: 2.0,
        needs: &[Need::Program("git")],
        paths: &["lab/"],
        commands: &[
            "cargo run --locked --manifest-path lab/Cargo.toml -- \
             compare --op verify-ecdsa --single --n 256 --peer libsecp256k1 --seconds 0.2 --build default-thin",
            // Numbers as doubles, which the lab converts by itself.
            "cargo run --locked --manifest-path lab/Cargo.toml -- \
             compare --op double --lanes 8 --backend fma --peer libsecp256k1-internal --seconds 0.2 --build default-thin",
        ],
        ..Step::DEFAULT
    },
    // Ten of the committed faults, others with each commit. Each must make a test of the short size fail.
    Step {
        name: "planted-faults",
        shows: "tests of the short size fail with each of ten planted faults",
        minutes: 10.0,
        paths: &["crates/engine/src/", "crates/phalanx/src/", "crates/cli/src/", "testkit/"],
        commands: &[
            "cargo build --workspace --locked --example planted_faults",
            "{target}/debug/examples/planted_faults --ten {number}",
        ],
        ..Step::DEFAULT
    },
    // Eight lanes on words that carry the range of their values: no bound is left between the formulas either.
    // It compiles for minutes.
    Step {
        name: "ranges",
        shows: "no limb leaves its width between the formulas",
        minutes: 10.0,
        paths: LIBRARY,
        commands: &["cargo test --locked -p phalanx --lib --features tracking -- lanes:: mul:: bulk:: --nocapture"],
        says: "\nran on tracked words",
        ..Step::DEFAULT
    },
    // Everything is compiled again, with the standard library. Where that takes too long it is a run by command.
    Step {
        name: "sanitizer",
        shows: "no branch and no address of vector code depends on a secret, by MemorySanitizer",
        minutes: 5.0,
        needs: &[Need::Cpu("fma"), Need::Toolchain("nightly"), Need::StandardSource("nightly")],
        paths: &["crates/engine/src/", "crates/phalanx/src/", "testkit/constant_time/", "testkit/tests/constant_time/"],
        commands: &["xtask/steps/sanitizer"],
        ..Step::DEFAULT
    },
    // Another architecture, by a sample under emulation.
    Step {
        name: "neon",
        shows: "fields, formulas and words of `neon` and what is published hold, in an emulator",
        minutes: 20.0,
        needs: &[
            Need::Target("aarch64-unknown-linux-gnu"),
            Need::Program("qemu-aarch64"),
            Need::Program("aarch64-linux-gnu-gcc"),
        ],
        paths: LIBRARY,
        commands: &["xtask/steps/neon"],
        says: "bulk calls, backend neon",
    },
    // Everything that is published is compiled twice, with optimisation.
    Step {
        name: "release",
        shows: "a release can be made, and made again it is the same, byte for byte",
        minutes: 9.0,
        needs: &release::NEEDS,
        paths: &["xtask/release"],
        commands: &["xtask/steps/release"],
        says: "\nequal: ",
    },
    // The figures are printed, not judged.
    Step {
        name: "compile-time",
        shows: "what adding the library to a program costs",
        minutes: 2.0,
        paths: LIBRARY,
        commands: &[".ci/compile-time"],
        ..Step::DEFAULT
    },
];
