//! Finds the C source of libsecp256k1 in the package of the crate secp256k1-sys, whose checksum the lock file of the
//! crate being built holds, and compiles it in the library's own default configuration: at `-O3` and for the native CPU, or
//! as its own build does, where `LAB_AS_SHIPPED` is in the environment.
//!
//! The package renames every symbol: `secp256k1_` reads `rustsecp256k1_v0_14_` there.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// How the compiler optimises for the lab, the level first.
const OPTIMISATION: [&str; 2] = ["-O3", "-march=native"];
/// How it does by the library's own build (`configure.ac`).
const SHIPPED: [&str; 1] = ["-O2"];

/// The library's own defaults (`configure.ac`: window `auto` = 15, generator table `auto` = 86 KiB) and the modules in use.
const DEFINITIONS: [(&str, &str); 7] = [
    ("ECMULT_WINDOW_SIZE", "15"),
    ("COMB_BLOCKS", "43"),
    ("COMB_TEETH", "6"),
    ("ENABLE_MODULE_ECDH", "1"),
    ("ENABLE_MODULE_RECOVERY", "1"),
    ("ENABLE_MODULE_EXTRAKEYS", "1"),
    ("ENABLE_MODULE_SCHNORRSIG", "1"),
];
/// Its assembly for scalars, which its own build takes on x86-64. Ours leaves it out: GCC 12 refuses it under
/// `-march=native` on some CPUs (impossible constraints), and one build for all machines keeps records comparable.
const ASSEMBLY: (&str, &str) = ("USE_ASM_X86_64", "1");

/// For a build script: compiles the library into the crate being built, with `main` in the place of `secp256k1.c` where
/// one is given (it is to include that file), and sets `LAB_LIBSECP256K1_VERSION` and `LAB_C_BUILD` for `env!`.
pub fn compile(main: Option<&Path>) {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let source = locate(&manifest).unwrap_or_else(|reason| panic!("{reason}"));
    let mut build = cc::Build::new();
    println!("cargo:rerun-if-env-changed=LAB_AS_SHIPPED");
    let is_as_shipped = env::var_os("LAB_AS_SHIPPED").is_some();
    let optimisation: &[&str] = if is_as_shipped { &SHIPPED } else { &OPTIMISATION };
    build.opt_level(if is_as_shipped { 2 } else { 3 }).warnings(false).debug(false).force_frame_pointer(false);
    build.flags(&optimisation[1..]);
    build.includes(folders(&source));
    let mut flags: Vec<String> = optimisation.iter().map(|flag| (*flag).to_owned()).collect();
    let has_assembly = is_as_shipped && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    for (name, value) in DEFINITIONS.into_iter().chain(has_assembly.then_some(ASSEMBLY)) {
        build.define(name, value);
        flags.push(format!("-D{name}={value}"));
    }
    build.file(source.join("src/precomputed_ecmult.c")).file(source.join("src/precomputed_ecmult_gen.c"));
    match main {
        Some(main) => build.file(main),
        None => build.file(source.join("src/secp256k1.c")),
    };
    let compiler = build.get_compiler();
    build.compile("secp256k1_of_the_lab");

    println!("cargo:rustc-env=LAB_LIBSECP256K1_VERSION={}", version(&source));
    println!("cargo:rustc-env=LAB_C_BUILD={} {}", compiler_version(compiler.path()), flags.join(" "));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.lock");
    if let Some(main) = main {
        println!("cargo:rerun-if-changed={}", main.display());
    }
}

/// The folder `depend/secp256k1` of the package, which the lock file beside a manifest has.
pub fn locate(folder: &Path) -> Result<PathBuf, String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["metadata", "--format-version=1", "--locked", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == "secp256k1-sys");
    let package = package.and_then(|package| package["manifest_path"].as_str());
    let package = package.ok_or("the lock file has no package secp256k1-sys")?;
    Ok(Path::new(package).with_file_name("depend").join("secp256k1"))
}

/// The folders in which the source looks for its files.
pub fn folders(source: &Path) -> [PathBuf; 3] {
    [source.to_owned(), source.join("include"), source.join("src")]
}

/// The newest release that the source's own change log names.
pub fn version(source: &Path) -> String {
    let log = std::fs::read_to_string(source.join("CHANGELOG.md")).unwrap_or_default();
    let release = log.lines().find_map(|line| line.strip_prefix("## [")?.split(']').next());
    release.unwrap_or("unknown").to_owned()
}

fn compiler_version(compiler: &Path) -> String {
    let output = Command::new(compiler).arg("--version").output();
    let text = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let first = text.lines().next().unwrap_or("unknown C compiler");
    let last = first.split_whitespace().last().unwrap_or_default();
    let kind = if first.contains("clang") { "clang" } else { "gcc" };
    format!("{kind} {last}")
}
