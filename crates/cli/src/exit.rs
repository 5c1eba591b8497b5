//! How a run ends: its exit status, and why there is no result.

use std::fmt;
use std::io;

use phalanx_rows::{ColumnsError, NO_PUBLIC_KEY};

/// Every row is valid, or there were none to judge.
pub(crate) const ALL_VALID: u8 = 0;

/// At least one row is invalid, none is malformed.
pub(crate) const SOME_INVALID: u8 = 1;

/// Wrong usage, or an input or output error.
pub(crate) const NO_RESULT: u8 = 2;

/// At least one row is malformed.
pub(crate) const SOME_MALFORMED: u8 = 3;

/// A signal ended the run.
pub(crate) const INTERRUPTED: u8 = 130;

/// What is said where signatures are to be verified without keys.
const RECOVER: &str = ", or find the keys of recoverable signatures with `phalanx recover`";

/// A run that could not be completed.
#[derive(Debug)]
pub(crate) struct RunError {
    /// The file that it is about, if it is one.
    file: Option<String>,
    /// Nothing is said when the reader of our output has gone away: it knows.
    message: Option<String>,
}

impl RunError {
    pub(crate) fn new(message: impl Into<String>) -> RunError {
        RunError { file: None, message: Some(message.into()) }
    }

    /// What another library's error says.
    pub(crate) fn of(error: impl fmt::Display) -> RunError {
        RunError::new(error.to_string())
    }

    /// An input or output error on something that has a name.
    pub(crate) fn io(name: &str, error: &io::Error) -> RunError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => RunError { file: None, message: None },
            _ => RunError::new(format!("{name}: {error}")),
        }
    }

    /// The same error, said of a file.
    pub(crate) fn about(self, file: &str) -> RunError {
        RunError { file: Some(file.to_owned()), ..self }
    }

    /// The file that it is about, and what there is to say of it.
    pub(crate) fn of_file(&self) -> Option<(&str, &str)> {
        self.file.as_deref().zip(self.message.as_deref())
    }

    /// The same error, with what else is to be known; that is said in any case.
    pub(crate) fn with(self, more: &str) -> RunError {
        RunError::new(format!("{self}; {more}"))
    }

    /// What there is to say, if anything.
    pub(crate) fn message(&self) -> Option<String> {
        let message = self.message.as_deref()?;
        Some(self.file.as_deref().map_or_else(|| message.to_owned(), |file| format!("{file}: {message}")))
    }
}

impl From<ColumnsError> for RunError {
    fn from(error: ColumnsError) -> RunError {
        RunError::new(match &error {
            ColumnsError::NotAPair(_) | ColumnsError::UnknownRole(_) | ColumnsError::MappedTwice(..) => {
                format!("--columns {error}")
            }
            ColumnsError::TwoNames(..) => format!("{error}; name one with --columns ROLE=NAME"),
            ColumnsError::Lacking(wanted, _) => {
                let more = if *wanted == NO_PUBLIC_KEY { RECOVER } else { "" };
                format!("{error}; name one with --columns ROLE=NAME{more}")
            }
            _ => error.to_string(),
        })
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_deref().unwrap_or("broken pipe"))
    }
}
