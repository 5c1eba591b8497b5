//! A Nostr event (NIP-01): its form, and its id, SHA-256 of `[0,pubkey,created_at,kind,tags,content]` without white
//! space.
//!
//! Events are hashed from the tokens of the line they stand in. A token is brought to the one form that NIP-01 allows:
//! only seven characters are escaped, all others stand for themselves. A string without a backslash has that form.

use std::borrow::Cow;

use phalanx::hash::sha256;
use phalanx_rows::{EventKey, RowFault};

use super::tokens::Tokens;

/// The greatest `kind` of NIP-01.
const GREATEST_KIND: u64 = u16::MAX as u64;

/// The greatest `created_at`: beyond 2^53 - 1 a reader whose numbers are floating-point sees another number than the
/// one that is hashed (RFC 7493, section 2.2).
const GREATEST_TIME: u64 = (1 << 53) - 1;

/// An event of NIP-01's form.
pub(super) struct Event<'a> {
    /// The hash of the event.
    pub(super) id: [u8; 32],
    /// Whether the event names that hash as its id.
    pub(super) is_named: bool,
    /// Hex.
    pub(super) public_key: Cow<'a, str>,
    /// Hex.
    pub(super) signature: Cow<'a, str>,
}

impl<'a> Event<'a> {
    /// Reads an event; fails with the first key whose value is not what NIP-01 says. The lengths of public key and
    /// signature are left to verification, which has verdicts of its own for them.
    pub(super) fn read(tokens: &Tokens<'a>, scratch: &mut Vec<u8>) -> Result<Event<'a>, (EventKey, RowFault)> {
        if let Some(key) = tokens.twice {
            return Err((key, RowFault::Twice));
        }
        let token = |key| match tokens.get(key) {
            None => Err((key, RowFault::AbsentInEvent)),
            Some("null") => Err((key, RowFault::Null)),
            Some(token) => Ok(token),
        };
        for key in EventKey::ALL {
            token(key)?;
        }
        let hex = |key| lower_hex(token(key)?).map_err(|fault| (key, fault));
        let named = hex(EventKey::Id)?;
        let mut id = [0; 32];
        if const_hex::decode_to_slice(named.as_bytes(), &mut id).is_err() {
            return Err((EventKey::Id, RowFault::WrongLength));
        }
        let public_key = hex(EventKey::PublicKey)?;
        for (key, greatest, fault) in [
            (EventKey::CreatedAt, GREATEST_TIME, RowFault::NotTime),
            (EventKey::Kind, GREATEST_KIND, RowFault::NotKind),
        ] {
            if integer(token(key)?).is_none_or(|number| number > greatest) {
                return Err((key, fault));
            }
        }
        let signed = Signed {
            public_key: token(EventKey::PublicKey)?,
            created_at: token(EventKey::CreatedAt)?,
            kind: token(EventKey::Kind)?,
            tags: token(EventKey::Tags)?,
            content: token(EventKey::Content)?,
        };
        let hash = hash(signed, &id, scratch)?;
        let signature = hex(EventKey::Signature)?;
        Ok(Event { id: hash, is_named: hash == id, public_key, signature })
    }
}

/// The text of a string token of an even number of lower-case hexadecimal digits.
fn lower_hex(token: &str) -> Result<Cow<'_, str>, RowFault> {
    let text = match token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) {
        None => return Err(RowFault::WrongType),
        Some(text) if text.contains('\\') => {
            Cow::Owned(serde_json::from_str::<String>(token).map_err(|_| RowFault::NotLowerHex)?)
        }
        Some(text) => Cow::Borrowed(text),
    };
    let digits = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    if digits && text.len().is_multiple_of(2) { Ok(text) } else { Err(RowFault::NotLowerHex) }
}

/// A number token that is an integer without a sign, a fraction or an exponent.
fn integer(token: &str) -> Option<u64> {
    if token.bytes().all(|digit| digit.is_ascii_digit()) { token.parse().ok() } else { None }
}

/// The JSON tokens of an event that its id covers.
#[derive(Clone, Copy)]
struct Signed<'a> {
    public_key: &'a str,
    created_at: &'a str,
    kind: &'a str,
    tags: &'a str,
    content: &'a str,
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

