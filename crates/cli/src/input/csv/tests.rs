//! Texts against readers that share nothing with the one under test.

use csv::ReaderBuilder;
use phalanx_rows::{Job, Packed, Role};

use super::super::{InputSettings, Rows};
use super::*;

type Row = (Vec<Option<Vec<u8>>>, bool);

/// The blocks of at most `most` rows of a text, each with its number of rows, and how reading ends.
fn read(text: &[u8], most: usize) -> (Vec<(Block, u64)>, Result<(), RunError>) {
    let settings = InputSettings { keeps: true, ..InputSettings::default() };
    let rows = Rows { job: Job::VERIFY, settings };
    let mut columns = Role::ALL.map(|role| role.name().to_owned());
    let source = Source::Once(Box::new(Cursor::new(text.to_vec())));
    let mut blocks = Vec::new();
    let mut take = |block, rows, _| {
        blocks.push((block, rows));
        true
    };
    let input = CsvInput::open(source, &rows, &mut columns, Shown::Yes);
    let end = input.and_then(|(input, _)| input.read(most, &mut take));
    (blocks, end)
}

/// The blocks of a text that is read to its end.
fn blocks(text: &[u8], most: usize) -> Result<Vec<(Block, u64)>, RunError> {
    let (blocks, end) = read(text, most);
    end.map(|()| blocks)
}

/// A record as its first three fields, and whether it has three.
fn row(fields: &[impl AsRef<[u8]>]) -> Row {
    ((0..3).map(|place| fields.get(place).map(|field| field.as_ref().to_vec())).collect(), fields.len() == 3)
}

/// The text behind a line end, if it begins with one.
fn behind_end(text: &[u8]) -> Option<&[u8]> {
    [&b"\r\n"[..], b"\n", b"\r"].into_iter().find_map(|end| text.strip_prefix(end))
}

/// Reads a record as RFC 4180 defines it, as slowly and plainly as can be. None at a quote where none may stand.
fn record(mut text: &[u8]) -> Option<(Vec<Vec<u8>>, &[u8])> {
    let mut fields = Vec::new();
    loop {
        let mut field = Vec::new();
        if let Some(mut inside) = text.strip_prefix(b"\"") {
            loop {
                if let Some(rest) = inside.strip_prefix(b"\"\"") {
                    (field.push(b'"'), inside = rest).0
                } else if let Some(rest) = inside.strip_prefix(b"\"") {
                    text = rest;
                    break;
                } else {
                    let (byte, rest) = inside.split_first()?;
                    (field.push(*byte), inside = rest).0
                }
            }
        } else {
            let end = text.iter().position(|byte| b",\r\n".contains(byte)).unwrap_or(text.len());
            field = text[..end].to_vec();
            text = &text[end..];
            if field.contains(&b'"') {
                return None;
            }
        }
        fields.push(field);
        match text {
            [] => return Some((fields, text)),
            [b',', rest @ ..] => text = rest,
            _ => return behind_end(text).map(|rest| (fields, rest)),
        }
    }
}

/// The rows of a text, header included, up to its end (`true`) or to a record that is not CSV (`false`).
fn strict(mut text: &[u8]) -> (Vec<Row>, bool) {
    let mut rows = Vec::new();
    while !text.is_empty() {
        if let Some(rest) = behind_end(text) {
            text = rest;
        } else if let Some((fields, rest)) = record(text) {
            rows.push(row(&fields));
            text = rest;
        } else {
            return (rows, false);
        }
    }
    (rows, true)
}

/// The rows of a text by the library that writes our CSV.
fn lenient(text: &[u8]) -> Vec<Row> {
    let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text);
    reader.byte_records().map(|record| row(&record.unwrap().iter().collect::<Vec<_>>())).collect()
}

