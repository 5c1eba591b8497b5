//! What is meant for the vector unit is compiled for it.
//!
//! A helper that stays a function of its own between a root and the instructions is compiled without AVX-512, silently,
//! and many times slower: each instruction becomes a call. So these tests build the library as a user's release build
//! does where nothing is said about the CPU, linking or units of compilation, disassemble it with `objdump`, and look
//! at every function for such calls, and at every root, which must call none of our functions but roots and what
//! panics, and must multiply in 512-bit registers only. The roots of 256-bit words call their kernels and products too,
//! and have neither 512-bit registers nor masks.
//!
//! A second program is built for one CPU with wide registers and SHA instructions (`znver3`), in one unit. No function
//! of it may hold both 256-bit registers and an instruction in the legacy encoding, such as a SHA instruction: the
//! change of encoding costs some CPUs thousands of cycles. No function may both set the floating-point state and
//! compute with doubles: the compiler may move the one past the other. A root of integers runs in the caller's state: it
//! neither computes with doubles nor calls vector code.
//!
//! The environment variable `PHALANX_ROOTS` names further binaries to look at, separated by colons.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod disassembly;

use disassembly::{Found, Words, is_possible, is_vector_code, look};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes are moved by the C library's functions, which choose their own instructions.
const MEMORY: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];
/// What does not come back.
const PANICS: [&str; 2] = ["panic", "_fail"];

/// Whether roots can be looked at; says so past the capture of passing tests where they cannot.
fn is_there() -> bool {
    if !is_possible() {
        phalanx_tiers::skipped("objdump is not installed (Debian: binutils)", "every root of the vector code");
    }
    is_possible()
}

fn target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Whether a root may call it: what is not ours works on addresses and lengths, or its words would be seen to be called
/// for.
fn is_allowed(call: &str) -> bool {
    let is_ours = call.contains("phalanx") && !is_vector_code(call);
    !is_ours || PANICS.iter().any(|name| call.contains(name))
}

/// What is wrong with the binary.
fn faults(found: &Found) -> Vec<String> {
    let mut faults: Vec<_> =
        found.without_vectors.iter().map(|name| format!("{name} is compiled without vectors")).collect();
    let unshielded =
        |name| format!("{name} computes with doubles, and sets the floating-point state itself or not at all");
    faults.extend(found.unshielded.iter().map(unshielded));
    faults.extend(found.mixed.iter().map(|name| format!("{name} mixes wide registers and the legacy encoding")));
    for (name, root) in found.roots.iter().chain(&found.called) {
        faults.extend(root.faults(words(name)).iter().map(|fault| format!("{name} {fault}")));
        let is_allowed = |call: &str| is_allowed(call) && !(name.contains("_root_of_integers") && is_vector_code(call));
        faults.extend(root.calls.iter().filter(|call| !is_allowed(call)).map(|call| format!("{name} calls {call}")));
    }
    faults
}

fn check(binary: &Path) -> Found {
    let found = look(binary);
    let faults = faults(&found);
    assert!(faults.is_empty(), "{}:\n{}", binary.display(), faults.join("\n"));
    println!("{}: {} roots, {} of which multiply", binary.display(), found.roots.len(), multiplying(&found));
    found
}

/// What a root or a product was compiled for.
fn words(name: &str) -> Words {
    Words::of(name).expect("it has been found by its name")
}

/// The roots so compiled.
fn roots(found: &Found, of: Words) -> usize {
    found.roots.keys().filter(|name| words(name) == of).count()
}

fn multiplying(found: &Found) -> usize {
    found.roots.values().filter(|root| root.multiplications > 0).count()
}

/// A dynamic library keeps every outward function of the crate and, with it, every root.
#[test]
fn roots_of_the_library_call_nothing_of_ours() {
    if !is_there() || !phalanx_tiers::may_compile("every root of the library") {
        return;
    }
    // What Cargo does by itself where a user's workspace says nothing.
    let folder = release("roots", &["--package", "phalanx", "--lib", "--crate-type", "dylib"], "", ["off", "16"]);
    let found = check(&folder.join("libphalanx.so"));
    let multiplying = multiplying(&found);
    assert!(multiplying >= 30, "the library has more roots than the {multiplying} found");
    let pairs = found.roots.iter().filter(|(name, root)| words(name) == Words::Fma && root.ymm).count();
    assert!(pairs >= 30, "the library has more roots in pairs of registers than the {pairs} found");
}

