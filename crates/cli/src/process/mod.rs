//! What belongs to the process as a whole: panics (`guard`), signals (`interrupt`), the standard streams (`standard`).

pub(crate) mod guard;
pub(crate) mod interrupt;
pub(crate) mod standard;
