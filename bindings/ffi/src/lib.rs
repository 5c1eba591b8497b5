//! Memory that callers in other languages lend: from pointers to slices and back, checked.
//!
//! The bindings stand on this crate, and so does the `unsafe` code that they have in common. It allocates nothing
//! without the feature `std`, so that an image of the Go module can have it.
//!
//! | file | holds |
//! |---|---|
//! | `status` | what a refused call is told, as `phalanx.h` numbers it |
//! | `columns` | columns and outputs as C passes them |
//! | `bulk_head` | what a handle of `libphalanx` begins with |
//! | `memory` | single pointers, and slices behind them |
//! | `output` | room for an answer of each row |
//! | `given` | all that a call is given, which must not overlap |
//! | `by_copy` | pointers of libsecp256k1's interface, whose buffers may overlap |
//! | `operations` | the list of the operations on rows (feature `operations`) |
//! | `owned` | panics as a status, and values that callers own (feature `std`) |
//!
//! What cannot be checked is the caller's promise: that memory is there for as many bytes as it says, and that no other
//! thread writes to it during the call.
#![no_std]
#![allow(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod bulk_head;
pub mod by_copy;
mod columns;
mod given;
mod memory;
#[cfg(feature = "operations")]
pub mod operations;
mod output;
#[cfg(feature = "std")]
mod owned;
pub mod status;

pub use bulk_head::BulkHead;
pub use columns::{phalanx_column, phalanx_output};
pub use given::{Checked, Given, Input, Lines, LinesToWrite, Place, Slot};
#[cfg(feature = "rows")]
pub use memory::as_verdicts;
pub use memory::{Plain, TOO_MANY, check_pointer, extent, place, slice, slice_mut, value};
pub use output::{Output, Writer};
#[cfg(feature = "std")]
pub use owned::{guard, release};