/// The rows of `text`, which is read in blocks of at most `rows` rows, the number of blocks that were lines, and whether
/// the text was read to its end.
fn found(text: &[u8], rows: usize) -> (Vec<Row>, usize, bool) {
    let (mut found, mut lines) = (Vec::new(), 0);
    let (blocks, end) = read(text, rows);
    for (block, count) in blocks.into_iter().filter(|(_, count)| *count > 0) {
        let Block::Records(records, fields) = block else { panic!("CSV gives records") };
        let parsed = records.parsed(&fields);
        assert!(parsed.rows as u64 == count && count <= rows as u64);
        let field = |column: &Packed, row| column.get(row).ok().map(<[u8]>::to_vec);
        let listed = |row| parsed.columns.iter().map(|column| field(column, row)).collect();
        found.extend((0..parsed.rows).map(|row| (listed(row), !parsed.uneven.contains(&row))));
        lines += usize::from(matches!(records, Records::Lines(_)));
    }
    (found, lines, end.is_ok())
}

#[test]
fn the_rows_are_those_of_a_strict_reader_or_there_is_an_error() {
    // The same texts in every run.
    let mut draws = phalanx_tiers::Draws::of(7);
    let mut below = |bound: usize| draws.below(bound);
    let (mut blocks, mut switched, mut refused, mut quoted) = (0, 0, 0, 0);
    for header in ["msg_hash,pubkey,sig\n", "\r\n\nmsg_hash, pubkey ,sig\r\n", "msg_hash,\"pubkey\",sig\r"] {
        for _ in 0..2000 {
            let mut text = header.as_bytes().to_vec();
            let plain = below(8);
            for part in 0..below(60) {
                let parts: [&[u8]; 13] = [
                    b"ab",
                    b",",
                    b",",
                    b"\n",
                    b"\n",
                    b"x",
                    b"\r\n",
                    b"\xef\xbb\xbf",
                    b"\r",
                    b"\"",
                    b"\"\"",
                    b",\"y\",",
                    b"\n\"a,\r\nb\"\"\"\n",
                ];
                // Quotes and lone carriage returns come late in some texts, in others never.
                let choices = match (plain < 2 || part < 8 * plain, plain % 2) {
                    (true, _) => 0..8,
                    (false, 0) => 0..13,
                    (false, _) => 6..13,
                };
                // Quotes drawn one by one rarely match, so half of the texts are made of whole fields.
                let choice = choices.start + below(choices.len());
                text.extend_from_slice(parts[if choice == 9 && plain % 3 > 0 { 12 } else { choice }]);
            }
            let (expected, is_whole) = strict(&text);
            if is_whole {
                assert_eq!(expected, lenient(&text), "{:?}", String::from_utf8_lossy(&text));
            }
            for rows in [1, 3, 100] {
                let (found, lines, ended) = found(&text, rows);
                let shown = format!("{:?} in blocks of {rows}", String::from_utf8_lossy(&text));
                assert_eq!((&found[..], ended), (&expected[1..], is_whole), "{shown}");
                blocks += lines;
                switched += usize::from(lines > 0 && !is_plain(&text));
            }
            refused += usize::from(!is_whole);
            quoted += usize::from(is_whole && text[header.len()..].contains(&b'"'));
        }
    }
    assert!(blocks > 1000 && switched > 100, "{blocks} blocks of lines, {switched} texts that are lines at first");
    assert!(refused > 500 && quoted > 500, "{refused} texts are refused, {quoted} with quotes are read");
}

