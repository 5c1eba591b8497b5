//! The coordinator of ChillDKG, by which participants of BIP-445 generate their key together.

use crate::frost::{Group, of};
use crate::{backends, musig};
use library::Bulk;
use phalanx_frost::chilldkg::{self, Coordinator, Params, investigation_messages};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// The coordinator of ChillDKG, which learns no secret. Its group is one of the suite `bip445`.
#[pyclass(frozen, module = "phalanx.frost")]
pub(crate) struct ChillDkgCoordinator {
    params: Params,
    /// What the participants sent in step 1.
    messages: Vec<PyBackedBytes>,
    coordinator: Coordinator,
    message: Vec<u8>,
    bulk: Bulk,
}

fn slices(messages: &[PyBackedBytes]) -> Vec<&[u8]> {
    messages.iter().map(|message| &message[..]).collect()
}

#[pymethods]
impl ChillDkgCoordinator {
    #[new]
    #[pyo3(signature = (host_keys, threshold, messages, *, backend=None))]
    fn new(
        py: Python<'_>,
        host_keys: &Bound<'_, PyAny>,
        threshold: backends::Count,
        messages: Vec<PyBackedBytes>,
        backend: Option<&str>,
    ) -> PyResult<ChillDkgCoordinator> {
        let bulk = backends::bulk(backend)?;
        let hosts = musig::sent(host_keys, "host key")?;
        let made = py.detach(|| {
            let params = Params::new(&hosts.iter().collect::<Vec<_>>(), threshold.0.unwrap_or(0), &bulk)?;
            let (coordinator, message) = Coordinator::new(&params, &slices(&messages), &bulk)?;
            Ok((params, coordinator, message))
        });
        let (params, coordinator, message) = made.map_err(|wrong| of(py, wrong))?;
        Ok(ChillDkgCoordinator { params, messages, coordinator, message, bulk })
    }

    /// The message of step 1 for all participants.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.message)
    }

    /// Ends step 2 with the participants' signatures, 64 bytes each, in their order. Gives the certificate, which is
    /// the message for all participants, the group, and the recovery data.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        signatures: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Group, Bound<'py, PyBytes>)> {
        let signatures = musig::sent(signatures, "signature")?;
        let finished = py.detach(|| self.coordinator.clone().finish(&signatures, &self.bulk));
        let (certificate, group, recovery_data) = finished.map_err(|wrong| of(py, wrong))?;
        let group = Group::of_library(group, &self.bulk);
        Ok((PyBytes::new(py, &certificate), group, PyBytes::new(py, &recovery_data)))
    }

    /// For each participant the message by which it finds out whose fault it is if its share is wrong.
    fn investigation_messages<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let made = py.detach(|| investigation_messages(&self.params, &slices(&self.messages), &self.bulk));
        Ok(made.map_err(|wrong| of(py, wrong))?.iter().map(|message| PyBytes::new(py, message)).collect())
    }
}

/// The group that a session of ChillDKG came to, from its recovery data.
#[pyfunction]
#[pyo3(signature = (recovery_data, *, backend=None))]
pub(crate) fn recover(py: Python<'_>, recovery_data: &[u8], backend: Option<&str>) -> PyResult<Group> {
    let bulk = backends::bulk(backend)?;
    let (_, group, _) = py.detach(|| chilldkg::recover(None, recovery_data, &bulk)).map_err(|wrong| of(py, wrong))?;
    Ok(Group::of_library(group, &bulk))
}
