//! What belongs to the process as a whole: panics (`guard`), signals (`interrupt`), the standard streams (`standard`),
//! arguments that no message repeats (`secrets`).

pub(crate) mod guard;
pub(crate) mod interrupt;
mod secrets;
pub(crate) mod standard;

pub(crate) use secrets::{seed_words, without_secrets};
