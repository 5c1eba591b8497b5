//! The library as C programs meet it: the header, the examples, bad input and allocations, by the system's compilers.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Once,
};

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const EXAMPLES: [&str; 5] = ["verify_file", "sign", "recover", "sum", "commit"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what a test builds.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The library, built first: cargo builds for tests only what Rust can link. In the folder and by the profile of this
/// test, so that little is compiled again.
fn library(file: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let profile = env::current_exe().unwrap().strip_prefix(target).unwrap().iter().next().unwrap().to_owned();
    BUILT.call_once(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "-p", env!("CARGO_PKG_NAME"), "--target-dir"]).arg(target);
        let profile = if profile == "debug" { "dev".as_ref() } else { profile.as_os_str() };
        run(cargo.current_dir(root()).arg("--profile").arg(profile));
    });
    let path = target.join(profile).join(file);
    assert!(path.exists(), "{}", path.display());
    path
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}\n{errors}", output.status);
    output
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles a C file with the library, shared or static.
fn compile(source: &Path, program: &Path, shared: bool, arguments: &[&str]) {
    let mut cc = Command::new("cc");
    cc.arg("-std=c99").args(STRICT).arg("-I").arg(root().join("include")).arg(source).arg("-o").arg(program);
    if shared {
        let path = library("libphalanx.so");
        cc.arg(&path).arg(format!("-Wl,-rpath,{}", path.parent().unwrap().display()));
    } else {
        cc.arg(library("libphalanx.a"));
    }
    run(cc.args(arguments).args(["-lm", "-ldl", "-lpthread"]));
}

#[test]
fn the_header_is_c99_and_cpp() {
    let folder = folder("header");
    // Twice, to see that it may be.
    let source = "#include <phalanx.h>\n#include <phalanx.h>\nint main(void) { return phalanx_version() == 0; }\n";
    for (compiler, language, file) in [("cc", "-std=c99", "header.c"), ("c++", "-std=c++11", "header.cpp")] {
        if compiler == "c++" && !is_there(compiler) {
            phalanx_tiers::skipped("a C++ compiler", "whether the header is C++");
            continue;
        }
        let path = folder.join(file);
        fs::write(&path, source).unwrap();
        let mut command = Command::new(compiler);
        command.args([language, "-fsyntax-only"]).args(STRICT).arg("-I").arg(root().join("include"));
        run(command.arg(&path));
    }
    // The compiler does look: a header with a fault is refused.
    let broken = fs::read_to_string(root().join("include/phalanx.h")).unwrap().replacen("uint8_t", "uint9_t", 1);
    fs::write(folder.join("broken.h"), broken).unwrap();
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-fsyntax-only"]).args(STRICT).arg(folder.join("broken.h"));
    assert!(!command.output().unwrap().status.success());
}

#[test]
fn examples_run_with_either_library() {
    for shared in [false, true] {
        let folder = folder(if shared { "shared" } else { "static" });
        for example in EXAMPLES {
            let program = folder.join(example);
            compile(&root().join(format!("examples/c/{example}.c")), &program, shared, &["-O1"]);
        }
        run_examples(&folder);
    }
}

/// The first block of C in a page, below a line.
fn block(page: &str, below: &str) -> String {
    let text = fs::read_to_string(root().join("../..").join(page)).unwrap();
    let text = text.split_once(below).and_then(|(_, text)| text.split_once("```c\n")).unwrap().1;
    text.split_once("```").unwrap().0.to_owned()
}

#[test]
fn what_the_page_shows_compiles() {
    let folder = folder("pages");
    let (source, object) = (folder.join("page.c"), folder.join("page.o"));
    fs::write(&source, block("docs/use/c.md", "# Phalanx from C and C++")).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-c"]).args(STRICT).arg("-I").arg(root().join("include")).arg(&source);
    run(cc.arg("-o").arg(object));
}

/// Runs the programs of a folder.
fn run_examples(folder: &Path) {
    for example in ["sign", "recover", "sum", "commit"] {
        run(&mut Command::new(folder.join(example)));
    }
    let made = run(Command::new(folder.join("verify_file")).arg("make")).stdout;
    assert_eq!(made.len(), 129 * 1000);
    let rows = folder.join("rows.bin");
    fs::write(&rows, made).unwrap();
    let verified = Command::new(folder.join("verify_file")).arg(&rows).output().unwrap();
    let text = String::from_utf8_lossy(&verified.stdout);
    assert_eq!(verified.status.code(), Some(3), "{text}");
    assert!(text.contains("verdict 0: 990 rows") && text.contains("verdict 6: 10 rows"), "{text}");
}

