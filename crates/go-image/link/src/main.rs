//! Makes the image of the Go module: compiles the crate `phalanx-go-image`, links it flat, bounds its stack, and writes
//! it as Go assembly.
//!
//! ```text
//! cargo run -p phalanx-go-link -- write [amd64|arm64]    writes go/internal/image/image_*.s from the sources here
//! cargo run -p phalanx-go-link -- check [amd64|arm64]    makes them again, in another folder, from the commits that they name
//! ```

mod build;
mod check;
mod flow;
mod flow_amd64;
mod flow_arm64;
mod image;
mod linked;
mod object;
mod relocate;
mod stack;
mod write;

use relocate::Architecture;
use std::process::ExitCode;

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
    let linked = linked::linked(&repository, architecture)?;
    let file = repository.join(build::image_file(architecture));
    std::fs::write(&file, write::assembly(&linked, architecture, &provenance))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}: {} bytes", build::image_file(architecture), linked.image.bytes.len());
    Ok(())
}