#[test]
fn a_long_line_is_a_row_unless_a_quote_is_in_sight() {
    let long = "a".repeat(ROW_BYTES + 1);
    let read = |text: String| -> Result<_, String> {
        let blocks = blocks(text.as_bytes(), 9).map_err(|failure| failure.to_string())?;
        let with_rows = blocks.into_iter().filter(|(_, rows)| *rows > 0);
        Ok(with_rows.map(|(block, rows)| (matches!(block, Block::Overlong(_)), rows)).collect::<Vec<_>>())
    };
    let (header, row) = ("msg_hash,pubkey,sig\n", "1,2,3\n");
    let (plain, overlong) = ((false, 1), (true, 1));
    assert_eq!(read(format!("{header}{row}{long}")), Ok(vec![plain, overlong]));
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("{header}{row}{long}{long}{end}{long}{end}{row}");
        assert_eq!(read(text), Ok(vec![plain, overlong, overlong, plain]), "{end:?}");
    }
    assert_eq!(read(format!("{header}{row}{long},\"{row}")), Err(too_long(3)));
    assert_eq!(read(format!("{header}{row}\"{row}{long}{long}")), Err(too_long(3)));
    assert_eq!(read(format!("{header}\"1\",2,3\n{long}{long}")), Err(too_long(3)));
}

#[test]
fn a_long_text_of_carriage_returns_is_many_rows() {
    let text = format!("msg_hash,pubkey,sig\r{}", "1,2,3\r".repeat(ROW_BYTES / 5));
    assert_eq!(found(text.as_bytes(), 1 << 20).0.len(), ROW_BYTES / 5);
}

#[test]
fn empty_lines_are_stepped_over_and_said_to_be() {
    for line in ["\n", "\r\n"] {
        let empty = line.repeat((16 << 20) / line.len());
        let blocks = blocks(format!("msg_hash,pubkey,sig\n1,2,3\n{empty}4,5,6\n").as_bytes(), 1).unwrap();
        // One for every full block of empty lines, and the two rows: no more, and no fewer.
        assert!((2 + 3..=2 + 5).contains(&blocks.len()), "{} blocks", blocks.len());
        assert_eq!(blocks.iter().map(|(_, rows)| rows).sum::<u64>(), 2);
        let weight: usize = blocks.iter().map(|(block, _)| block.weight()).sum();
        assert!(weight < 64, "{weight} bytes are decoded");
    }
}

#[test]
fn a_block_of_empty_lines_is_not_the_end() {
    let text = format!("msg_hash,pubkey,sig\n{}1,2,3", "\n".repeat(2 * BLOCK_BYTES));
    assert_eq!(found(text.as_bytes(), 9), (vec![row(&["1", "2", "3"])], 1, true));
}

#[test]
fn an_error_names_the_line_where_the_field_begins() {
    let header = "msg_hash,pubkey,sig\n";
    let long = "a".repeat(ROW_BYTES);
    for (text, line, what) in [
        (format!("{header}1,2,3\n1,2,\"3\n4,5,6\n"), 3, "never closed"),
        (format!("\n\r\n{header}\n\n1,2,3\n\n\"1,2,3\n4,5,6\n"), 8, "never closed"),
        (format!("{header}1,2,3\r\n1,2,3\r\"1\"2,3"), 4, "closing quote of"),
        (format!("{header}\"1\r\n\r\n\n\r2\",2,3\n\"1\n\"2,3"), 7, "closing quote in line 8 of"),
        (format!("{header}\"a\n\",2,3\n1,2\"\",3"), 4, "in the middle"),
        (format!("{header}1,2,3\n1, \"2\",3"), 3, "a space stands before"),
        (format!("{header}{long}aa\r\n{long}aa\n1,2\"\n"), 4, "in the middle"),
        ("msg_hash,\"pubkey,sig\n1,2,3\n".to_owned(), 1, "never closed"),
        ("\nmsg_hash,pub\"key\",sig\n1,2,3\n".to_owned(), 2, "in the middle"),
        ("\r\rmsg_hash,pubkey,sig,\"no\rte\"\r1\"\r".to_owned(), 5, "in the middle"),
    ] {
        let failure = blocks(text.as_bytes(), 100).map(|_| ()).unwrap_err().to_string();
        let shown: String = text.chars().take(60).collect();
        assert!(failure.starts_with(&format!("line {line}: ")) && failure.contains(what), "{failure}: {shown:?}");
    }
}
