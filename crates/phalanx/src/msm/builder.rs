//! Choices for an [`Msm`].

use super::{Msm, sum::Settings};
use crate::{
    Error,
    backend::{Builder, Built, Sealed},
};

impl Sealed for Msm {}

impl Built for Msm {
    type Choices = Settings;
}

impl Builder<Msm> {
    /// Takes at most about this number of bytes for the points and tables of a sum: longer sums are computed in pieces.
    ///
    /// ```
    /// # use phalanx::msm::Msm;
    /// assert!(Msm::builder().memory(1 << 20).build().is_ok());
    /// ```
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.choices.memory = bytes;
        self
    }

    /// Builds the [`Msm`] that was chosen.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`] and [`Error::ThreadsUnavailable`], as for a [`Bulk`](crate::Bulk).
    ///
    /// ```
    /// # use phalanx::{Backend, msm::Msm};
    /// assert!(Msm::builder().backend(Backend::Portable).build().is_ok());
    /// ```
    pub fn build(self) -> Result<Msm, Error> {
        let (backend, threads) = self.means()?;
        Ok(Msm { backend, threads, settings: self.choices })
    }
}

/// For measurement, and for tests that must reach each way of computing a sum. Unstable.
#[cfg(feature = "internals")]
impl Builder<Msm> {
    /// Sums by `method` with windows of `width` bits, in place of the plan that costs least.
    ///
    /// Sums panic if the width is not from 2 to 16 bits, for Straus' method from 2 to 10, or in lanes 4; and in lanes on
    /// a backend of one lane.
    #[must_use]
    pub fn method(mut self, method: super::Method, width: u32) -> Self {
        self.choices.method = Some((method, width));
        self
    }

    /// Whether scalars are split by the endomorphism. The default is `true`.
    #[must_use]
    pub fn endomorphism(mut self, split: bool) -> Self {
        self.choices.endomorphism = split;
        self
    }

    /// With `true`, the default, buckets are summed by rounds of affine additions that share inversions, in as many
    /// lanes as the backend has. With `false`, points are added to Jacobian buckets one after another, and buckets are
    /// weighted by running sums.
    #[must_use]
    pub fn affine_buckets(mut self, affine: bool) -> Self {
        self.choices.affine = affine;
        self
    }

    /// Whether Jacobian points are normalised together, with one inversion, or one by one. The default is `true`:
    /// together.
    #[must_use]
    pub fn normalize_together(mut self, together: bool) -> Self {
        self.choices.together = together;
        self
    }
}