#[test]
fn bad_input_gets_its_status() {
    for name in ["bad_rows", "bad_arguments", "refused"] {
        let program = folder("bad-input").join(name);
        compile(&root().join(format!("tests/c/{name}.c")), &program, false, &["-O1", "-g"]);
        for backend in library::Backend::available() {
            let output = run(Command::new(&program).arg(backend.name()));
            print!("{name}, {}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// What leaves a progress function ends the program, and does not go through the library; what comes after a call may
/// leave it as it likes.
#[test]
fn exceptions_out_of_callbacks_end_the_program() {
    if !is_there("c++") || !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a C++ compiler on Linux", "what leaves a progress function");
    }
    for file in ["libphalanx.so", "libphalanx.a"] {
        let (library, program) = (library(file), folder("callbacks").join(format!("{file}.program")));
        let mut cc = Command::new("c++");
        cc.args(["-std=c++11", "-O1"]).args(STRICT).arg("-I").arg(root().join("include"));
        cc.arg(root().join("tests/c/callbacks.cpp")).arg("-o").arg(&program).arg(&library);
        cc.arg(format!("-Wl,-rpath,{}", library.parent().unwrap().display()));
        run(cc.args(["-lm", "-ldl", "-lpthread"]));
        assert_eq!(run(Command::new(&program).arg("return")).stdout, b"left\n");
        for (way, says) in [("throw", "Rust cannot catch foreign exceptions"), ("exit", "exception not rethrown")] {
            let ended = Command::new(&program).arg(way).output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.code().is_none() && said.contains(says), "{file}, {way}: {} {said}", ended.status);
            assert!(ended.stdout.is_empty(), "{file}, {way}: {}", String::from_utf8_lossy(&ended.stdout));
        }
    }
}

#[test]
fn calls_take_little_stack() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a thread on a stack that the program gives it", "the stack that calls take");
    }
    let program = folder("stack").join("stack");
    compile(&root().join("tests/c/stack.c"), &program, false, &["-O1"]);
    for backend in library::Backend::available() {
        let output = run(Command::new(&program).arg(backend.name()));
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn nothing_is_allocated_after_warm_up() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a linker with --wrap", "allocations of calls from C");
    }
    let program = folder("allocations").join("allocations");
    let wrap = ["malloc", "calloc", "realloc", "posix_memalign"].map(|name| format!("-Wl,--wrap={name}"));
    let arguments: Vec<&str> = wrap.iter().map(String::as_str).chain(["-O1"]).collect();
    compile(&root().join("tests/c/allocations.c"), &program, false, &arguments);
    let output = run(&mut Command::new(&program));
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn freed_memory_holds_no_secret_scalar() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a linker with --wrap", "the search through memory that commitments free");
    }
    let program = folder("wiped").join("wiped");
    let arguments = ["-Wl,--wrap=free", "-Wl,--wrap=realloc", "-O1"];
    compile(&root().join("tests/c/wiped.c"), &program, false, &arguments);
    let output = run(&mut Command::new(&program));
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn examples_build_by_cmake() {
    if !is_there("cmake") {
        return phalanx_tiers::skipped("cmake", "examples built by CMake");
    }
    let folder = folder("cmake");
    let (include, library) = (root().join("include"), library("libphalanx.so"));
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("examples/c")).arg("-B").arg(&folder);
    configure.arg(format!("-DPHALANX_INCLUDE={}", include.display()));
    run(configure.arg(format!("-DPHALANX_LIBRARY={}", library.display())));
    run(Command::new("cmake").arg("--build").arg(&folder));
    run_examples(&folder);
}

#[test]
fn examples_build_by_meson() {
    if !is_there("meson") || !is_there("ninja") {
        return phalanx_tiers::skipped("meson and ninja", "examples built by Meson");
    }
    let folder = folder("meson");
    fs::remove_dir_all(&folder).unwrap();
    let (include, library) = (root().join("include"), library("libphalanx.so"));
    let mut configure = Command::new("meson");
    configure.arg("setup").arg(&folder).arg(root().join("examples/c"));
    configure.arg(format!("-Dc_args=-I{}", include.display()));
    let rpath = format!("-Wl,-rpath,{}", library.parent().unwrap().display());
    configure.arg(format!("-Dc_link_args={rpath}"));
    run(configure.arg(format!("-Dphalanx={}", library.display())));
    run(Command::new("meson").args(["compile", "-C"]).arg(&folder));
    run_examples(&folder);
}
