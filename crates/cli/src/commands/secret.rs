//! Secret keys from files and standard input, never from the command line; and secrets as text.
//!
//! Digits are read and written in constant time. Every buffer that holds a secret is wiped, and none grows: growing
//! would leave a copy behind.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use phalanx::{SecretKey, bindings::secret_hex};
use phalanx_rows::{KeyLineError, read_secret_key};
use zeroize::Zeroizing;

use crate::exit::RunError;
use crate::output::Pending;
use crate::process::{HiddenInput, standard};

/// The word that `keygen` puts before a secret key.
pub(super) const LABEL: &str = "secret";

/// Reads a secret key as hex: the first line, without the label.
///
/// What is typed at a terminal is not shown. Fails if the file cannot be read or the line is not a secret key. No message
/// repeats what was read.
pub(super) fn read(path: Option<&Path>) -> Result<SecretKey, RunError> {
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let file = path.map_or_else(standard::input, File::open);
    let file = file.and_then(|file| HiddenInput::new(file, "secret key in hex (not shown): "));
    let key = file.map_err(KeyLineError::Io).and_then(|mut file| read_secret_key(&mut file));
    key.map_err(|error| match error {
        KeyLineError::Io(error) => RunError::io(&name, &error),
        error => RunError::new(format!("{name}: {error}")),
    })
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
