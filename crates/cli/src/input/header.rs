//! What the first line of CSV shows: what stands between columns, and whether it is a header at all.

use phalanx_rows::Names;

use super::readable::readable;
use crate::exit::RunError;

/// What a header may show to stand between its columns; the first of equals counts.
const SHOWN: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many columns of a header line mean something, if this stands between them.
pub(super) fn known_columns(line: &[u8], delimiter: u8, names: &Names) -> usize {
    let columns = line.split(|byte| *byte == delimiter);
    let known =
        |column: &[u8]| std::str::from_utf8(bare(column)).is_ok_and(|column| names.role_of(column.trim()).is_some());
    columns.filter(|column| known(column)).count()
}

/// A column of the first line without spaces and quotes around it.
fn bare(column: &[u8]) -> &[u8] {
    let column = column.trim_ascii();
    column.strip_prefix(b"\"").and_then(|column| column.strip_suffix(b"\"")).unwrap_or(column)
}

/// The delimiter by which a header line has the most columns that mean something.
pub(super) fn shown_delimiter(line: &[u8], names: &Names) -> u8 {
    let known = SHOWN.map(|delimiter| known_columns(line, delimiter, names));
    let most = known.iter().copied().max().unwrap_or(0);
    known.iter().zip(SHOWN).find(|(known, _)| **known == most).map_or(b',', |(_, delimiter)| delimiter)
}

/// The name of a column, not yet trimmed.
///
/// Fails where it is not text.
pub(super) fn column_name(name: &[u8]) -> Result<String, RunError> {
    match readable(name, "\\x").filter(|name| !name.contains('\0')) {
        Some(name) => Ok(name.into_owned()),
        None => Err(RunError::new("the header line is not UTF-8 text; is it UTF-16?")),
    }
}

/// The fewest characters of a digest, a key or a signature in any encoding of text: 32 bytes in Base64 take more.
const VALUE: usize = 40;

/// Whether the name of a column seems to be a value: long, and of the characters that encode bytes.
fn is_value(name: &[u8]) -> bool {
    let is_encoding = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-:\\".contains(byte);
    let name = bare(name);
    name.len() >= VALUE && name.iter().all(is_encoding) && name.iter().any(u8::is_ascii_digit)
}

/// Whether a line seems to be a row of CSV, and no header.
pub(super) fn has_values(line: &[u8]) -> bool {
    let is_row = |delimiter: &u8| line.contains(delimiter) && line.split(|byte| byte == delimiter).any(is_value);
    SHOWN.iter().any(is_row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_from_headers() {
        let digest = "42a98f3d3ee09518c8e23699af60fa6d97bb457436a68142b342d2395ecfe405";
        for row in [
            format!("0,{digest},ok\r\n"),
            format!("0;\"0x{digest}\""),
            "QqmPPT7glRjI4jaZr2D6bZe7RXQ2poFCs0LSOV7P5AU=|0".into(),
        ] {
            assert!(has_values(row.as_bytes()), "{row}");
        }
        for other in ["msg_hash,pubkey,sig", digest, "a line of text, of more than forty characters and 1 digit", ""] {
            assert!(!has_values(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn the_header_shows_what_stands_between_columns() {
        for (header, shown) in [
            ("msg_hash,pubkey,sig", b','),
            ("msg_hash;pubkey;sig\r\n", b';'),
            ("\"msg_hash\"\t\"pubkey\"\tsig", b'\t'),
            (" msg_hash | pubkey | sig ", b'|'),
            ("note;more,msg_hash,pubkey,sig", b','),
            ("a,b;msg_hash;pubkey;sig", b';'),
            ("msg_hash", b','),
            ("a;b;c", b','),
            ("", b','),
        ] {
            assert_eq!(shown_delimiter(header.as_bytes(), &Names::default()), shown, "{header:?}");
        }
    }
}
