//! The rules of the house that a program can hold: `rooms` says which module may know which, `circles` that imports go
//! round in no circle and that names are used once, `copies` how much is written twice.

mod circles;
mod copies;
mod rooms;
mod shipped;
