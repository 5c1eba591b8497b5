//! What belongs to the process as a whole: panics (`guard`), signals (`interrupt`, `signals`), the standard streams
//! (`standard`), what is typed and not shown (`terminal`, `echo`), arguments that no message repeats (`secrets`).

#[cfg(unix)]
mod echo;
pub(crate) mod guard;
pub(crate) mod interrupt;
mod secrets;
#[cfg(target_os = "linux")]
mod signals;
pub(crate) mod standard;
mod terminal;

pub(crate) use secrets::{seed_words, without_secrets};
pub(crate) use terminal::{HiddenInput, restore_terminal};
