//! The rules of the house that a program can hold: `rooms` says which module may know which, `circles` that imports go
//! round in no circle and that names are used once, `copies` how much is written twice, `glossary` which words are the
//! project's own, `planted_faults` that the list of faults fits the source, `guards` that guards are found in source,
//! `harness` that every unit test runs, `lock` what the lock file must not name.

mod circles;
mod copies;
mod glossary;
mod guards;
mod harness;
mod lock;
mod planted_faults;
mod rooms;
mod shipped;
mod source;
