//! Larger sizes of those tests that a sample serves least.

use super::LIBRARY;
use crate::need::Need;
use crate::step::Step;

pub(super) const STEPS: &[Step] = &[
    // Secrets under valgrind, in the library as it comes out of the compiler.
    Step {
        name: "memcheck",
        shows: "no branch and no address depends on a secret, by valgrind",
        minutes: 4.0,
        needs: &[Need::Program("valgrind")],
        paths: &["crates/engine/src/", "crates/phalanx/src/", "testkit/constant_time/", "testkit/tests/constant_time/"],
        commands: &["PHALANX_TESTS=large cargo test --workspace --locked --test constant_time memcheck"],
        ..Step::DEFAULT
    },
    Step {
        name: "roots",
        shows: "vector code is vector code, in each root, disassembled",
        minutes: 2.0,
        needs: &[Need::Program("objdump")],
        paths: &["crates/engine/src/", "crates/phalanx/src/", "testkit/tests/roots/"],
        commands: &[
            "PHALANX_TESTS=large cargo test --workspace --locked --test roots of_the_library",
            "PHALANX_TESTS=large cargo test --workspace --locked --test roots legacy_instructions",
        ],
        ..Step::DEFAULT
    },
    // Such a build reads tables in other registers. It compiles the engine anew.
    Step {
        name: "masks",
        shows: "masks, and entries of tables by them, are right in a build for AVX2",
        minutes: 1.0,
        needs: &[Need::Cpu("avx2")],
        paths: &["crates/engine/src/mask.rs"],
        commands: &["RUSTFLAGS=-Ctarget-feature=+avx2 cargo test --locked -p phalanx-engine --lib mask:: \
             --target-dir {target}/avx2"],
        ..Step::DEFAULT
    },
    Step {
        name: "small-groups",
        shows: "each field operation, formula and small group is right for all inputs",
        minutes: 0.5,
        paths: LIBRARY,
        commands: &["PHALANX_TESTS=large cargo test --workspace --locked --lib exhaustive"],
        ..Step::DEFAULT
    },
    Step {
        name: "differential",
        shows: "100,000 cases of each operation are as with libsecp256k1 and k256",
        minutes: 7.0,
        paths: &["crates/engine/src/", "crates/phalanx/src/", "testkit/src/", "testkit/tests/answers/"],
        commands: &["PHALANX_TESTS=large cargo test --workspace --locked --test answers differential::"],
        ..Step::DEFAULT
    },
    // 100,000 scalars, and 8,000 vectors of which 1,000 are whole.
    Step {
        name: "banderwagon",
        shows: "scalars, elements and commitments are as with arkworks",
        minutes: 8.0,
        paths: &["crates/engine/src/", "verkle/rust/"],
        commands: &["PHALANX_TESTS=large cargo test --workspace --locked --test banderwagon"],
        ..Step::DEFAULT
    },
];
