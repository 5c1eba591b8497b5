//! What a multiplication runs on.

use phalanx_engine::word::Ifma;

/// One lane, or one computation spread over eight. Both give the same points.
///
/// One computation gains by lanes of AVX-512 IFMA only, so other vector units have no code for it: on `fma` that was
/// measured, and of the others it is expected.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    /// One lane, on any CPU.
    OneLane,
    /// The lanes of AVX-512 IFMA, of a machine that detection found.
    Ifma(Ifma),
}
