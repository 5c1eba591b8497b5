//! Secret keys from files and standard input, never from the command line.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use phalanx::SecretKey;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// Nothing that holds a key is longer.
const LIMIT: u64 = 4096;

/// The word that `keygen` puts before a secret key.
pub(crate) const LABEL: &str = "secret";

/// Reads a secret key as hex: the first line, without the label.
///
/// Fails when the file cannot be read and when the line is no secret key. No message repeats what was read.
pub(crate) fn read(path: Option<&Path>) -> Result<SecretKey, Failure> {
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let mut text = Zeroizing::new(String::with_capacity(LIMIT as usize));
    match path {
        Some(path) => File::open(path).and_then(|file| file.take(LIMIT).read_to_string(&mut text)),
        None => {
            if io::stdin().is_terminal() {
                eprint!("secret key in hex: ");
            }
            first_line(&mut text)
        }
    }
    .map_err(|error| Failure::io(&name, &error))?;
    let line = text.lines().next().unwrap_or("").trim();
    let digits = line.strip_prefix(LABEL).map_or(line, str::trim_start);
    let mut bytes = Zeroizing::new([0; 32]);
    const_hex::decode_to_slice(digits, bytes.as_mut_slice())
        .map_err(|_| Failure::new(format!("{name}: a secret key is 64 hex digits")))?;
    SecretKey::from_bytes(&bytes).map_err(|error| Failure::new(format!("{name}: {error}")))
}

/// Byte by byte, so that nothing behind the line is taken from whoever reads next.
fn first_line(text: &mut String) -> io::Result<usize> {
    let mut stdin = io::stdin().lock();
    let mut byte = Zeroizing::new([0]);
    while text.len() < LIMIT as usize && stdin.read(byte.as_mut_slice())? == 1 && byte[0] != b'\n' {
        text.push(char::from(byte[0]));
    }
    Ok(text.len())
}

/// Writes a secret key to a new file that only its owner may read.
pub(crate) fn write(path: &Path, secret: &SecretKey) -> Result<(), Failure> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let line = hex_line(secret);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(line.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| Failure::io(&path.display().to_string(), &error))
}

/// A secret key as a line of hex, wiped when dropped.
pub(crate) fn hex_line(secret: &SecretKey) -> Zeroizing<String> {
    let bytes = Zeroizing::new(secret.to_bytes());
    let mut digits = Zeroizing::new([0; 64]);
    // The buffer has exactly the length that the encoding needs.
    let _ = const_hex::encode_to_slice(bytes.as_slice(), digits.as_mut_slice());
    let mut line = Zeroizing::new(String::with_capacity(digits.len() + 1));
    line.extend(digits.iter().map(|digit| char::from(*digit)));
    line.push('\n');
    line
}
