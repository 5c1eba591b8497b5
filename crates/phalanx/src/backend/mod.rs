//! Backends by name: the list of them, those that this CPU has, and the one to take. `threads` deals rows to threads.
//! [`Builder`] lets the caller choose backend and threads.

mod available;
mod builder;
#[cfg(all(feature = "std", feature = "bulk"))]
mod known_answers;
mod lanes;
mod threads;
pub(crate) mod unit;

pub use builder::Builder;
pub(crate) use builder::{Built, Sealed};
#[cfg(feature = "bulk")]
pub(crate) use lanes::Eight;
pub(crate) use lanes::Lanes;
pub(crate) use threads::Threads;

use crate::{Error, error::AskedName};
#[cfg(not(feature = "internals"))]
use core::convert::Infallible as EmulatedLanes;
use core::{fmt, str::FromStr};
#[cfg(feature = "internals")]
use phalanx_engine::word::Emulation as EmulatedLanes;
use phalanx_engine::word::VectorUnit;

/// An implementation of the bulk operations for one kind of machine. All give the same answers, bit for bit.
///
/// ```
/// use phalanx::Backend;
/// assert!(Backend::available().contains(&Backend::Portable));
/// assert_eq!("portable".parse(), Ok(Backend::Portable));
/// assert_eq!(Backend::Portable.name(), "portable");
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// One computation after another, on any CPU.
    Portable,
    /// Eight computations side by side, on CPUs with AVX-512 IFMA.
    Ifma,
    /// Eight computations side by side in pairs of 256-bit registers, with numbers as doubles, on CPUs with AVX2,
    /// FMA and BMI2. Single calls run on one lane where this backend is chosen, which is faster.
    Fma,
    /// Eight computations side by side in 512-bit registers, with numbers as doubles, on CPUs with AVX-512 F, DQ, BW and
    /// VL, and BMI2. It is for CPUs without IFMA. Single calls run on one lane where this backend is chosen.
    Fma512,
    /// Eight computations side by side in four 128-bit registers, with numbers as doubles, on CPUs of aarch64.
    ///
    /// Tested under emulation only, and not measured: it is never the default, and has to be asked for by name. Single
    /// calls run on one lane where this backend is chosen.
    Neon,
    /// Eight computations side by side in emulated words, for tests: without the feature `internals` there is no such
    /// value.
    #[doc(hidden)]
    Emulated(EmulatedLanes),
}

/// The environment variable that names the backend where the program does not.
const VARIABLE: &str = "PHALANX_BACKEND";

impl Backend {
    /// Every backend that this crate knows by name.
    const ALL: [Backend; 5] = [Backend::Portable, Backend::Neon, Backend::Fma, Backend::Fma512, Backend::Ifma];
    /// Those of vector units, the fastest last.
    #[cfg(feature = "std")]
    pub(crate) const VECTORS: [Backend; 4] = [Backend::Neon, Backend::Fma, Backend::Fma512, Backend::Ifma];

