//! Values of kept columns as text: any type of column into CSV, JSON and text columns.

use std::borrow::Cow;
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use phalanx_rows::Bytes;

use crate::exit::RunError;

/// How a value that has been written as text stands in JSON.
pub(super) enum JsonForm {
    /// There is none.
    Null,
    /// As it is written.
    Bare,
    /// As a string.
    Quoted,
}

/// Numbers, dates and times as Arrow shows them of itself.
const OPTIONS: FormatOptions<'static> = FormatOptions::new();

/// A kept column, ready to be shown value by value.
pub(super) struct Values<'a> {
    array: Option<&'a ArrayRef>,
    kind: ValueKind<'a>,
}

enum ValueKind<'a> {
    Nothing,
    /// JSON tokens as they stood in a line.
    Tokens(&'a StringArray),
    Text(Bytes<'a>),
    /// Dates, decimals and so on.
    Shown(ArrayFormatter<'a>),
    /// Numbers and truth values.
    Number(ArrayFormatter<'a>),
    /// Shown as hex.
    Bytes(Bytes<'a>),
}

impl<'a> Values<'a> {
    /// Prepares a column; `tokens` says that its text is JSON.
    pub(super) fn new(array: Option<&'a ArrayRef>, tokens: bool) -> Result<Values<'a>, RunError> {
        let kind = match array {
            None => ValueKind::Nothing,
            Some(array) if tokens && *array.data_type() == DataType::Utf8 => ValueKind::Tokens(array.as_string()),
            Some(array) => match (phalanx_rows::arrow::column(array).values, array.data_type()) {
                (phalanx_rows::Values::Text(text), _) => ValueKind::Text(text),
                (phalanx_rows::Values::Binary(bytes), _) => ValueKind::Bytes(bytes),
                (_, data_type) => {
                    let shown = ArrayFormatter::try_new(array, &OPTIONS).map_err(RunError::of)?;
                    // A list of numbers is written as JSON has it.
                    let numbers = matches!(data_type, DataType::List(item) if item.data_type().is_integer());
                    let number =
                        numbers || data_type.is_integer() || data_type.is_floating() || *data_type == DataType::Boolean;
                    if number { ValueKind::Number(shown) } else { ValueKind::Shown(shown) }
                }
            },
        };
        Ok(Values { array, kind })
    }

    /// Appends the value as text, and says how JSON has it. Tokens of JSON are left as they are if `raw`.
    pub(super) fn write(&self, row: usize, raw: bool, out: &mut Vec<u8>) -> JsonForm {
        if self.array.is_none_or(|array| array.is_null(row)) {
            return JsonForm::Null;
        }
        match &self.kind {
            ValueKind::Nothing => return JsonForm::Null,
            ValueKind::Tokens(array) if raw => {
                out.extend_from_slice(array.value(row).as_bytes());
                return JsonForm::Bare;
            }
            ValueKind::Tokens(array) => out.extend_from_slice(token_text(array.value(row)).as_bytes()),
            ValueKind::Text(text) => out.extend_from_slice(text.get(row)),
            ValueKind::Shown(values) => show(values, row, out),
            ValueKind::Number(values) => {
                show(values, row, out);
                // No finite number and no truth value ends in these letters.
                let finite = !out.ends_with(b"NaN") && !out.ends_with(b"inf");
                return if finite { JsonForm::Bare } else { JsonForm::Quoted };
            }
            ValueKind::Bytes(bytes) => hex(bytes.get(row), out),
        }
        JsonForm::Quoted
    }
}

/// Appends a value as Arrow displays it.
fn show(values: &ArrayFormatter<'_>, row: usize, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(out, "{}", values.value(row));
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
