//! Makes the images of the Go module: compiles a crate, links it flat, bounds its stack, and writes it as Go assembly.
//!
//! ```text
//! cargo run -p phalanx-go-link -- write [IMAGE] [amd64|arm64]    writes bindings/go/internal/*/image_*.s from the sources here
//! cargo run -p phalanx-go-link -- check [IMAGE] [amd64|arm64]    makes them again, in another folder, from the commits
//!                                                                that they name
//! cargo run -p phalanx-go-link -- link [IMAGE] [amd64|arm64]     makes them from the sources here, and writes nothing
//! ```
//!
//! An IMAGE is `signatures` or `commitments`; without one, and without an architecture, it is all.

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
mod subject;
mod write;

use relocate::Architecture;
use std::process::ExitCode;
use subject::Subject;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let work: fn(&Subject, Architecture) -> Result<(), String> = match arguments.first() {
        Some(&"write") => write,
        Some(&"check") => check::check,
        Some(&"link") => link,
        _ => {
            eprintln!("phalanx-go-link write|check|link [signatures|commitments] [amd64|arm64]");
            return ExitCode::FAILURE;
        }
    };
    let (mut subjects, mut architectures) = (Subject::ALL.to_vec(), Architecture::ALL.to_vec());
    for name in &arguments[1..] {
        match Subject::ALL.iter().find(|subject| subject.name == *name) {
            Some(subject) => subjects = vec![*subject],
            None => match Architecture::named(name) {
                Ok(architecture) => architectures = vec![architecture],
                Err(error) => {
                    eprintln!("{error}");
                    return ExitCode::FAILURE;
                }
            },
        }
    }
    let done = subjects
        .iter()
        .try_for_each(|subject| architectures.iter().try_for_each(|architecture| work(subject, *architecture)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes an image of the sources here, and writes its file.
fn write(subject: &Subject, architecture: Architecture) -> Result<(), String> {
    let repository = build::repository()?;
    let provenance = build::provenance(&repository, subject)?;
    let linked = linked::linked(&repository, subject, architecture)?;
    let file = repository.join(build::image_file(subject, architecture));
    std::fs::write(&file, write::assembly(&linked, architecture, &provenance))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}: {} bytes", build::image_file(subject, architecture), linked.image.bytes.len());
    Ok(())
}

/// Makes an image of the sources here.
fn link(subject: &Subject, architecture: Architecture) -> Result<(), String> {
    let linked = linked::linked(&build::repository()?, subject, architecture)?;
    println!("{}, {}: {} bytes", subject.name, architecture.name(), linked.image.bytes.len());
    Ok(())
}