    /// The backends that this build has and this CPU can run, the one that is taken by default last: the fastest that
    /// has been tested. Never empty.
    ///
    /// ```
    /// # use phalanx::Backend;
    /// for backend in Backend::available() {
    ///     println!("{backend}");
    /// }
    /// ```
    pub fn available() -> &'static [Backend] {
        available::found().backends
    }

    /// The backends that this build has and whose instructions this CPU has, and that are not available all the same:
    /// each with the reason.
    ///
    /// - It gave a wrong answer to its known-answer test, which is named, or panicked: something is very wrong.
    /// - The library is compiled without optimisation. The code of vector units would want more stack than a thread has,
    ///   so it is not even tested.
    ///
    /// ```
    /// # use phalanx::Backend;
    /// for (backend, reason) in Backend::refused() {
    ///     eprintln!("{backend}: {reason}");
    /// }
    /// ```
    pub fn refused() -> &'static [(Backend, &'static str)] {
        available::found().refused
    }

    /// The names of the same, for error messages.
    fn available_names() -> &'static [&'static str] {
        available::found().names
    }

    /// The name under which the backend can be asked for.
    ///
    /// ```
    /// # use phalanx::Backend;
    /// assert_eq!(Backend::Ifma.name(), "ifma");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Neon => "neon",
            Backend::Fma => "fma",
            Backend::Fma512 => "fma512",
            Backend::Ifma => "ifma",
            Backend::Emulated(_) => "emulated",
        }
    }

    /// The fastest available that has been tested.
    pub(crate) fn best() -> Backend {
        Self::available().last().copied().unwrap_or(Backend::Portable)
    }

    /// What the environment asks for, or the best. A variable without text asks for nothing.
    #[cfg(feature = "std")]
    pub(crate) fn from_environment() -> Result<Backend, Error> {
        match std::env::var(VARIABLE) {
            Ok(name) if name.is_empty() => Ok(Self::best()),
            Ok(name) => name.parse(),
            Err(std::env::VarError::NotPresent) => Ok(Self::best()),
            Err(std::env::VarError::NotUnicode(name)) => Err(Self::unavailable(&name.to_string_lossy())),
        }
    }

    /// Without an environment, the best.
    #[cfg(not(feature = "std"))]
    pub(crate) fn from_environment() -> Result<Backend, Error> {
        Ok(Self::best())
    }

    /// The backend itself if it can run here.
    pub(crate) fn check(self) -> Result<Backend, Error> {
        if matches!(self, Backend::Emulated(_)) || available::is_there(self) {
            Ok(self)
        } else {
            Err(Self::unavailable(self.name()))
        }
    }

    /// The vector unit of the backend that has one.
    pub(crate) fn vectors(self) -> Option<VectorUnit> {
        VectorUnit::detect(self.name())
    }

    /// The backend of a vector unit.
    pub(crate) const fn of_vectors(unit: VectorUnit) -> Backend {
        match unit {
            VectorUnit::Neon(_) => Backend::Neon,
            VectorUnit::Fma(_) => Backend::Fma,
            VectorUnit::Fma512(_) => Backend::Fma512,
            VectorUnit::Ifma(_) => Backend::Ifma,
        }
    }

    pub(crate) fn unavailable(asked: &str) -> Error {
        Error::BackendUnavailable { asked: AskedName::new(asked), available: Self::available_names() }
    }
}

/// Panics with the name of the variable and the error: for constructors that read the variable and return no error. To
/// go on with another backend than the one asked for would defeat its purpose.
#[cold]
pub(crate) fn refuse(error: Error) -> ! {
    panic!("{VARIABLE}: {error}")
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = Error;

    /// Takes the name of any backend this crate knows, available here or not.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|backend| backend.name() == name).ok_or_else(|| Self::unavailable(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    /// What has run under emulation only is there, and nobody gets it who has not asked for it.
    #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
    #[test]
    fn neon_is_there_by_name() {
        assert_eq!(Backend::available(), [Backend::Neon, Backend::Portable]);
        assert_eq!("neon".parse::<Backend>().and_then(Backend::check), Ok(Backend::Neon));
        assert_eq!(Backend::best(), Backend::Portable);
    }

    #[test]
    fn names_agree_with_the_list() {
        assert!(!Backend::available().is_empty());
        for backend in Backend::ALL {
            assert_eq!(backend.name().parse(), Ok(backend));
            let available = Backend::available().contains(&backend);
            assert_eq!(Backend::available_names().contains(&backend.name()), available);
            assert_eq!(backend.check().is_ok(), available);
            let names = Backend::available_names();
            if !available {
                let error = Error::BackendUnavailable { asked: AskedName::new(backend.name()), available: names };
                assert_eq!(backend.check().err(), Some(error));
            }
        }
        for name in ["Portable", "", "emulated", "portabel", "ü", &"ü".repeat(40)] {
            let Err(Error::BackendUnavailable { asked, available }) = name.parse::<Backend>() else { panic!("{name}") };
            assert_eq!(available, Backend::available_names());
            assert!(name.starts_with(asked.as_str()) && asked.as_str().len() >= name.len().min(31), "{name}");
            assert!(
                Error::BackendUnavailable { asked, available }.to_string().contains(&format!("{:?}", asked.as_str()))
            );
        }
        assert!(!Backend::available_names().contains(&"emulated"));
    }
}
