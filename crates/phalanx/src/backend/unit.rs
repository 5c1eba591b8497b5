//! What multiplications run on, by the name of a backend.

use super::Backend;
use crate::mul::Unit;

impl Unit {
    /// What a backend computes on.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Self {
        backend.vectors().map_or(Unit::Portable, Unit::Vector)
    }

    /// What one computation runs on where this backend is chosen.
    pub(crate) fn of_one(backend: Backend) -> Self {
        Self::of(backend.of_single_calls())
    }

    /// The backend whose unit this is.
    pub(crate) const fn backend(self) -> Backend {
        match self {
            Unit::Portable => Backend::Portable,
            Unit::Vector(unit) => Backend::of_vectors(unit),
        }
    }

    /// What single calls run on: the backend that the environment names, as for bulk calls, or the fastest. Asks once.
    ///
    /// # Panics
    /// If the environment names a backend that is not available.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn best() -> Self {
        static BEST: std::sync::OnceLock<Unit> = std::sync::OnceLock::new();
        *BEST.get_or_init(|| Unit::of_one(Backend::for_single_calls()))
    }

    /// What single calls run on. Without the standard library nothing is remembered, and nothing is asked.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub(crate) fn best() -> Self {
        Unit::Portable
    }
}
