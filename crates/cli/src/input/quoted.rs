//! CSV records with quotes, which have to be taken apart to find where one ends.
//!
//! Quotes are read as RFC 4180 defines them. A field with quotes begins with one and ends with one, and a quote inside
//! it is written twice. A quote at any other place is an error: a reader that guessed would join rows, or lose them.

use std::io::BufRead;

use super::records::{Fields, Parsed};
use super::{BLOCK_BYTES, ROW_BYTES};
use crate::exit::RunError;

/// The bytes of a header at most. Each of its columns takes some words of memory.
pub(super) const HEADER_BYTES: usize = 1 << 20;

/// Takes records apart, quotes and all.
pub(super) struct Parser {
    text: Box<dyn BufRead + Send>,
    delimiter: u8,
    /// The bytes at which a stretch of a field without quotes ends.
    stops: [bool; 256],
    /// How long a record may be.
    limit: usize,
    /// The line that is being read, counted from 1.
    line: u64,
    /// Whether the last byte was a carriage return, whose line end a line feed completes.
    after_return: bool,
    /// The bytes of the field that is being read, as far as they are not in the buffer of `text`.
    field: Vec<u8>,
    /// What ended the text before its end.
    failure: Option<RunError>,
}

/// What stands before the next byte of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Nothing of its field.
    Nothing,
    /// Some bytes of a field without quotes.
    Plain,
    /// The quote that opens a field, and perhaps some bytes of it.
    Quoted,
    /// A quote in such a field. It closes the field unless a second one follows.
    Quote,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A record, with the number of its fields.
    Fields(usize),
    /// Empty lines, with the number of their bytes. They are not records.
    Empty(usize),
    /// The end of the text.
    End,
}

impl Parser {
    /// Reads a text whose first line has the number `line`.
    pub(super) fn new(text: Box<dyn BufRead + Send>, delimiter: u8, limit: usize, line: u64) -> Parser {
        let mut stops = [false; 256];
        for stop in [delimiter, b'"', b'\n', b'\r'] {
            stops[usize::from(stop)] = true;
        }
        Parser { text, delimiter, stops, limit, line, after_return: false, field: Vec::new(), failure: None }
    }

    /// From the header on, a record may be as long as a row.
    pub(super) fn end_header(&mut self) {
        self.limit = ROW_BYTES;
    }

