//! Secret values that Python's objects hold.
//!
//! They are read into types that are wiped when they are dropped, and the stack that they move on is overwritten. What
//! Python itself holds of them is out of reach.

use crate::{error, ffi, input, keys, wipe};
use library::SecretKey;
use phalanx_rows::{Role, RowFault};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::fmt::Display;
use std::ops::Range;
use zeroize::Zeroizing;

/// Secret keys of a column of Arrow that are looked at together.
const ROWS: usize = 1024;

/// The values of rows that must all have one; the first of them has this number.
pub(crate) fn present<'a>(values: &[Result<&'a [u8], RowFault>], first: usize, what: &str) -> PyResult<Vec<&'a [u8]>> {
    let checked = values.iter().zip(first..);
    checked.map(|(value, row)| value.map_err(|_| error::value(format!("row {row}: no {what}")))).collect()
}

/// Secret keys that are all valid. They are read again when their turn comes.
pub(crate) enum Secrets {
    /// 32 bytes each, which stood in a list or in an array.
    Copied(Zeroizing<Vec<u8>>),
    /// Those of a column of Arrow.
    Column(input::InputColumn),
}

impl Secrets {
    /// Secret keys: a list of them or of bytes, an array of n x 32 bytes, or a column of Arrow.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Secrets> {
        wipe::cleared(|| {
            if let Some(copied) = copied(object, &SecretKey::from_bytes)? {
                return Ok(Secrets::Copied(copied));
            }
            let secrets = Secrets::Column(input::InputColumn::of(object)?);
            for first in (0..secrets.rows()).step_by(ROWS) {
                secrets.some(first..secrets.rows().min(first + ROWS))?;
            }
            Ok(secrets)
        })
    }

    pub(crate) fn rows(&self) -> usize {
        match self {
            Secrets::Copied(bytes) => bytes.len() / 32,
            Secrets::Column(column) => column.rows(),
        }
    }

    /// Those of some rows.
    pub(crate) fn some(&self, rows: Range<usize>) -> PyResult<Vec<SecretKey>> {
        match self {
            Secrets::Copied(bytes) => {
                of_words(&bytes[rows.start * 32..rows.end * 32], rows.start, &SecretKey::from_bytes)
            }
            Secrets::Column(column) => of_column(column, rows, "secret key", &SecretKey::from_bytes),
        }
    }
}

/// Values of 32 secret bytes each. Where they are copied before they are read, the copy is wiped, but for text and
/// dictionaries of Arrow.
pub fn read<T, E: Display>(
    object: &Bound<'_, PyAny>,
    what: &str,
    value: impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    wipe::cleared(|| {
        if let Some(bytes) = copied(object, &value)? {
            return of_words(&bytes, 0, &value);
        }
        let column = input::InputColumn::of(object)?;
        of_column(&column, 0..column.rows(), what, &value)
    })
}

/// The bytes of the values in a list or tuple of bytes or of [`keys::SecretKey`], or in an array of n x 32 bytes: 32 for
/// each, all of which `value` takes. None of anything else.
fn copied<T, E: Display>(
    object: &Bound<'_, PyAny>,
    value: &impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Option<Zeroizing<Vec<u8>>>> {
    let listed = match (object.cast::<PyList>(), object.cast::<PyTuple>()) {
        (Ok(list), _) => Some(list.iter().collect::<Vec<_>>()),
        (_, Ok(tuple)) => Some(tuple.iter().collect()),
        _ => None,
    };
    if let Some(listed) = listed {
        // It never grows, which would leave bytes behind that are not wiped.
        let mut words = Zeroizing::new(Vec::with_capacity(listed.len() * 32));
        for (row, item) in listed.iter().enumerate() {
            let bytes = match item.cast::<keys::SecretKey>() {
                Ok(secret) => Zeroizing::new(secret.get().secret().to_bytes().to_vec()),
                Err(_) => match item.extract::<keys::SecretBytes>() {
                    Ok(bytes) => bytes.0,
                    Err(_) => return Err(PyTypeError::new_err(format!("row {row}: neither a SecretKey nor bytes"))),
                },
            };
            value(&bytes).map_err(|wrong| error::row(row, wrong))?;
            let word: &[u8; 32] = bytes.as_slice().try_into().map_err(|_| error::internal("32 bytes are taken"))?;
            words.extend_from_slice(word);
        }
        return Ok(Some(words));
    }
    let Some(buffer) = ffi::buffer::<u8>(object)? else { return Ok(None) };
    let [rows, 32] = *buffer.shape() else { return Ok(None) };
    let mut words = Zeroizing::new(vec![0; rows * 32]);
    buffer.copy_to_slice(object.py(), &mut words)?;
    for (row, word) in words.as_chunks::<32>().0.iter().enumerate() {
        value(word).map_err(|wrong| error::row(row, wrong))?;
    }
    Ok(Some(words))
}

/// Values of 32 bytes each; the first of them has this number.
fn of_words<T, E: Display>(bytes: &[u8], first: usize, value: &impl Fn(&[u8]) -> Result<T, E>) -> PyResult<Vec<T>> {
    let (words, _) = bytes.as_chunks::<32>();
    let mut values = Vec::with_capacity(words.len());
    for (word, row) in words.iter().zip(first..) {
        values.push(value(word).map_err(|wrong| error::row(row, wrong))?);
    }
    Ok(values)
}

/// The values of some rows of a column.
fn of_column<T, E: Display>(
    column: &input::InputColumn,
    rows: Range<usize>,
    what: &str,
    value: &impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    column.read(Role::Scalar, rows.clone(), |values| {
        let mut read = Vec::with_capacity(rows.len());
        for (bytes, row) in present(values, rows.start, what)?.into_iter().zip(rows) {
            read.push(value(bytes).map_err(|wrong| error::row(row, wrong))?);
        }
        Ok(read)
    })
}
