//! Words that no user's program computes with: doubles emulated on any CPU, intervals that prove ranges, and numbers that
//! carry their range beside them.

mod emulated_doubles;
pub mod interval;
pub mod interval_doubles;
mod tracked;

pub use emulated_doubles::EmulatedDoubles;
pub use tracked::{Tracked, Tracking};