    /// Reads a record and hands on each field with its place; or some empty lines.
    ///
    /// Fails at a quote that RFC 4180 does not allow, and beyond the limit.
    pub(super) fn next(&mut self, mut take: impl FnMut(usize, &[u8])) -> Result<Record, RunError> {
        let first_line = self.line;
        let (mut before, mut fields, mut bytes) = (Before::Nothing, 0, 0);
        // The line in which the last field with quotes begins.
        let mut opened = None;
        self.field.clear();
        loop {
            let text = self.text.fill_buf().map_err(RunError::of)?;
            if text.is_empty() {
                return match before {
                    Before::Quoted => Err(never_closed(opened.unwrap_or(first_line))),
                    Before::Nothing if fields == 0 => Ok(Record::End),
                    _ => {
                        take(fields, &self.field);
                        Ok(Record::Fields(fields + 1))
                    }
                };
            }
            // Where the next byte stands, and where the record's bytes begin.
            let (mut at, mut start) = (0, 0);
            if std::mem::take(&mut self.after_return) && text[0] == b'\n' {
                match before {
                    Before::Quoted => self.field.push(b'\n'),
                    _ => start = 1,
                }
                at = 1;
            }
            if before == Before::Nothing && fields == 0 {
                let empty = text[at..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                if let Some(last) = text[at..][..empty].last() {
                    self.line += line_ends(&text[at..][..empty]);
                    self.after_return = *last == b'\r';
                    self.text.consume(at + empty);
                    return Ok(Record::Empty(empty));
                }
            }
            let mut end_of_record = None;
            while at < text.len() && end_of_record.is_none() {
                let rest = &text[at..];
                match before {
                    Before::Nothing | Before::Plain => {
                        let stop = rest.iter().position(|byte| self.stops[usize::from(*byte)]);
                        let part = &rest[..stop.unwrap_or(rest.len())];
                        at += part.len() + usize::from(stop.is_some());
                        let Some(stop) = stop.map(|stop| rest[stop]) else {
                            self.field.extend_from_slice(part);
                            before = Before::Plain;
                            continue;
                        };
                        let is_empty = part.is_empty() && before == Before::Nothing;
                        if stop == b'"' && !is_empty {
                            self.field.extend_from_slice(part);
                            return Err(misplaced(self.line, &self.field));
                        } else if stop == b'"' {
                            (before, opened) = (Before::Quoted, Some(self.line));
                            continue;
                        } else if self.field.is_empty() {
                            take(fields, part);
                        } else {
                            self.field.extend_from_slice(part);
                            take(fields, &self.field);
                            self.field.clear();
                        }
                        (before, fields) = (Before::Nothing, fields + 1);
                        end_of_record = Some(stop).filter(|stop| *stop != self.delimiter);
                    }
                    Before::Quoted => {
                        let quote = memchr::memchr(b'"', rest);
                        let part = &rest[..quote.unwrap_or(rest.len())];
                        self.line += line_ends(part);
                        self.field.extend_from_slice(part);
                        at += part.len() + usize::from(quote.is_some());
                        match quote {
                            Some(_) => before = Before::Quote,
                            None => self.after_return = part.ends_with(b"\r"),
                        }
                    }
                    Before::Quote if rest[0] == b'"' => {
                        self.field.push(b'"');
                        (before, at) = (Before::Quoted, at + 1);
                    }
                    Before::Quote if self.stops[usize::from(rest[0])] => {
                        take(fields, &self.field);
                        self.field.clear();
                        (before, fields, at) = (Before::Nothing, fields + 1, at + 1);
                        end_of_record = Some(rest[0]).filter(|stop| *stop != self.delimiter);
                    }
                    Before::Quote => return Err(behind_its_quote(opened.unwrap_or(first_line), self.line)),
                }
            }
            self.text.consume(at);
            bytes += at - start - usize::from(end_of_record.is_some());
            if bytes > self.limit {
                return Err(RunError::new(match self.limit {
                    HEADER_BYTES => overlong_header(),
                    _ => too_long(opened.unwrap_or(first_line)),
                }));
            }
            if let Some(end) = end_of_record {
                self.line += 1;
                self.after_return = end == b'\r';
                return Ok(Record::Fields(fields));
            }
        }
    }

    /// Reads up to `rows` records, or a block's bytes. The second value is `false` at the end of the text.
    ///
    /// Fails where the next record cannot be read.
    pub(super) fn block(&mut self, rows: usize, fields: &Fields) -> Result<(Parsed, bool), RunError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut block = Parsed::with_capacity(rows.min(8192), fields);
        let mut bytes = 0;
        while block.rows < rows && bytes < BLOCK_BYTES {
            let read = self.next(|place, field| {
                bytes += field.len() + 1;
                block.push(fields, place, field);
            });
            match read {
                Ok(Record::Fields(count)) => block.end_row(count == fields.count),
                Ok(Record::Empty(count)) => bytes += count,
                Ok(Record::End) => return Ok((block, false)),
                // Rows before the break count.
                Err(failure) if block.rows > 0 => {
                    block.abandon_row();
                    self.failure = Some(failure);
                    break;
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok((block, true))
    }
}

/// How many lines end in a text; a line feed right behind a carriage return ends none.
fn line_ends(text: &[u8]) -> u64 {
    let ends = memchr::memchr2_iter(b'\n', b'\r', text);
    ends.filter(|at| text[*at] == b'\r' || *at == 0 || text[at - 1] != b'\r').count() as u64
}

/// How quotes are written.
const RULE: &str = "CSV encloses a whole field in quotes, and doubles each quote inside it";

fn never_closed(opened: u64) -> RunError {
    RunError::new(format!("line {opened}: the quoted field that begins here is never closed; {RULE}"))
}

fn behind_its_quote(opened: u64, line: u64) -> RunError {
    let place = if line == opened { String::new() } else { format!(" in line {line}") };
    RunError::new(format!("line {opened}: text follows the closing quote{place} of the field that begins here; {RULE}"))
}

fn misplaced(line: u64, before: &[u8]) -> RunError {
    RunError::new(match before.trim_ascii() {
        [] => format!("line {line}: a space stands before an opening quote; remove the space"),
        _ => format!("line {line}: a quote stands in the middle of a field; {RULE}"),
    })
}

pub(super) fn too_long(line: u64) -> String {
    format!("line {line}: a CSV record with quotes is longer than {} MiB; is a quote left open?", ROW_BYTES >> 20)
}

pub(super) fn overlong_header() -> String {
    format!("the CSV header is longer than {} MiB", HEADER_BYTES >> 20)
}
