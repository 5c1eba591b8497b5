//! The lines of a file of extended keys, which may be secret: the buffer is wiped, and it never grows.

use std::io::{self, ErrorKind, Read};

use phalanx_rows::behind_byte_order_mark;
use zeroize::Zeroizing;

use crate::process::HiddenInput;

/// No line is longer: several times as long as a key.
const LONGEST: usize = 1024;

/// Lines of a file, one after another.
pub(super) struct KeyLines {
    file: HiddenInput,
    /// Whether the first line was taken.
    begun: bool,
    buffer: Zeroizing<Vec<u8>>,
    /// What of the buffer was read, and is not taken yet.
    start: usize,
    end: usize,
}

/// A line.
pub(super) enum KeyLine<'a> {
    Text(&'a [u8]),
    /// One that is longer than any key, and was passed over.
    TooLong,
}

impl KeyLines {
    pub(super) fn new(file: HiddenInput) -> KeyLines {
        KeyLines { file, begun: false, buffer: Zeroizing::new(vec![0; 64 * LONGEST]), start: 0, end: 0 }
    }

    /// The next line without its end. `None` after the last. A byte order mark before the first is skipped.
    pub(super) fn next(&mut self) -> io::Result<Option<KeyLine<'_>>> {
        let begun = std::mem::replace(&mut self.begun, true);
        match self.line()? {
            Some(KeyLine::Text(text)) if !begun => Ok(Some(KeyLine::Text(behind_byte_order_mark(text)?))),
            line => Ok(line),
        }
    }

    fn line(&mut self) -> io::Result<Option<KeyLine<'_>>> {
        let mut long = false;
        loop {
            let waiting = self.start..self.end;
            if let Some(length) = memchr::memchr(b'\n', &self.buffer[waiting.clone()]) {
                self.start += length + 1;
                let line = waiting.start..waiting.start + length;
                return Ok(Some(if long || length > LONGEST {
                    KeyLine::TooLong
                } else {
                    KeyLine::Text(&self.buffer[line])
                }));
            }
            if waiting.len() > LONGEST {
                long = true;
                (self.start, self.end) = (0, 0);
            } else {
                self.buffer.copy_within(waiting.clone(), 0);
                (self.start, self.end) = (0, waiting.len());
            }
            match self.file.read(&mut self.buffer[self.end..]) {
                Ok(0) if self.end == 0 && !long => return Ok(None),
                Ok(0) => {
                    let line = ..self.end;
                    (self.start, self.end) = (0, 0);
                    return Ok(Some(if long { KeyLine::TooLong } else { KeyLine::Text(&self.buffer[line]) }));
                }
                Ok(more) => self.end += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// The lengths of the lines, none where they are too long.
    fn lines(text: &[u8]) -> Vec<Option<usize>> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        let file = HiddenInput::new(file, "").unwrap();
        let (mut lines, mut found) = (KeyLines::new(file), Vec::new());
        while let Some(line) = lines.next().unwrap() {
            found.push(match line {
                KeyLine::Text(line) => {
                    assert!(line.iter().all(|byte| *byte == b'x'));
                    Some(line.len())
                }
                KeyLine::TooLong => None,
            });
        }
        found
    }

    #[test]
    fn lines_of_any_length() {
        let sizes = [0, 1, 111, LONGEST, LONGEST + 1, 64 * LONGEST - 1, 64 * LONGEST, 64 * LONGEST + 1, 1_000_000, 7];
        let expected: Vec<_> = sizes.iter().map(|size| Some(*size).filter(|size| *size <= LONGEST)).collect();
        let text: Vec<u8> = sizes.iter().flat_map(|size| [&vec![b'x'; *size][..], b"\n"].concat()).collect();
        assert_eq!(lines(&text), expected);
        // Without an end behind the last line.
        assert_eq!(lines(&text[..text.len() - 1]), expected);
        let many = b"xx\n".repeat(100_000);
        assert_eq!(lines(&many), vec![Some(2); 100_000]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(&[b'x'; 5000]), [None]);
    }
}
