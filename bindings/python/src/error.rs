//! What Python is told when a call fails.

use library::{Error, Verdict};
use phalanx_rows::KeyLineError;
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::path::Path;

create_exception!(phalanx, PhalanxError, PyValueError, "A key, a signature or a row that is not good.");
create_exception!(
    phalanx,
    InvalidSignature,
    PhalanxError,
    "A signature that is not valid; `reason` names the verdict."
);
create_exception!(
    phalanx,
    BadContribution,
    PhalanxError,
    "What signers of one signature sent is wrong; `culprits` names them all."
);

/// What is wrong with what these signers sent.
pub(crate) fn contribution<'py>(
    py: Python<'py>,
    wrong: impl Display,
    culprits: impl IntoPyObject<'py, Error = PyErr>,
) -> PyErr {
    let raised = BadContribution::new_err(wrong.to_string());
    match raised.value(py).setattr("culprits", culprits) {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// An error of the library. Where it says what is wrong with a signature, `reason` is the verdict's name.
pub(crate) fn of(error: Error) -> PyErr {
    match error {
        Error::InvalidSignature | Error::HighS => InvalidSignature::new_err(error.to_string()),
        Error::BackendUnavailable { .. } | Error::LengthMismatch { .. } => PyValueError::new_err(error.to_string()),
        Error::ThreadsUnavailable | Error::WorkspaceTooSmall { .. } => PyRuntimeError::new_err(error.to_string()),
        _ => PhalanxError::new_err(error.to_string()),
    }
}

/// The same, with the verdict that a row would have.
pub(crate) fn with_reason(py: Python<'_>, error: Error) -> PyErr {
    let raised = of(error);
    match raised.value(py).setattr("reason", Verdict::from(error).reason()) {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// Why a file gives no secret key.
pub(crate) fn of_key_file(path: &Path, wrong: KeyLineError) -> PyErr {
    let name = path.display().to_string();
    match wrong {
        KeyLineError::Io(wrong) => {
            let text = wrong.to_string();
            match (wrong.raw_os_error(), text.split(" (os error").next()) {
                // Python makes a FileNotFoundError and its like of the number, which it shows too.
                (Some(number), Some(text)) => PyOSError::new_err((number, text.to_owned(), name)),
                _ => PyOSError::new_err(format!("{name}: {text}")),
            }
        }
        KeyLineError::Key(Error::BadHex) => value(format!("{name}: {wrong}")),
        KeyLineError::Key(wrong) => of(wrong),
    }
}

/// What is wrong with a row.
pub fn row(row: usize, error: impl Display) -> PyErr {
    PhalanxError::new_err(format!("row {row}: {error}"))
}

/// What is wrong with what the caller gave.
pub fn value(text: impl Display) -> PyErr {
    PyValueError::new_err(text.to_string())
}

/// An error of this package.
pub fn internal(text: impl Display) -> PyErr {
    PyRuntimeError::new_err(format!("internal error: {text}"))
}

/// The value that a word stands for.
pub(crate) fn one_of<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
        value(format!("{name}: {word:?} is none of {}", known.join(", ")))
    })
}
