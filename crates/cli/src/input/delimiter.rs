//! What stands between the columns of CSV, as far as its header shows it.

use phalanx_rows::Names;

/// What a header may show to stand between its columns; the first of equals counts.
const SHOWN: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many columns of a header line mean something, if this stands between them.
pub(super) fn known_columns(line: &[u8], delimiter: u8, names: &Names) -> usize {
    let columns = line.split(|byte| *byte == delimiter);
    let known = |column: &[u8]| {
        let column = column.trim_ascii();
        let column = column.strip_prefix(b"\"").and_then(|column| column.strip_suffix(b"\"")).unwrap_or(column);
        std::str::from_utf8(column).is_ok_and(|column| names.role_of(column.trim()).is_some())
    };
    columns.filter(|column| known(column)).count()
}

/// The delimiter by which a header line has the most columns that mean something.
pub(super) fn shown_delimiter(line: &[u8], names: &Names) -> u8 {
    let known = SHOWN.map(|delimiter| known_columns(line, delimiter, names));
    let most = known.iter().copied().max().unwrap_or(0);
    known.iter().zip(SHOWN).find(|(known, _)| **known == most).map_or(b',', |(_, delimiter)| delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

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
