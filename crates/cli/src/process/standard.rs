//! Standard input, output and error.
//!
//! Standard output carries results: where they cannot be written, the run has failed. Standard error carries remarks:
//! where they cannot be written, they are lost, and nothing else changes. A descriptor that was closed before the
//! command started is `/dev/null`, because the standard library opens it so.

use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
#[cfg(windows)]
use std::os::windows::io::AsHandle;

use super::without_secrets;
use crate::exit::RunError;

/// What standard output is called in messages.
pub(crate) const OUTPUT: &str = "standard output";

/// Standard input without a buffer: nothing that was not asked for is taken from whoever reads next.
pub(crate) fn input() -> io::Result<File> {
    #[cfg(unix)]
    let own = io::stdin().as_fd().try_clone_to_owned();
    #[cfg(windows)]
    let own = io::stdin().as_handle().try_clone_to_owned();
    own.map(File::from)
}

/// Standard input as a file of rows.
///
/// Fails where it was closed, or is the null device, which is the same to us: nobody meant that for rows.
pub(crate) fn input_to_read() -> io::Result<File> {
    let input = input()?;
    refuse_nothing(&input.metadata()?)?;
    Ok(input)
}

/// Fails for the null device, by whatever name: a closed standard input is one, also as `/dev/stdin`.
pub(crate) fn refuse_nothing(input: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let null = std::fs::metadata("/dev/null");
        if input.file_type().is_char_device() && null.is_ok_and(|null| null.rdev() == input.rdev()) {
            return Err(io::Error::other("is closed, or the null device: there is nothing to read"));
        }
    }
    #[cfg(not(unix))]
    let _ = input;
    Ok(())
}

/// Standard output without a buffer: no secret stays in one, and what cannot be written is known at once.
pub(crate) fn output() -> io::Result<File> {
    #[cfg(unix)]
    let own = io::stdout().as_fd().try_clone_to_owned();
    #[cfg(windows)]
    let own = io::stdout().as_handle().try_clone_to_owned();
    own.map(File::from)
}

/// Writes a result: a key, a signature, a sum. A reader that has gone away has not got it, so that is a failure too.
pub(crate) fn answer(text: &str) -> Result<(), RunError> {
    write(text).map_err(|error| RunError::io(OUTPUT, &error))
}

/// Writes what explains: a summary, help. A reader that has gone away did not want it. Arguments that could hold a
/// secret are left out.
pub(crate) fn explain(text: &str) -> Result<(), RunError> {
    unless_unwanted(write(&without_secrets(text)))
}

/// The failure in writing what explains, if it is one.
pub(crate) fn unless_unwanted(written: io::Result<()>) -> Result<(), RunError> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(RunError::io(OUTPUT, &error)),
        _ => Ok(()),
    }
}

fn write(text: &str) -> io::Result<()> {
    output()?.write_all(text.as_bytes())
}

/// Writes a line on standard error, if it can be written.
pub(crate) fn remark(line: impl Display) {
    prompt(&format!("{line}\n"));
}

/// Writes on standard error, if that can be written, and leaves the cursor where the text ends. Arguments that could
/// hold a secret are left out.
pub(crate) fn prompt(text: &str) {
    // There is nobody else to be told.
    let _ = io::stderr().write_all(without_secrets(text).as_bytes());
}
