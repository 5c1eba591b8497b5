//! What a multiplication runs on.

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

/// The environment variable that keeps bulk and single calls to one backend.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
const VARIABLE: &str = "PHALANX_BACKEND";

impl Unit {
    /// What single calls run on: the fastest that the CPU has, or `Portable` where the environment says `portable`. Asks
    /// both once.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    #[inline]
    pub(crate) fn best() -> Self {
        static BEST: std::sync::OnceLock<Unit> = std::sync::OnceLock::new();
        *BEST.get_or_init(|| match Ifma::detect() {
            Some(machine) if std::env::var_os(VARIABLE).is_none_or(|name| name != "portable") => Unit::Vector(machine),
            _ => Unit::Portable,
        })
    }

    /// What single calls run on.
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    #[inline]
    pub(crate) fn best() -> Self {
        Unit::Portable
    }
}
