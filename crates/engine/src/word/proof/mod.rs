//! Words that no user's program computes with: emulations of eight lanes on any CPU, intervals that prove ranges, and
//! numbers that carry their range beside them.

mod emulated;
#[cfg(feature = "std")]
mod emulated_doubles;
pub mod interval;
#[cfg(feature = "std")]
pub mod interval_doubles;
mod tracked;

pub use emulated::Emulated;
#[cfg(feature = "std")]
pub use emulated_doubles::EmulatedDoubles;
pub use tracked::Tracked;
