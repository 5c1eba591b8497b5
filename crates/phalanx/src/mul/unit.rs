//! What a multiplication runs on.

use crate::Backend;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use phalanx_engine::word::Ifma;

/// One lane, or one computation spread over the lanes of a vector unit. All give the same points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// One lane, on any CPU.
    Portable,
    /// Eight lanes; only detection makes this.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Vector(Ifma),
}

impl Unit {
    /// What a backend computes on.
    #[inline]
    pub(crate) fn of(backend: Backend) -> Self {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        if let Some(machine) = backend.vectors() {
            return Unit::Vector(machine);
        }
        let _ = backend;
        Unit::Portable
    }

    /// What single calls run on: the backend that the environment names, as for bulk calls, or the fastest. Asks once.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    #[inline]
    pub(crate) fn best() -> Self {
        static BEST: std::sync::OnceLock<Unit> = std::sync::OnceLock::new();
        *BEST.get_or_init(|| Unit::of(Backend::from_environment().unwrap_or(Backend::best())))
    }

    /// What single calls run on.
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    #[inline]
    pub(crate) fn best() -> Self {
        Unit::Portable
    }
}
