//! Values of kept columns as text: any type of column into CSV, JSON and text columns.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray, StringViewArray};
use arrow_schema::DataType;
use phalanx_rows::Bytes;

use super::shown::{is_shown, show};
use crate::exit::RunError;

/// Text in one of Arrow's layouts.
enum TextArray<'a> {
    Small(&'a StringArray),
    View(&'a StringViewArray),
}

impl TextArray<'_> {
    fn value(&self, row: usize) -> &str {
        match self {
            TextArray::Small(array) => array.value(row),
            TextArray::View(array) => array.value(row),
        }
    }
}

/// A kept column, ready to be shown value by value.
pub(super) struct Values<'a> {
    array: Option<&'a ArrayRef>,
    kind: ValueKind<'a>,
}

enum ValueKind<'a> {
    Nothing,
    /// JSON tokens as they stood in a line.
    Tokens(&'a StringArray),
    Text(TextArray<'a>),
    /// Dates, decimals and so on.
    Shown(&'a ArrayRef),
    /// The same, and JSON has the value without quotes.
    Bare(&'a ArrayRef),
    /// JSON has it without quotes if it is finite.
    Float(&'a ArrayRef),
    /// Shown as hex.
    Bytes(Bytes<'a>),
}

impl<'a> Values<'a> {
    /// Prepares a column; `tokens` says that its text is JSON.
    pub(super) fn new(array: Option<&'a ArrayRef>, tokens: bool) -> Result<Values<'a>, RunError> {
        let kind = match array {
            None => ValueKind::Nothing,
            Some(array) => match array.data_type() {
                DataType::Utf8 if tokens => ValueKind::Tokens(array.as_string()),
                DataType::Utf8 => ValueKind::Text(TextArray::Small(array.as_string())),
                DataType::Utf8View => ValueKind::Text(TextArray::View(array.as_string_view())),
                data_type if data_type.is_integer() || *data_type == DataType::Boolean => ValueKind::Bare(array),
                data_type if data_type.is_floating() => ValueKind::Float(array),
                DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
                    ValueKind::Bytes(bytes(array)?)
                }
                data_type if is_shown(data_type) => ValueKind::Shown(array),
                other => return Err(RunError::new(format!("values of type {other} cannot be passed through"))),
            },
        };
        Ok(Values { array, kind })
    }

    fn is_null(&self, row: usize) -> bool {
        self.array.is_none_or(|array| array.is_null(row))
    }

    /// Appends the value as text; says whether there is one.
    pub(super) fn text(&self, row: usize, out: &mut Vec<u8>) -> bool {
        if self.is_null(row) {
            return false;
        }
        match &self.kind {
            ValueKind::Text(text) => out.extend_from_slice(text.value(row).as_bytes()),
            ValueKind::Tokens(array) => out.extend_from_slice(token_text(array.value(row)).as_bytes()),
            ValueKind::Shown(array) | ValueKind::Bare(array) | ValueKind::Float(array) => show(array, row, out),
            ValueKind::Bytes(bytes) => hex(bytes.get(row), out),
            ValueKind::Nothing => return false,
        }
        true
    }

    /// Appends the value as JSON.
    pub(super) fn json(&self, row: usize, scratch: &mut Vec<u8>, out: &mut Vec<u8>) {
        match &self.kind {
            _ if self.is_null(row) => out.extend_from_slice(b"null"),
            ValueKind::Tokens(array) => out.extend_from_slice(array.value(row).as_bytes()),
            ValueKind::Bare(array) => show(array, row, out),
            ValueKind::Text(text) => quote(text.value(row), out),
            _ => {
                scratch.clear();
                self.text(row, scratch);
                if matches!(self.kind, ValueKind::Float(_)) && scratch.last().is_some_and(u8::is_ascii_digit) {
                    return out.extend_from_slice(scratch);
                }
                quote(&String::from_utf8_lossy(scratch), out);
            }
        }
    }
}

/// The bytes of a column of bytes.
fn bytes(array: &ArrayRef) -> Result<Bytes<'_>, RunError> {
    match phalanx_rows::arrow::column(array).values {
        phalanx_rows::Values::Binary(bytes) => Ok(bytes),
        _ => Err(RunError::new(format!("values of type {} are not bytes", array.data_type()))),
    }
}

/// The content of a string; any other token as it is.
fn token_text(token: &str) -> Cow<'_, str> {
    match token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) {
        None => Cow::Borrowed(token),
        Some(text) if !text.contains('\\') => Cow::Borrowed(text),
        Some(_) => serde_json::from_str(token).map_or(Cow::Borrowed(token), Cow::Owned),
    }
}

/// Appends bytes as lower-case hex.
pub(super) fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + 2 * bytes.len(), b'0');
    // The slice has exactly the length that the encoding needs.
    let _ = const_hex::encode_to_slice(bytes, &mut out[start..]);
}

/// Appends text as a JSON string.
pub(super) fn quote(text: &str, out: &mut Vec<u8>) {
    // Writing text to memory does not fail.
    let _ = serde_json::to_writer(out, text);
}
