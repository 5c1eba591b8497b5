//! The image of Banderwagon that the Go module carries, in a package of its own, so that who only needs signatures does not
//! carry it: two functions on plain pointers, [`phalanx_go_element`] and [`phalanx_go_commitments`].
//!
//! What holds for an image is said in `phalanx-go-image`, which has the interface too. Elements cross it as the coordinates of
//! [`Element::to_coordinates`](phalanx_banderwagon::Element::to_coordinates), 128 bytes; 128 zeros are the neutral element.
//!
//! | file | holds |
//! |---|---|
//! | `operation` | the numbers that cross the interface |
//! | `element` | operations on one element |
//! | `elements` | operations on many elements |
//! | `tables` | tables of multiples, part by part |
//! | `commit` | commitments by tables |
//! | `entry` | the entry points, and the adder of a machine |

#![no_std]

mod commit;
mod element;
mod elements;
mod entry;
pub mod operation;
mod tables;

pub use entry::{phalanx_go_commitments, phalanx_go_element};
