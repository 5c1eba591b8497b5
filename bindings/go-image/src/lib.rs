//! The image that the Go module carries: two functions on plain pointers, [`phalanx_go_single`] and
//! [`phalanx_go_rows`].
//!
//! An image is code and constants that run at any address, without relocations, without memory of its own, and without
//! anything linked to it. So nothing in it may allocate, keep a static, remember a detected CPU, or call through a
//! table of functions. The link step (the package `phalanx-go-link`) refuses what does. `docs/use/go.md` tells how it
//! gets into a Go program.
//!
//! The image of commitments (the package `phalanx-go-commitments`) has entry points of its own, and what is common from
//! here: `call`, `ffi`, `vectors`, `image` and `memory`.
//!
//! | file | holds |
//! |---|---|
//! | `call` | the structure and the numbers that cross the interface |
//! | `ffi` | from pointers to slices, checked |
//! | `stack` | overwriting of the stack that work on secrets has used |
//! | `single` | operations on one item |
//! | `vectors` | vectors of terms, one behind the other |
//! | `rows` | operations on many rows, with a verdict for each |
//! | `silent` | scans for silent payments |
//! | `fixed_base` | sums over points that never change |
//! | `entry` | the entry points |
//! | `image`, `memory` | what an image brings along because nothing is linked to it (feature `image`) |

#![no_std]

#[cfg(test)]
extern crate std;

pub mod call;
#[cfg(feature = "signatures")]
mod entry;
pub mod ffi;
#[cfg(feature = "signatures")]
mod fixed_base;
#[cfg(feature = "signatures")]
mod rows;
#[cfg(feature = "signatures")]
mod silent;
#[cfg(feature = "signatures")]
mod single;
#[cfg(feature = "signatures")]
mod stack;
pub mod vectors;

#[cfg(feature = "image")]
mod image;
#[cfg(any(feature = "image", test))]
mod memory;

#[cfg(feature = "signatures")]
pub use entry::{phalanx_go_rows, phalanx_go_single};
