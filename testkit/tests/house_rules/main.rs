//! The rules of the house that a program can hold: `rooms` says which module may know which, `circles` that imports go
//! round in no circle and that names are used once, `copies` how much is written twice, `glossary` which words are the
//! project's own.

mod circles;
mod copies;
mod glossary;
mod rooms;
mod shipped;
mod source;
