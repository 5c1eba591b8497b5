//! Programs in C, compiled by the system's compilers with libraries of this repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Once,
};

pub(crate) const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Of a test that counts allocations: the library's calls go to functions of the test.
pub(crate) const COUNTED: [&str; 4] =
    ["-Wl,--wrap=malloc", "-Wl,--wrap=calloc", "-Wl,--wrap=realloc", "-Wl,--wrap=posix_memalign"];

/// Libraries, each by its package, its name and its folder of headers; one that needs another stands before it.
pub(crate) struct Libraries(pub(crate) &'static [(&'static str, &'static str, &'static str)]);

/// The folder of the crate that is tested.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what a test builds.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_PKG_NAME")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}\n{errors}", output.status);
    output
}

pub(crate) fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs a test program, on one backend if it is named.
pub(crate) fn run_test(program: &Path, backend: Option<&str>) {
    let output = run(Command::new(program).args(backend));
    print!("{}: {}", program.file_name().unwrap().display(), String::from_utf8_lossy(&output.stdout));
}

impl Libraries {
    /// The files, built first: cargo builds for tests only what Rust can link. Each is built apart, in the folder and by
    /// the profile of this test, so that little is compiled again.
    fn files(&self, extension: &str) -> Vec<PathBuf> {
        static BUILT: Once = Once::new();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let profile = env::current_exe().unwrap().strip_prefix(target).unwrap().iter().next().unwrap().to_owned();
        BUILT.call_once(|| {
            let profile = if profile == "debug" { "dev".as_ref() } else { profile.as_os_str() };
            for (package, ..) in self.0 {
                let mut cargo = Command::new(env!("CARGO"));
                cargo.args(["build", "--locked", "-p", package, "--target-dir"]).arg(target);
                run(cargo.current_dir(root()).arg("--profile").arg(profile));
            }
        });
        let path = |name| target.join(&profile).join(format!("lib{name}.{extension}"));
        let paths: Vec<_> = self.0.iter().map(|(_, name, _)| path(name)).collect();
        paths.iter().for_each(|path| assert!(path.exists(), "{}", path.display()));
        paths
    }

    fn headers(&self) -> impl Iterator<Item = PathBuf> {
        self.0.iter().map(|(.., folder)| root().join(folder))
    }

    /// A compiler that finds the headers.
    pub(crate) fn compiler(&self, name: &str, standard: &str) -> Command {
        let mut cc = Command::new(name);
        cc.arg(standard).args(STRICT);
        self.headers().for_each(|folder| {
            cc.arg("-I").arg(folder);
        });
        cc
    }

    /// Compiles a file with the libraries, `so` or `a`.
    pub(crate) fn link(&self, mut cc: Command, source: &str, program: &Path, extension: &str) {
        let files = self.files(extension);
        cc.arg(root().join(source)).arg("-o").arg(program).args(&files);
        cc.arg(format!("-Wl,-rpath,{}", files[0].parent().unwrap().display()));
        run(cc.args(["-lm", "-ldl", "-lpthread"]));
    }

    /// Compiles a test in C, by the static libraries.
    pub(crate) fn test(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let program = folder("tests").join(name);
        let mut cc = self.compiler("cc", "-std=c99");
        cc.args(arguments).args(["-O1", "-g"]);
        self.link(cc, &format!("tests/c/{name}.c"), &program, "a");
        program
    }

    /// A program that includes the header compiles, as C and as C++; and the compiler does look, for it refuses a
    /// header with a fault.
    pub(crate) fn header_is_c99_and_cpp(&self, header: &str, word: &str) {
        let folder = folder("header");
        // Twice, to see that it may be.
        let source = format!("#include <{header}>\n#include <{header}>\nint main(void) {{ return 0; }}\n");
        for (compiler, standard, file) in [("cc", "-std=c99", "header.c"), ("c++", "-std=c++11", "header.cpp")] {
            if compiler == "c++" && !is_there(compiler) {
                phalanx_tiers::skipped("a C++ compiler", "whether the header is C++");
                continue;
            }
            fs::write(folder.join(file), &source).unwrap();
            run(self.compiler(compiler, standard).arg("-fsyntax-only").arg(folder.join(file)));
        }
        let good = fs::read_to_string(root().join("include").join(header)).unwrap();
        fs::write(folder.join("broken.c"), good.replacen(word, "uint9_t", 1)).unwrap();
        let mut broken = self.compiler("cc", "-std=c99");
        assert!(!broken.arg("-fsyntax-only").arg(folder.join("broken.c")).output().unwrap().status.success());
    }

    /// The examples, in C and in C++, are built with the libraries of either kind, and `check` runs them.
    pub(crate) fn examples(&self, c: &[&str], cpp: &[&str], check: fn(&Path)) {
        let cpp = if is_there("c++") { cpp } else { &[] };
        for extension in ["so", "a"] {
            let folder = folder(extension);
            for (examples, compiler, standard, ending) in
                [(c, "cc", "-std=c99", "c"), (cpp, "c++", "-std=c++20", "cpp")]
            {
                for example in examples {
                    let mut cc = self.compiler(compiler, standard);
                    cc.arg("-O1");
                    self.link(cc, &format!("examples/c/{example}.{ending}"), &folder.join(example), extension);
                }
            }
            check(&folder);
        }
    }

    pub(crate) fn examples_by_cmake(&self, check: fn(&Path)) {
        if !is_there("cmake") {
            return phalanx_tiers::skipped("cmake", "examples built by CMake");
        }
        let folder = folder("cmake");
        let list =
            |paths: Vec<PathBuf>| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(";");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("examples/c")).arg("-B").arg(&folder);
        configure.arg(format!("-DPHALANX_INCLUDE={}", list(self.headers().collect())));
        run(configure.arg(format!("-DPHALANX_LIBRARY={}", list(self.files("so")))));
        run(Command::new("cmake").arg("--build").arg(&folder));
        check(&folder);
    }

    pub(crate) fn examples_by_meson(&self, check: fn(&Path)) {
        if !is_there("meson") || !is_there("ninja") {
            return phalanx_tiers::skipped("meson and ninja", "examples built by Meson");
        }
        let folder = folder("meson");
        fs::remove_dir_all(&folder).unwrap();
        let files = self.files("so");
        let headers: Vec<_> = self.headers().map(|folder| format!("-I{}", folder.display())).collect();
        let libraries: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
        let mut configure = Command::new("meson");
        configure.arg("setup").arg(&folder).arg(root().join("examples/c"));
        configure.arg(format!("-Dc_args={}", headers.join(" ")));
        configure.arg(format!("-Dc_link_args=-Wl,-rpath,{}", files[0].parent().unwrap().display()));
        run(configure.arg(format!("-Dphalanx={}", libraries.join(","))));
        run(Command::new("meson").args(["compile", "-C"]).arg(&folder));
        check(&folder);
    }
}
