//! What multiplications run on, by the name of a backend.

use super::Backend;
use crate::mul::Unit;
use phalanx_engine::word::VectorUnit;

/// What single calls run on, once that is settled.
#[cfg(feature = "std")]
pub(crate) static BEST: std::sync::OnceLock<Unit> = std::sync::OnceLock::new();

impl Unit {
    /// What one computation runs on where this backend is chosen: its lanes, or one lane where that is faster. For NEON
    /// that is expected, and not measured.
    pub(crate) fn of(backend: Backend) -> Self {
        Self::of_vectors(backend.vectors())
    }

    /// The same where this vector unit is chosen.
    pub(crate) const fn of_vectors(unit: Option<VectorUnit>) -> Self {
        match unit {
            Some(VectorUnit::Ifma(machine)) => Unit::Ifma(machine),
            _ => Unit::OneLane,
        }
    }

    /// What single calls run on: the fastest. Asks once.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn best() -> Self {
        *BEST.get_or_init(|| Unit::of(Backend::best()))
    }

    /// What single calls run on. Without the standard library nothing is remembered, and nothing is asked.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub(crate) fn best() -> Self {
        Unit::OneLane
    }
}
