//! Secret keys as lines of text: what key files begin with.

use phalanx::{Error, SecretKey};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use zeroize::Zeroizing;

/// No line with a key is longer.
const LIMIT: usize = 4096;
/// The digits of a key.
const DIGITS: usize = 64;
/// The word that may stand before the digits.
const LABEL: &[u8] = b"secret";
/// What some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// What UTF-16 text begins with, in either order of bytes.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Why a line gives no secret key. It repeats nothing of what was read.
#[derive(Debug)]
pub enum KeyLineError {
    /// The line cannot be read.
    Io(io::Error),
    /// The line is no secret key.
    Key(Error),
}

impl fmt::Display for KeyLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyLineError::Io(error) => error.fmt(f),
            KeyLineError::Key(Error::BadHex) => write!(f, "a secret key is {DIGITS} hex digits"),
            KeyLineError::Key(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KeyLineError {}

/// The first line of a text file, without the byte order mark that some programs write before it.
///
/// # Errors
/// [`ErrorKind::InvalidData`] if the mark is that of UTF-16, in which the lines cannot be read.
pub fn behind_byte_order_mark(line: &[u8]) -> io::Result<&[u8]> {
    if UTF_16.iter().any(|mark| line.starts_with(mark)) {
        return Err(io::Error::new(ErrorKind::InvalidData, "the text is UTF-16: save it as UTF-8"));
    }
    Ok(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line))
}

/// Reads a secret key from the first line, of 4,096 bytes at most. The line is 64 hex digits, and the word `secret`, `0x`
/// or both may stand before them. A byte order mark is passed over, and so is a carriage return at the end. What
/// follows the line is left to whoever reads next.
///
/// Constant time in the digits. All that was read is wiped.
///
/// # Errors
/// [`KeyLineError::Io`] if reading fails or the text is UTF-16; [`KeyLineError::Key`] if the line is not a key.
///
/// ```
/// let mut file = "secret 0707070707070707070707070707070707070707070707070707070707070707\n".as_bytes();
/// assert_eq!(phalanx_rows::read_secret_key(&mut file)?.to_bytes(), [7; 32]);
/// assert!(phalanx_rows::read_secret_key(&mut "no key".as_bytes()).is_err());
/// # Ok::<(), phalanx_rows::KeyLineError>(())
/// ```
pub fn read_secret_key(source: &mut dyn Read) -> Result<SecretKey, KeyLineError> {
    let line = first_line(source).map_err(KeyLineError::Io)?;
    // No digit is a byte of a mark, so the comparison tells nothing about digits.
    let text = behind_byte_order_mark(&line).map_err(KeyLineError::Io)?;
    parse(text).map_err(KeyLineError::Key)
}

/// Byte by byte, so that nothing behind the line is taken. The buffer never grows: growing would leave a copy behind.
fn first_line(source: &mut dyn Read) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(LIMIT));
    let mut byte = Zeroizing::new([0]);
    while line.len() < LIMIT {
        match source.read(byte.as_mut_slice()) {
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
    let digits = line.strip_prefix(LABEL).map_or(line, <[u8]>::trim_ascii_start);
    // Digits alone are not compared with the prefix.
    let prefixed = digits.len() == DIGITS + 2;
    let digits = if prefixed { digits.strip_prefix(b"0x").unwrap_or(digits) } else { digits };
    std::str::from_utf8(digits).map_err(|_| Error::BadHex)?.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONES: &str = "0101010101010101010101010101010101010101010101010101010101010101";

    fn read(text: &str) -> Result<[u8; 32], String> {
        read_secret_key(&mut text.as_bytes()).map(|key| key.to_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_with_a_key() {
        for line in
            [ONES.to_owned(), format!("secret {ONES}\n"), format!(" 0x{ONES}\r\nmore"), format!("secret 0x{ONES}")]
                .map(|line| [line.clone(), format!("\u{feff}{line}")])
                .concat()
        {
            assert_eq!(read(&line), Ok([1; 32]), "{line}");
        }
    }

    #[test]
    fn lines_without_a_key_are_not_repeated() {
        let digits = Err("a secret key is 64 hex digits".to_owned());
        for line in ["", "\n", "secret", &ONES[1..], &format!("{ONES}0"), &format!("\n{ONES}"), &format!("0x0x{ONES}")]
        {
            assert_eq!(read(line), digits, "{line}");
        }
        assert_eq!(read(&format!("\u{feff}\u{feff}{ONES}")), digits);
        // As some programs of Windows write it.
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let text: Vec<u8> = format!("\u{feff}{ONES}").encode_utf16().flat_map(bytes).collect();
            let error = read_secret_key(&mut &text[..]).unwrap_err();
            assert_eq!(error.to_string(), "the text is UTF-16: save it as UTF-8");
        }
        // The key would end beyond the longest line.
        assert_eq!(read(&format!("{}{ONES}", " ".repeat(LIMIT - 63))), digits);
        assert_eq!(read(&"0".repeat(64)), Err(Error::BadSecretKey.to_string()));
    }

    #[test]
    fn what_follows_the_line_is_left() {
        let text = format!("{ONES}\nnext");
        let mut source = text.as_bytes();
        read_secret_key(&mut source).expect("a key");
        assert_eq!(source, b"next");
    }
}
