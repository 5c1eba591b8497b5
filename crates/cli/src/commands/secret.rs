//! Secret keys from files and standard input, never from the command line; and secrets as text.
//!
//! Digits are read and written in constant time. Every buffer that holds a secret is wiped, and none grows: growing
//! would leave a copy behind.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;

use phalanx::{Error, SecretKey, secret_hex};
use zeroize::Zeroizing;

use crate::exit::RunError;
use crate::output::Pending;
use crate::process::standard;

/// No line with a key is longer.
const LIMIT: usize = 4096;

/// The digits of a key.
const DIGITS: usize = 64;

/// The word that `keygen` puts before a secret key.
pub(super) const LABEL: &str = "secret";

/// Reads a secret key as hex: the first line, without the label.
///
/// Fails when the file cannot be read and when the line is no secret key. No message repeats what was read.
pub(super) fn read(path: Option<&Path>) -> Result<SecretKey, RunError> {
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let line = match path {
        Some(path) => File::open(path).and_then(first_line),
        None => {
            if io::stdin().is_terminal() {
                standard::prompt("secret key in hex: ");
            }
            standard::input().and_then(first_line)
        }
    };
    let line = line.map_err(|error| RunError::io(&name, &error))?;
    parse(&line).map_err(|error| match error {
        Error::BadHex => RunError::new(format!("{name}: a secret key is {DIGITS} hex digits")),
        error => RunError::new(format!("{name}: {error}")),
    })
}

/// Byte by byte, so that nothing behind the line is taken from whoever reads next.
fn first_line(mut file: File) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(LIMIT));
    let mut byte = Zeroizing::new([0]);
    while line.len() < LIMIT {
        match file.read(byte.as_mut_slice()) {
            Ok(1) if byte[0] != b'\n' => line.push(byte[0]),
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(line)
}

fn parse(line: &[u8]) -> Result<SecretKey, Error> {
    let line = line.trim_ascii();
    // No digit is the label's first letter, so the comparison tells nothing about digits.
    let digits = line.strip_prefix(LABEL.as_bytes()).map_or(line, <[u8]>::trim_ascii_start);
    // Digits alone are not compared with the prefix.
    let prefixed = digits.len() == DIGITS + 2;
    let digits = if prefixed { digits.strip_prefix(b"0x").unwrap_or(digits) } else { digits };
    std::str::from_utf8(digits).map_err(|_| Error::BadHex)?.parse()
}

/// Writes a secret key to a new file that only its owner may read. The file is there when the key is in it.
pub(super) fn write(path: &Path, secret: &SecretKey) -> Result<(), RunError> {
    let write = || {
        if path.symlink_metadata().is_ok() {
            return Err(io::Error::new(ErrorKind::AlreadyExists, "is already there, and no key is overwritten"));
        }
        let pending = Pending::create(path, 0o600)?;
        pending.file().write_all(line("", &Zeroizing::new(secret.to_bytes())).as_bytes())?;
        pending.file().sync_all()?;
        pending.claim()
    };
    write().map_err(|error: io::Error| RunError::io(&path.display().to_string(), &error))
}

/// A line with what comes before the digits of a secret, and these.
pub(super) fn line(before: &str, secret: &[u8; 32]) -> Zeroizing<String> {
    let digits = Zeroizing::new(secret_hex(secret));
    let mut line = Zeroizing::new(String::with_capacity(before.len() + digits.len() + 1));
    line.push_str(before);
    line.extend(digits.iter().map(|digit| char::from(*digit)));
    line.push('\n');
    line
}
