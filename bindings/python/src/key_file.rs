//! Files with a secret key, as the command reads and writes them. Every buffer is wiped, and none grows.

use crate::error;
use library::{Error, SecretKey};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// No line with a key is longer.
const LONGEST: usize = 4096;
/// The word that may stand before the digits.
const LABEL: &[u8] = b"secret";
/// The digits of a key.
const DIGITS: usize = 64;

/// The key in the first line of a file. No message repeats what was read.
pub(crate) fn read(path: &Path) -> PyResult<SecretKey> {
    let failed = |wrong: io::Error| {
        let (name, text) = (path.display().to_string(), wrong.to_string());
        match (wrong.raw_os_error(), text.split(" (os error").next()) {
            // Python makes a FileNotFoundError and its like of the number, which it shows too.
            (Some(number), Some(text)) => PyOSError::new_err((number, text.to_owned(), name)),
            _ => PyOSError::new_err(format!("{name}: {text}")),
        }
    };
    let mut line = Zeroizing::new([0; LONGEST]);
    let length = first_line(path, &mut line[..]).map_err(failed)?;
    parse(&line[..length]).map_err(|wrong| match wrong {
        Error::BadHex => error::value(format!("{}: a secret key is {DIGITS} hex digits", path.display())),
        wrong => error::of(wrong),
    })
}

/// Reads bytes until a line ends, and counts them.
fn first_line(path: &Path, line: &mut [u8]) -> io::Result<usize> {
    let (mut file, mut length) = (File::open(path)?, 0);
    while length < line.len() {
        match file.read(&mut line[length..]) {
            Ok(0) => return Ok(length),
            Ok(more) => {
                let end = line[length..length + more].iter().position(|byte| *byte == b'\n');
                if let Some(end) = end {
                    return Ok(length + end);
                }
                length += more;
            }
            Err(wrong) if wrong.kind() == ErrorKind::Interrupted => {}
            Err(wrong) => return Err(wrong),
        }
    }
    Ok(length)
}

/// Reads the digits, in constant time.
fn parse(line: &[u8]) -> Result<SecretKey, Error> {
    let line = line.trim_ascii();
    // No digit is the label's first letter, so the comparison tells nothing about digits.
    let digits = line.strip_prefix(LABEL).map_or(line, <[u8]>::trim_ascii_start);
    // Digits alone are not compared with the prefix.
    let prefixed = digits.len() == DIGITS + 2;
    let digits = if prefixed { digits.strip_prefix(b"0x").unwrap_or(digits) } else { digits };
    std::str::from_utf8(digits).map_err(|_| Error::BadHex)?.parse()
}
