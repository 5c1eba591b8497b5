//! Words that no user's program computes with: emulations of eight lanes on any CPU, intervals that prove ranges, and
//! numbers that carry their range beside them.

mod emulated;
#[cfg(feature = "internals")]
mod emulated_doubles;
#[cfg(feature = "internals")]
pub mod interval;
#[cfg(feature = "internals")]
pub mod interval_doubles;
#[cfg(feature = "internals")]
mod tracked;

pub use emulated::Emulated;
#[cfg(feature = "internals")]
pub use emulated_doubles::EmulatedDoubles;
#[cfg(feature = "internals")]
pub use tracked::Tracked;
