//! Why a run ended without a result, and what the process then says and returns.

use std::fmt;
use std::io;

use phalanx_rows::ColumnsError;

use crate::standard;

/// The exit status of a run that could not be completed.
pub(crate) const STATUS: u8 = 2;

/// A run that could not be completed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Nothing is said when the reader of our output has gone away: it knows.
    message: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: Some(message.into()) }
    }

    /// What another library's error says.
    pub(crate) fn of(error: impl fmt::Display) -> Failure {
        Failure::new(error.to_string())
    }

    /// An input or output error on something that has a name.
    pub(crate) fn io(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { message: None },
            _ => Failure::new(format!("{name}: {error}")),
        }
    }

    /// The same failure, said of a named thing.
    pub(crate) fn about(self, name: &str) -> Failure {
        Failure { message: self.message.map(|message| format!("{name}: {message}")) }
    }

    /// The same failure, with what else is to be known; that is said in any case.
    pub(crate) fn with(self, more: &str) -> Failure {
        Failure::new(format!("{self}; {more}"))
    }

    /// Says on standard error what there is to say.
    pub(crate) fn report(&self) {
        if self.message.is_some() {
            standard::remark(format_args!("phalanx: {self}"));
        }
    }
}

impl From<ColumnsError> for Failure {
    fn from(error: ColumnsError) -> Failure {
        Failure::new(match &error {
            ColumnsError::NotAPair(_) | ColumnsError::UnknownRole(_) | ColumnsError::MappedTwice(..) => {
                format!("--columns {error}")
            }
            ColumnsError::Lacking(..) => format!("{error}; name one with --columns ROLE=NAME"),
            _ => error.to_string(),
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or("broken pipe"))
    }
}
