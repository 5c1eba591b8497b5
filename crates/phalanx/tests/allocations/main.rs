//! What the library asks of the allocator, which counts in this program.
//!
//! | file | holds |
//! |---|---|
//! | `counting` | the allocator |
//! | `calls` | single operations and bulk calls |
//! | `sums` | sums of products and batches on one thread, in the caller's memory |

mod calls;
mod counting;
mod sums;