/// The hash of an event. Where the two ways of writing control characters differ, the one that gives the named id wins,
/// else NIP-01's.
///
/// Fails when `tags` is not an array of arrays of strings, `content` no string, or a string holds half of a surrogate
/// pair.
fn hash(signed: Signed<'_>, named: &[u8; 32], scratch: &mut Vec<u8>) -> Result<[u8; 32], (EventKey, RowFault)> {
    let controls = serialise(signed, Controls::Verbatim, scratch)?;
    let id = sha256(scratch);
    if controls && id != *named {
        serialise(signed, Controls::Escaped, scratch)?;
        let escaped = sha256(scratch);
        if escaped == *named {
            return Ok(escaped);
        }
    }
    Ok(id)
}

/// Writes the event's serialisation; says whether it holds control characters that the two rules write differently.
fn serialise(signed: Signed<'_>, controls: Controls, out: &mut Vec<u8>) -> Result<bool, (EventKey, RowFault)> {
    out.clear();
    out.extend_from_slice(b"[0,");
    let mut seen = string(signed.public_key, controls, out).map_err(|fault| (EventKey::PublicKey, fault))?;
    for number in [signed.created_at, signed.kind] {
        out.push(b',');
        out.extend_from_slice(number.as_bytes());
    }
    out.push(b',');
    seen |= tags(signed.tags, controls, out).map_err(|fault| (EventKey::Tags, fault))?;
    out.push(b',');
    seen |= string(signed.content, controls, out).map_err(|fault| (EventKey::Content, fault))?;
    out.push(b']');
    Ok(seen)
}

/// An array of arrays of strings without its white space. The token is known to be well-formed JSON.
fn tags(token: &str, controls: Controls, out: &mut Vec<u8>) -> Result<bool, RowFault> {
    let mut seen = false;
    let mut depth = 0;
    let mut rest = token;
    while let Some(first) = rest.bytes().next() {
        let mut length = 1;
        match first {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' if depth == 2 => {
                length = string_length(rest);
                seen |= string(&rest[..length], controls, out)?;
            }
            b'[' if depth < 2 => {
                depth += 1;
                out.push(first);
            }
            b']' => {
                depth -= 1;
                out.push(first);
            }
            b',' => out.push(first),
            _ => return Err(RowFault::NotTags),
        }
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
fn string(token: &str, controls: Controls, out: &mut Vec<u8>) -> Result<bool, RowFault> {
    let Some(mut rest) = token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) else {
        return Err(RowFault::WrongType);
    };
    let mut seen = false;
    out.push(b'"');
    let unescaped: String;
    if rest.contains('\\') {
        unescaped = serde_json::from_str(token).map_err(|_| RowFault::HalfCharacter)?;
        rest = &unescaped;
        while let Some(at) = rest.find(|character: char| character < ' ' || character == '"' || character == '\\') {
            out.extend_from_slice(&rest.as_bytes()[..at]);
            seen |= escape(rest.as_bytes()[at], controls, out);
            rest = &rest[at + 1..];
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
    Ok(seen)
}

/// Writes a character that may not stand for itself in JSON; says whether the two rules write it differently.
fn escape(character: u8, controls: Controls, out: &mut Vec<u8>) -> bool {
    let short = match character {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        b'"' | b'\\' => character,
        _ if controls == Controls::Escaped => {
            out.extend_from_slice(format!("\\u{character:04x}").as_bytes());
            return true;
        }
        _ => {
            out.push(character);
            return true;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed<'a>(content: &'a str, tags: &'a str) -> Signed<'a> {
        Signed { public_key: "\"ab\"", created_at: "17", kind: "1", tags, content }
    }

    fn written(content: &str, tags: &str, controls: Controls) -> Result<String, (EventKey, RowFault)> {
        let mut out = Vec::new();
        serialise(signed(content, tags), controls, &mut out)?;
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
        let signed = signed(r#""\u001F""#, "[]");
        for controls in [Controls::Verbatim, Controls::Escaped] {
            let mut text = Vec::new();
            serialise(signed, controls, &mut text).unwrap();
            let named = sha256(&text);
            assert_eq!(hash(signed, &named, &mut Vec::new()), Ok(named));
        }
    }
}
