//! The form of the code, and that all of it compiles in each way that users compile it.

use crate::need::Need;
use crate::step::Step;

/// What takes seconds.
pub(super) const QUICK: &[Step] = &[
    Step {
        name: "links",
        shows: "every link of the pages leads somewhere",
        paths: &["*.md"],
        commands: &["cargo xtask links"],
        ..Step::DEFAULT
    },
    Step {
        name: "workflows",
        shows: "no workflow of the forge has a weakness that a linter knows, and actions are named by hash",
        needs: &[Need::Program("zizmor")],
        paths: &[".github/"],
        commands: &["zizmor --offline --quiet .github/workflows"],
        ..Step::DEFAULT
    },
    Step {
        name: "rustfmt",
        shows: "the code is as rustfmt writes it",
        needs: &[Need::Cargo("fmt")],
        paths: &["*.rs", "rustfmt.toml"],
        commands: &["cargo fmt --all --check"],
        ..Step::DEFAULT
    },
];

pub(super) const COMPILED: &[Step] = &[
    Step {
        name: "clippy",
        shows: "clippy has nothing to say",
        minutes: 2.0,
        needs: &[Need::Cargo("clippy")],
        paths: &["crates/*.rs", "bindings/*.rs", "verkle/*.rs", "fuzz/*.rs", "tablegen/*.rs", "testkit/*.rs"],
        commands: &["cargo clippy --workspace --all-targets --locked -- -D warnings"],
        ..Step::DEFAULT
    },
    Step {
        name: "docs",
        shows: "rustdoc has nothing to say",
        minutes: 1.0,
        paths: &["crates/", "bindings/", "verkle/", "fuzz/*.rs", "tablegen/*.rs", "testkit/*.rs"],
        commands: &["RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --locked"],
        ..Step::DEFAULT
    },
    Step {
        name: "features",
        shows: "the libraries compile without features and with each",
        minutes: 1.0,
        needs: &[Need::Cargo("clippy")],
        paths: &["crates/engine/src/", "crates/phalanx/src/", "verkle/rust/src/", "crates/ethereum/src/"],
        commands: &["xtask/steps/features"],
        ..Step::DEFAULT
    },
    Step {
        name: "oldest-rust",
        shows: "the libraries compile with the oldest compiler that they name",
        minutes: 0.3,
        needs: &[Need::OldestRust],
        paths: &[
            "crates/engine/src/",
            "crates/phalanx/src/",
            "verkle/rust/src/",
            "crates/ethereum/src/",
            "crates/rows/src/",
            "crates/bitcoin/src/",
            "crates/bip32/src/",
            "crates/frost/src/",
            "crates/musig/src/",
        ],
        commands: &[
            "cargo +{oldest} check --locked -p phalanx -p phalanx-engine -p phalanx-banderwagon -p phalanx-ethereum \
             -p phalanx-rows -p phalanx-bitcoin -p phalanx-bip32 -p phalanx-frost -p phalanx-musig --lib",
        ],
        ..Step::DEFAULT
    },
    Step {
        name: "no-std",
        shows: "the libraries compile for a target that has no standard library to link",
        minutes: 0.7,
        paths: &["crates/engine/src/", "crates/phalanx/src/", "verkle/rust/src/"],
        commands: &["xtask/steps/no-std"],
        ..Step::DEFAULT
    },
    Step {
        name: "go-link",
        shows: "an image of the Go module can be made from the library as it is",
        minutes: 1.5,
        needs: &[Need::Target("aarch64-unknown-none"), Need::StandardSource("")],
        paths: &["crates/engine/src/", "crates/phalanx/src/", "crates/musig/src/", "crates/ethereum/src/"],
        commands: &["cargo run --quiet --locked -p phalanx-go-link -- link signatures arm64"],
        ..Step::DEFAULT
    },
    Step {
        name: "packages",
        shows: "what is published compiles from its archives, out of the workspace",
        minutes: 1.0,
        needs: &[Need::Program("git")],
        paths: &["crates/", "bindings/", "verkle/", "LICENSE"],
        commands: &["xtask/steps/packages"],
        ..Step::DEFAULT
    },
    // The same tables by other people's arithmetic.
    Step {
        name: "tables",
        shows: "the committed tables are what their generator writes",
        minutes: 0.2,
        paths: &["tablegen/", "crates/phalanx/src/tables/"],
        commands: &["cargo run --locked -p phalanx-tablegen -- check"],
        ..Step::DEFAULT
    },
    Step {
        name: "licences",
        shows: "dependencies have the licences and sources that deny.toml allows",
        needs: &[Need::Cargo("deny")],
        paths: &["deny.toml"],
        commands: &["cargo deny --locked check --hide-inclusion-graph licenses bans sources"],
        ..Step::DEFAULT
    },
    // Known vulnerabilities come from a database on the network.
    Step {
        name: "advisories",
        shows: "no dependency has a known weakness",
        needs: &[Need::Cargo("deny")],
        paths: &["deny.toml"],
        commands: &["xtask/steps/advisories"],
        ..Step::DEFAULT
    },
    // Dependencies are not optimised either, and then are.
    Step {
        name: "unoptimised",
        shows: "a program runs whose author has set nothing",
        minutes: 2.0,
        paths: &["crates/engine/src/", "crates/phalanx/src/", "verkle/rust/src/", "testkit/unoptimised/"],
        commands: &["xtask/steps/unoptimised"],
        ..Step::DEFAULT
    },
];