/// For a CPU with wide registers and SHA instructions, all units joined: there the compiler inlines furthest. The
/// program is the one of the constant-time runs, which calls every operation on secrets.
#[test]
fn legacy_instructions_stay_apart_from_wide_registers() {
    if !is_there() || !phalanx_tiers::may_compile("legacy instructions beside wide registers, built for a Zen 3") {
        return;
    }
    let program = ["--package", "phalanx-constant-time"];
    let folder = release("roots-of-one-cpu", &program, "-C target-cpu=znver3", ["fat", "1"]);
    let found = check(&folder.join("phalanx-constant-time"));
    assert!(found.hashing > 0, "the CPU's SHA instructions are used");
}

/// Builds something in release mode in a folder of its own, with this link-time optimisation and so many units of
/// compilation.
fn release(folder: &str, what: &[&str], flags: &str, [lto, units]: [&str; 2]) -> PathBuf {
    let folder = target(folder);
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--locked"])
        .args(what)
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        .envs([("CARGO_PROFILE_RELEASE_LTO", lto), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", units)])
        // The workspace's profile says other units for these two, and another level, which go before the variable.
        .args(["phalanx", "phalanx-engine"].into_iter().flat_map(|package| {
            let here =
                |setting: String| ["--config".to_owned(), format!("profile.release.package.{package}.{setting}")];
            [here(format!("codegen-units={units}")), here("opt-level=3".to_owned())].concat()
        }))
        .envs([("CARGO_PROFILE_RELEASE_DEBUG", "false"), ("CARGO_PROFILE_RELEASE_STRIP", "none"), ("RUSTFLAGS", flags)])
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the release build failed");
    folder.join("release")
}

/// The engine's formulas alone, as roots without any memory that could be left: here nothing may panic either.
#[test]
fn roots_of_the_engine_call_nothing() {
    if !is_there() {
        return;
    }
    let out = target("engine-roots");
    std::fs::create_dir_all(&out).expect("the target folder can be written");
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/engine");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    // The compiler is called directly, so that the engine's test dependencies are not built.
    let compile = |file: &str, name: &str, arguments: &[&str]| {
        let status = Command::new(&compiler)
            .args(["--edition=2024", "-Copt-level=3", "--cap-lints=allow", "--crate-name", name, "--out-dir"])
            .arg(&out)
            .args(arguments)
            .arg(engine.join(file))
            .status()
            .expect("the compiler runs");
        assert!(status.success(), "{file} does not build");
    };
    let features = ["--crate-type=rlib", "--cfg=feature=\"std\"", "--cfg=feature=\"vectors\""];
    compile("src/lib.rs", "phalanx_engine", &features);
    let library = format!("phalanx_engine={}", out.join("libphalanx_engine.rlib").display());
    compile("examples/roots.rs", "roots", &["--extern", &library]);
    let found = check(&out.join("roots"));
    for of in [Words::Ifma, Words::Fma512, Words::Fma] {
        assert_eq!(roots(&found, of), 8, "the example has eight roots: {:#?}", found.roots.keys());
    }
    for (name, root) in found.roots.iter().chain(&found.called) {
        let of = words(name);
        let multiplies = of != Words::Ifma || found.called.contains_key(name) || root.multiplications > 0;
        assert!(multiplies, "{name} does not multiply in 512-bit registers");
        let is_allowed = |call: &str| MEMORY.iter().any(|name| call.contains(name)) || is_vector_code(call);
        let calls: Vec<_> = root.calls.iter().filter(|call| !is_allowed(call)).collect();
        assert!(calls.is_empty(), "{name} calls {calls:?}");
    }
}

#[test]
fn roots_of_other_binaries_call_nothing_of_ours() {
    let Ok(binaries) = std::env::var("PHALANX_ROOTS") else {
        // Nothing is skipped: there is nothing to look at unless somebody says what.
        return;
    };
    if !is_there() {
        return;
    }
    for binary in binaries.split(':').map(Path::new) {
        assert!(!check(binary).roots.is_empty(), "{} has no roots, or no symbols", binary.display());
    }
}
