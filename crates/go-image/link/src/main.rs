//! Makes the image of the Go module: compiles the crate `phalanx-go-image`, links it flat, bounds its stack, and writes
//! it as Go assembly.
//!
//! ```text
//! cargo run -p phalanx-go-link -- write [amd64|arm64]    writes go/internal/image/image_*.s from the sources here
//! cargo run -p phalanx-go-link -- check [amd64|arm64]    makes them again, in another folder, from the commits that they name
//! ```

mod build;
mod check;
mod image;
mod object;
mod relocate;
mod stack;
mod stack_amd64;
mod stack_arm64;
mod write;

use relocate::Architecture;
use stack::Bounds;
use std::{path::Path, process::ExitCode};
use write::Linked;

/// The entries, in the order in which they stand at the beginning of the image, with the function of Go's side that calls
/// each, in whose frame it runs.
const ENTRIES: [(&str, &str); 2] = [("phalanx_go_single", "single"), ("phalanx_go_rows", "rows")];

/// Where Go's side of the border is.
const FOLDER: &str = "go/internal/image";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["write"] => Architecture::ALL.into_iter().try_for_each(write),
        ["write", name] => Architecture::named(name).and_then(write),
        ["check"] => Architecture::ALL.into_iter().try_for_each(check::check),
        ["check", name] => Architecture::named(name).and_then(check::check),
        _ => Err("phalanx-go-link write|check [amd64|arm64]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes an image of the sources here, and writes its file.
fn write(architecture: Architecture) -> Result<(), String> {
    let repository = build::repository()?;
    let provenance = build::provenance(&repository)?;
    let linked = linked(&repository, architecture)?;
    let file = repository.join(architecture.file());
    std::fs::write(&file, write::assembly(&linked, architecture, &provenance))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}: {} bytes", architecture.file(), linked.image.bytes.len());
    Ok(())
}

/// Compiles, links, and bounds the stack.
fn linked(repository: &Path, architecture: Architecture) -> Result<Linked, String> {
    let archive = build::compile(repository, architecture)?;
    let objects = object::Objects::read(&archive, architecture.in_objects())?;
    let image = image::link(&objects, &ENTRIES.map(|(name, _)| name), architecture)?;
    let frames = frames(&repository.join(FOLDER).join(format!("trampoline_{}.s", architecture.name())))?;
    let mut bounds = Bounds::new(&image, architecture)?;
    let mut stack = Vec::new();
    for (entry, frame) in frames.iter().enumerate() {
        let bound = bounds.of(image::ENTRY_BYTES * entry as u64)?;
        println!("{}: at most {bound} bytes of stack, in a frame of {frame}", ENTRIES[entry].0);
        if bound * 2 > *frame {
            let largest: Vec<_> = bounds.known().into_iter().take(20).collect();
            return Err(format!("the frame is less than twice the bound; the largest functions: {largest:#?}"));
        }
        stack.push(bound);
    }
    drop(bounds);
    Ok(Linked { image, stack })
}

/// The sizes of the frames that Go's side declares.
fn frames(file: &Path) -> Result<Vec<i64>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let frame = |name: &str| {
        let start = format!("TEXT ·{name}(SB), 0, $");
        let size = text.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix("-12"));
        size.and_then(|size| size.parse().ok()).ok_or_else(|| format!("{}: no line `{start}`", file.display()))
    };
    ENTRIES.iter().map(|(_, name)| frame(name)).collect()
}
