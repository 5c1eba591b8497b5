//! Bytes as text where they are not UTF-8.

use std::borrow::Cow;
use std::fmt::Write;

/// How many bytes of a value may be invalid UTF-8. With more, the value is not text, and escapes would take several times
/// its size.
const WRONG: usize = 1 << 16;

/// Bytes as text: each byte that is not UTF-8 as `escape` and two hex digits. `None` if over 65,536 bytes are not.
///
/// With `\x` this is what Python calls `backslashreplace`. Nothing is lost but the difference from the same text.
pub(super) fn readable<'b>(bytes: &'b [u8], escape: &str) -> Option<Cow<'b, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(bytes.len());
    let mut wrong = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to memory does not fail.
            let _ = write!(text, "{escape}{byte:02x}");
        }
        wrong += chunk.invalid().len();
        if wrong > WRONG {
            return None;
        }
    }
    Some(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_byte_is_written_in_hex() {
        for (bytes, text) in [
            (&b"caf\xc3\xa9"[..], "caf\u{e9}"),
            (b"caf\xe9", "caf\\xe9"),
            (b"\xff\xfe\0", "\\xff\\xfe\0"),
            (b"\xe2\x82z", "\\xe2\\x82z"),
            (b"", ""),
        ] {
            assert_eq!(readable(bytes, "\\x").as_deref(), Some(text));
        }
        assert!(readable(&[0xff; WRONG], "").is_some() && readable(&[0xff; WRONG + 1], "").is_none());
    }
}
