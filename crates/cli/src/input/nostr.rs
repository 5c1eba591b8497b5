//! The id of a Nostr event: SHA-256 of `[0,pubkey,created_at,kind,tags,content]` without white space (NIP-01).
//!
//! Events are hashed from the tokens of the line they stand in. A token is brought to the one form that NIP-01 allows
//! without being parsed into a value first: only seven characters are escaped, all others stand for themselves.

use phalanx::hash::sha256;

use crate::fault::Fault;

/// The JSON tokens of an event that its id covers.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    pub(super) pubkey: &'a str,
    pub(super) created_at: &'a str,
    pub(super) kind: &'a str,
    pub(super) tags: &'a str,
    pub(super) content: &'a str,
}

/// How control characters without a short escape are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Controls {
    /// As NIP-01 says.
    Verbatim,
    /// As JSON libraries do, and so as ids in the wild are made. No two events share a serialisation under either
    /// rule or across both: a backslash in the text is always doubled.
    Escaped,
}

/// The hash of an event. Where the two ways of writing control characters differ, the one that gives the declared id
/// wins, else NIP-01's.
///
/// Fails when `created_at` or `kind` is not an integer, `tags` not an array of arrays of strings, or a string holds half
/// of a surrogate pair.
pub(super) fn id(event: Event<'_>, declared: &[u8], scratch: &mut Vec<u8>) -> Result<[u8; 32], Fault> {
    let controls = serialise(event, Controls::Verbatim, scratch)?;
    let id = sha256(scratch);
    if controls && id != *declared {
        serialise(event, Controls::Escaped, scratch)?;
        let escaped = sha256(scratch);
        if escaped == *declared {
            return Ok(escaped);
        }
    }
    Ok(id)
}

/// Writes the event's serialisation; says whether it holds control characters that the two rules write differently.
fn serialise(event: Event<'_>, controls: Controls, out: &mut Vec<u8>) -> Result<bool, Fault> {
    out.clear();
    out.extend_from_slice(b"[0,");
    let mut seen = string(event.pubkey, controls, out)?;
    for number in [event.created_at, event.kind] {
        let digits = number.strip_prefix('-').unwrap_or(number);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Fault::NotEvent);
        }
        out.push(b',');
        out.extend_from_slice(number.as_bytes());
    }
    out.push(b',');
    seen |= tags(event.tags, controls, out)?;
    out.push(b',');
    seen |= string(event.content, controls, out)?;
    out.push(b']');
    Ok(seen)
}

/// An array of arrays of strings without its white space. The token is known to be well-formed JSON.
fn tags(token: &str, controls: Controls, out: &mut Vec<u8>) -> Result<bool, Fault> {
    let mut seen = false;
    let mut depth = 0;
    let mut rest = token;
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'[' if depth < 2 => {
                depth += 1;
                out.push(first);
                1
            }
            b']' => {
                depth -= 1;
                out.push(first);
                1
            }
            b',' => {
                out.push(first);
                1
            }
            b' ' | b'\t' | b'\n' | b'\r' => 1,
            b'"' if depth == 2 => {
                let length = string_length(rest);
                seen |= string(&rest[..length], controls, out)?;
                length
            }
            _ => return Err(Fault::NotEvent),
        };
        rest = &rest[length..];
    }
    Ok(seen)
}

/// The length of the string token that a text begins with, quotes included.
fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            Some(found) if bytes[at + found] == b'\\' => at += found + 2,
            Some(found) => return at + found + 1,
            None => return bytes.len(),
        }
    }
}

/// Rewrites a string token with the escapes of NIP-01. The token is known to be well-formed JSON.
fn string(token: &str, controls: Controls, out: &mut Vec<u8>) -> Result<bool, Fault> {
    let Some(mut rest) = token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) else {
        return Err(Fault::NotEvent);
    };
    let mut seen = false;
    out.push(b'"');
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let (character, length) = escape(&rest[at..]).ok_or(Fault::NotEvent)?;
        seen |= put(character, controls, out);
        rest = &rest[at + length..];
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
    Ok(seen)
}

/// The character that an escape stands for, and the escape's length.
fn escape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => {
            let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
            let first = unit(2)?;
            return match char::from_u32(first.into()) {
                Some(character) => Some((character, 6)),
                None if text.get(6..8)? == "\\u" => {
                    let pair = char::decode_utf16([first, unit(8)?]).next()?.ok()?;
                    Some((pair, 12))
                }
                None => None,
            };
        }
        other => char::from(*other),
    };
    Some((character, 2))
}

/// Writes one character that stood escaped.
fn put(character: char, controls: Controls, out: &mut Vec<u8>) -> bool {
    let short = match character {
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        '"' => b'"',
        '\\' => b'\\',
        '\0'..' ' if controls == Controls::Escaped => {
            out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            return true;
        }
        other => {
            out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
            return other < ' ';
        }
    };
    out.extend_from_slice(&[b'\\', short]);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event<'a>(content: &'a str, tags: &'a str) -> Event<'a> {
        Event { pubkey: "\"ab\"", created_at: "17", kind: "1", tags, content }
    }

    fn written(content: &str, tags: &str, controls: Controls) -> Result<String, Fault> {
        let mut out = Vec::new();
        serialise(event(content, tags), controls, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn one_form_whatever_the_escapes() {
        let expected = "[0,\"ab\",17,1,[[\"e\",\"\\\"x]\"],[]],\"é\\n/\\\\😀\u{7f}\"]";
        for content in ["\"é\\n\\/\\\\😀\u{7f}\"", r#""\u00e9\u000a/\u005C\ud83d\ude00\u007f""#] {
            let tags = " [ [\"e\" ,\t\"\\u0022x]\"] , [ ] ] ";
            assert_eq!(written(content, tags, Controls::Verbatim).unwrap(), expected);
        }
    }

    #[test]
    fn control_characters_both_ways() {
        assert_eq!(written(r#""\u0001""#, "[]", Controls::Verbatim).unwrap(), "[0,\"ab\",17,1,[],\"\u{1}\"]");
        assert_eq!(written(r#""\u0001""#, "[]", Controls::Escaped).unwrap(), r#"[0,"ab",17,1,[],"\u0001"]"#);
        let event = event(r#""\u001F""#, "[]");
        for controls in [Controls::Verbatim, Controls::Escaped] {
            let mut text = Vec::new();
            serialise(event, controls, &mut text).unwrap();
            let declared = sha256(&text);
            assert_eq!(id(event, &declared, &mut Vec::new()), Ok(declared));
        }
    }

    #[test]
    fn what_is_not_an_event() {
        for tags in ["[1]", "[[1]]", "[[[]]]", "{}", "[\"e\"]", "null", "\"\"", "[[null]]"] {
            assert_eq!(written("\"\"", tags, Controls::Verbatim), Err(Fault::NotEvent), "{tags}");
        }
        for content in [r#""\ud83d""#, r#""\ud83dx""#, r#""\ude00""#, r#""\ud83d\u0041""#, "1", "null"] {
            assert_eq!(written(content, "[]", Controls::Verbatim), Err(Fault::NotEvent), "{content}");
        }
        let number = Event { kind: "1e3", ..event("\"\"", "[]") };
        assert_eq!(serialise(number, Controls::Verbatim, &mut Vec::new()), Err(Fault::NotEvent));
    }
}
