//! The release build of the library, on secrets that valgrind's memory checker takes for undefined.
//!
//! valgrind runs no AVX-512 and no SHA instructions: it shows the backends `portable` and `fma`, and the portable SHA-256.

use super::{LEAK, build, check_all};
use phalanx_tiers::{may_compile, skipped};
use std::process::Command;

#[test]
fn secrets_steer_no_branch_and_no_address() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux"))
        || Command::new("valgrind").arg("--version").output().is_err()
    {
        skipped("valgrind on x86-64 Linux is not here", "constant time of every secret operation, portable and fma");
        return;
    }
    if !may_compile("constant time of every secret operation, portable and fma") {
        return;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg("build");
    let folder = build(cargo, "constant-time", "--cfg phalanx_valgrind");
    let program = folder.join("release/phalanx-constant-time");
    check_all(&program, &["portable", "fma"], "constant time of every secret operation on this backend", || {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=memcheck", "--leak-check=no", "--num-callers=20", "--quiet"]);
        valgrind.arg(format!("--error-exitcode={LEAK}")).arg(&program);
        valgrind
    });
}
