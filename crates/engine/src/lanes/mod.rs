//! Numbers and points of eight lanes in memory, and the inversion that divisions share, for any field and curve.
//!
//! | file | holds |
//! |---|---|
//! | `memory` | numbers and points of eight lanes, and rows of tables with one point per row |
//! | `crossing` | points that move between one lane and eight |
//! | `shared_inversion` | the inverses of eight lanes by one inversion |
//!
//! Everything that computes on the words of a [`crate::word::Machine`] is inlined into the root that runs on the
//! machine.

mod crossing;
mod memory;
mod shared_inversion;

pub use crossing::{AffineLanes, JacobianLanes};
#[cfg(feature = "sums")]
pub(crate) use memory::exchange_lanes;
pub use memory::{
    AffineX8, FeX8Mem, INFINITY, JacobianX8, LaneWords, U256x8, is_infinity, permute, read_entries, read_entry,
    read_model_vartime, read_model_x_vartime, write_entries, write_entry, write_model, write_weak_entries,
};
pub use shared_inversion::{BatchStep, divide, divide_secret};
