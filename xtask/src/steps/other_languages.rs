//! What other languages and other programs see of the library.

use crate::need::Need;
use crate::step::Step;

/// Built with the workspace, so that dependencies have the features that they have for the tests.
const BUILD_OF_LIBSECP256K1: &str = "cargo build --workspace --locked --example differential";

/// The original comes from PyPI, and is compiled once.
const ORIGINAL: &[Need] = &[Need::Program("cc"), Need::Python("pip")];

const LIBSECP256K1: &[&str] =
    &["bindings/libsecp256k1/", "bindings/ffi/", "crates/musig/src/", "crates/phalanx/src/", "crates/engine/src/"];

pub(super) const STEPS: &[Step] = &[
    Step {
        name: "libsecp256k1-calls",
        shows: "each function of our libsecp256k1 answers as the original does",
        minutes: 0.5,
        needs: ORIGINAL,
        paths: LIBSECP256K1,
        commands: &[
            BUILD_OF_LIBSECP256K1,
            "bindings/libsecp256k1/checks/differential 1000 {target}/debug/deps/libsecp256k1.so \
             {target}/debug/examples/differential",
        ],
        ..Step::DEFAULT
    },
    Step {
        name: "libsecp256k1-silent-payments",
        shows: "silent payments are sent and found as by the original's module",
        minutes: 0.2,
        needs: ORIGINAL,
        paths: &["bindings/libsecp256k1/", "crates/silent/src/", "crates/phalanx/src/", "crates/engine/src/"],
        commands: &[
            "cargo build --workspace --locked --example silent_payments",
            "bindings/libsecp256k1/checks/silent_payments 10000 {target}/debug/examples/silent_payments",
        ],
        ..Step::DEFAULT
    },
    Step {
        name: "libsecp256k1-programs",
        shows: "the original's examples and benchmark run on our library",
        minutes: 0.2,
        needs: ORIGINAL,
        paths: LIBSECP256K1,
        commands: &[BUILD_OF_LIBSECP256K1, "bindings/libsecp256k1/checks/programs {target}/debug/deps/libsecp256k1.so"],
        ..Step::DEFAULT
    },
    Step {
        name: "libsecp256k1-constant-time",
        shows: "the original's own test of constant time passes on our library",
        minutes: 1.0,
        needs: &[Need::Program("cc"), Need::Python("pip"), Need::Program("valgrind")],
        paths: LIBSECP256K1,
        commands: &["bindings/libsecp256k1/checks/constant_time"],
        ..Step::DEFAULT
    },
    Step {
        name: "libsecp256k1-python",
        shows: "tests of Python packages end as with the original",
        minutes: 0.5,
        needs: &[Need::Program("cc"), Need::Python("pip, venv, ensurepip"), Need::Program("pkg-config")],
        paths: LIBSECP256K1,
        commands: &[BUILD_OF_LIBSECP256K1, "bindings/libsecp256k1/checks/python {target}/debug/deps/libsecp256k1.so"],
        ..Step::DEFAULT
    },
    // In an environment of its own. It says itself what it skips without PyPI, and without Java for Spark.
    Step {
        name: "python",
        shows: "the wheel passes its tests, its types hold, and Spark gives verdicts",
        minutes: 8.0,
        needs: &[Need::Python("venv, ensurepip")],
        paths: &["bindings/python/", "crates/"],
        commands: &["bindings/python/checks/run"],
        ..Step::DEFAULT
    },
    Step {
        name: "python-verkle",
        shows: "the wheel of Verkle commitments passes its tests, and its types hold",
        minutes: 3.0,
        needs: &[Need::Python("venv, ensurepip")],
        paths: &["verkle/python/", "verkle/rust/src/", "bindings/python/"],
        commands: &["verkle/python/checks/run"],
        ..Step::DEFAULT
    },
    // In the environment of the Python package, whose answers it is compared with.
    Step {
        name: "duckdb",
        shows: "the extension of DuckDB scans in SQL as the Python package does",
        minutes: 2.0,
        needs: &[Need::Python("venv, ensurepip")],
        paths: &["bindings/duckdb/", "bindings/python/checks/", "crates/silent/src/", "crates/rows/src/key_line.rs"],
        commands: &[
            "cargo xtask duckdb dev",
            "bindings/python/checks/run extension {target}/debug/phalanx.duckdb_extension",
        ],
        ..Step::DEFAULT
    },
    // Another architecture's tests run where there is an emulator.
    Step {
        name: "go",
        shows: "the Go module passes its tests, on its images and in pure Go",
        minutes: 6.0,
        needs: &[Need::Program("go")],
        paths: &["bindings/go/", "docs/use/go.md", "bindings/go-image/", "bindings/ffi/", "verkle/go-image/"],
        commands: &["bindings/go/checks/run"],
        ..Step::DEFAULT
    },
    Step {
        name: "go-images",
        shows: "the Go module's images are what their commits and compiler make",
        minutes: 4.0,
        needs: &[Need::Program("git"), Need::Target("aarch64-unknown-none"), Need::StandardSource("")],
        paths: &["bindings/go/internal/", "bindings/go-image/", "bindings/ffi/", "verkle/go-image/"],
        commands: &["xtask/steps/go-images"],
        ..Step::DEFAULT
    },
    // To compile cargo-c takes longer than any step, so `.ci/setup` installs it by `--all` only.
    Step {
        name: "cargo-c",
        shows: "C programs find the libraries that cargo-c has installed, by pkg-config",
        minutes: 2.0,
        needs: &[Need::Program("cargo-cinstall"), Need::Program("pkg-config"), Need::Program("cc")],
        paths: &["bindings/c/", "bindings/ffi/", "verkle/c/"],
        commands: &["xtask/steps/cargo-c"],
        ..Step::DEFAULT
    },
];
