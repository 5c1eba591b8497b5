//! Choices for an [`Msm`].

use super::Msm;
use crate::{
    Error,
    backend::{Builder, Built, Sealed},
};

impl Sealed for Msm {}

impl Built for Msm {
    /// Bytes for the points and tables of a sum, if they have a bound.
    type Choices = Option<usize>;
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
        self.choices = Some(bytes);
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
        Ok(Msm { backend, threads, memory: self.choices.unwrap_or(usize::MAX) })
    }
}
