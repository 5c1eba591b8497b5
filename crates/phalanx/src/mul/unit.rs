//! What a multiplication runs on.

use phalanx_engine::word::VectorUnit;

/// One lane, or one computation spread over the lanes of a vector unit. All give the same points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// One lane, on any CPU.
    Portable,
    /// Eight lanes, on a machine that detection found.
    Vector(VectorUnit),
}
