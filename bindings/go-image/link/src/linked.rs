//! From sources to an image whose stack is bounded.

use crate::{
    build,
    image::{self, Image},
    object::Objects,
    relocate::Architecture,
    stack::Bounds,
    subject::Subject,
};
use std::path::Path;

/// What the link step found out about an image, for its header.
pub(crate) struct Linked {
    pub(crate) image: Image,
    /// The stack that each entry needs at most, in the order of the entries.
    pub(crate) stack: Vec<i64>,
}

/// Compiles, links, and bounds the stack.
pub(crate) fn linked(repository: &Path, subject: &Subject, architecture: Architecture) -> Result<Linked, String> {
    let archive = build::compile(repository, subject, architecture)?;
    let objects = Objects::read(&archive, architecture.in_objects())?;
    let image = image::link(&objects, &subject.entries.map(|(name, _)| name), architecture)?;
    let frames = frames(&repository.join(build::trampoline_file(subject, architecture)), subject)?;
    let mut bounds = Bounds::new(&image, architecture)?;
    let mut stack = Vec::new();
    for (entry, frame) in frames.iter().enumerate() {
        let bound = bounds.of(image::ENTRY_BYTES * entry as u64)?;
        println!("{}: at most {bound} bytes of stack, in a frame of {frame}", subject.entries[entry].0);
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
fn frames(file: &Path, subject: &Subject) -> Result<Vec<i64>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let frame = |name: &str| {
        let start = format!("TEXT ·{name}(SB), 0, $");
        let size = text.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix("-12"));
        size.and_then(|size| size.parse().ok()).ok_or_else(|| format!("{}: no line `{start}`", file.display()))
    };
    subject.entries.iter().map(|(_, name)| frame(name)).collect()
}
