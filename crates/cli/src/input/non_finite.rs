//! `NaN`, `Infinity` and `-Infinity`, which are not JSON. Python's `json.dumps` writes them all the same, for a number
//! that is missing or too large.

use std::borrow::Cow;

/// The words, and numbers of the same lengths.
const WORDS: [(&str, &str); 2] = [("NaN", "0.0"), ("Infinity", "0.000000")];

/// The same text with a number of the same length in place of each such word outside of strings. `None` if there is no
/// such word.
pub(super) fn finite(text: &str) -> Option<String> {
    let mut json = text.as_bytes().to_vec();
    let (mut in_string, mut at, mut found) = (false, 0, false);
    while let Some(byte) = json.get(at) {
        match byte {
            // An escaped quote does not end a string.
            b'\\' => at += 1,
            b'"' => in_string = !in_string,
            b'N' | b'I' if !in_string => {
                let is_there = |word: &str| json[at..].starts_with(word.as_bytes()) && is_alone(&json, at, word.len());
                if let Some((word, number)) = WORDS.into_iter().find(|(word, _)| is_there(word)) {
                    json[at..at + word.len()].copy_from_slice(number.as_bytes());
                    found = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    // Only ASCII was replaced, by ASCII.
    if found { String::from_utf8(json).ok() } else { None }
}

/// Whether a word is not a part of a longer one, or of a number.
fn is_alone(text: &[u8], start: usize, length: usize) -> bool {
    let ends = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte));
    let before = text[..start].strip_suffix(b"-").unwrap_or(&text[..start]);
    ends(before.last()) && ends(text.get(start + length))
}

/// A value of such a text as a value of JSON: what is not JSON becomes a string of the same characters.
pub(super) fn as_json(value: &str) -> Cow<'_, str> {
    match finite(value) {
        None => Cow::Borrowed(value),
        Some(_) => Cow::Owned(serde_json::Value::from(value).to_string()),
    }
}

/// The part of `text` that stands where `part` stands in `json`, which [`finite`] made of it or which is the same.
pub(super) fn original<'t>(text: &'t str, json: &str, part: &str) -> &'t str {
    let start = part.as_ptr().addr() - json.as_ptr().addr();
    &text[start..start + part.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_numbers_of_the_same_length() {
        for (text, numbers) in [
            (r#"{"a":NaN}"#, r#"{"a":0.0}"#),
            (r#"{"NaN":[NaN, -Infinity,Infinity]}"#, r#"{"NaN":[0.0, -0.000000,0.000000]}"#),
            (r#"{"a\\":NaN,"b\"NaN":"NaN"}"#, r#"{"a\\":0.0,"b\"NaN":"NaN"}"#),
            ("NaN", "0.0"),
        ] {
            assert_eq!(finite(text).as_deref(), Some(numbers), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(numbers).is_ok());
        }
        for text in
            ["", "{}", r#"{"a":"NaN"}"#, "NaN5", "5NaN", "NaN.5", "xNaN", "NaNN", "1-NaN", "--NaN", "Inf", "nan"]
        {
            assert_eq!(finite(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_passed_on_is_json() {
        for (value, json) in [("NaN", r#""NaN""#), (r#"{"a":[NaN]}"#, r#""{\"a\":[NaN]}""#), (r#""NaN""#, r#""NaN""#)] {
            assert_eq!(as_json(value), json);
        }
    }
}
