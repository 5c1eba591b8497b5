//! The compiler's part: from the sources of a commit to the archive of a static library.

use crate::{
    relocate::Architecture,
    subject::{SHARED_SOURCES, Subject},
};
use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Where an image comes from.
pub(crate) struct Provenance {
    pub(crate) commit: String,
    pub(crate) compiler: String,
}

/// The file of an image.
pub(crate) fn image_file(subject: &Subject, architecture: Architecture) -> String {
    format!("{}/image_{}.s", subject.folder, architecture.name())
}

/// The file of the functions that call it.
pub(crate) fn trampoline_file(subject: &Subject, architecture: Architecture) -> String {
    format!("{}/trampoline_{}.s", subject.folder, architecture.name())
}

/// What the command answers; its errors go where ours go.
fn answer(command: &mut Command) -> Result<String, String> {
    let Output { status, stdout, .. } =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    Ok(String::from_utf8_lossy(&stdout).trim().to_owned())
}

/// The folder of the repository.
pub(crate) fn repository() -> Result<PathBuf, String> {
    answer(Command::new("git").args(["rev-parse", "--show-toplevel"])).map(PathBuf::from)
}

/// The commit of these sources and the compiler that is here.
///
/// # Errors
/// If the sources are not those of the commit.
pub(crate) fn provenance(repository: &Path, subject: &Subject) -> Result<Provenance, String> {
    let git = |arguments: &[&str]| answer(Command::new("git").current_dir(repository).args(arguments));
    let changed = git(&[&["status", "--porcelain", "--"], SHARED_SOURCES, subject.sources].concat())?;
    if !changed.is_empty() {
        return Err(format!("the header of an image names a commit, and these files differ from it:\n{changed}"));
    }
    // The last commit that changed an image's sources: later ones leave the file as it is.
    let commit = git(&[&["log", "-1", "--format=%H", "--"], SHARED_SOURCES, subject.sources].concat())?;
    Ok(Provenance { commit, compiler: compiler()? })
}

/// The compiler that is here.
pub(crate) fn compiler() -> Result<String, String> {
    answer(Command::new("rustc").arg("--version"))
}

/// Compiles the image's crate and answers the archive.
pub(crate) fn compile(repository: &Path, subject: &Subject, architecture: Architecture) -> Result<Vec<u8>, String> {
    // No code below the stack pointer, no tables of jumps, one instance of SHA-256's compression, without detection.
    let mut flags = vec!["--cfg", "sha2_backend=\"soft\"", "-Cjump-tables=no"];
    let mut cargo = Command::new("cargo");
    let target = match architecture {
        Architecture::Amd64 => {
            flags.extend(["-Crelocation-model=pic", "-Cno-redzone=yes"]);
            cargo.args(["rustc", "--features", "image,vectors"]);
            "x86_64-unknown-linux-gnu"
        }
        Architecture::Arm64 => {
            // Go keeps its own in x28, and darwin and Windows have x18. The compiler knows flags for that, which are not
            // stable, and `core` must be compiled with them as well. The header names the one compiler that is meant.
            flags.extend(["-Crelocation-model=static", "-Ccode-model=tiny", "-Zfixed-x18"]);
            flags.push("-Ctarget-feature=+reserve-x28,-strict-align");
            cargo.env("RUSTC_BOOTSTRAP", "1");
            cargo.args(["rustc", "-Zbuild-std=core,alloc", "--features", "image"]);
            "aarch64-unknown-none"
        }
    };
    let options =
        ["--locked", "--package", subject.package, "--lib", "--profile", "image", "--crate-type", "staticlib"];
    cargo.current_dir(repository).args(options).args(["--target", target]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS");
    answer(&mut cargo)?;
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), PathBuf::from);
    let file =
        repository.join(folder).join(target).join("image").join(format!("lib{}.a", subject.package.replace('-', "_")));
    std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
}
