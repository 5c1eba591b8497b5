//! A receiver of silent payments.

use crate::{error, keys, wipe};
use library::{PublicKey, SecretKey};
use phalanx_silent::MAX_LABELS;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// A receiver of silent payments who scans: the scan secret, the spend key, and labels beside that of change, which is
/// 0. The secret is wiped when it is dropped. It is not shown and not pickled.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Scanner {
    receiver: phalanx_silent::Scanner,
    labels: BTreeSet<u32>,
}

impl Scanner {
    pub(crate) fn receiver(&self) -> &phalanx_silent::Scanner {
        &self.receiver
    }

    /// How many keys are looked for in each row.
    pub(crate) fn keys(&self) -> usize {
        self.labels.len() + 1
    }
}

#[pymethods]
impl Scanner {
    #[new]
    #[pyo3(signature = (scan_key, spend_key, labels=None), text_signature = "(scan_key, spend_key, labels=())")]
    fn new(
        py: Python<'_>,
        scan_key: &Bound<'_, PyAny>,
        spend_key: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Scanner> {
        let labels = labels_of(labels)?;
        let spend = match spend_key.cast::<keys::PublicKey>() {
            Ok(key) => key.get().0,
            Err(_) => {
                let bytes: &[u8] = spend_key.extract().map_err(|_| needed("spend_key", "a PublicKey or bytes"))?;
                PublicKey::from_bytes(bytes).map_err(|wrong| error::with_reason(py, wrong))?
            }
        };
        let numbers = labels.clone();
        let make =
            |scan: &SecretKey| py.detach(|| phalanx_silent::Scanner::new(scan, spend, numbers)).map_err(error::value);
        let receiver = wipe::cleared(|| match scan_key.cast::<keys::SecretKey>() {
            Ok(key) => make(key.get().secret()),
            Err(_) => {
                let bytes: keys::SecretBytes =
                    scan_key.extract().map_err(|_| needed("scan_key", "a SecretKey, bytes or a bytearray"))?;
                make(&SecretKey::from_bytes(&bytes.0).map_err(|wrong| error::with_reason(py, wrong))?)
            }
        })?;
        Ok(Scanner { receiver, labels })
    }

    /// The address, with one of the labels in it or without. `network` is main, test or regtest, and both test networks
    /// have the same addresses. Label 0 is for change, and is given to nobody.
    #[pyo3(signature = (label=None, *, network="main"))]
    fn address(&self, label: Option<u32>, network: &str) -> PyResult<String> {
        let mainnet = error::one_of("network", network, &[("main", true), ("test", false), ("regtest", false)])?;
        let address = match label {
            None => self.receiver.address(mainnet),
            // Nobody would look for what is paid to another.
            Some(label) if !self.labels.contains(&label) => {
                return Err(error::value(format!("label {label} is none of this scanner's")));
            }
            Some(label) => self.receiver.labelled_address(label, mainnet).map_err(error::value)?,
        };
        Ok(address.to_string())
    }

    fn __repr__(&self) -> &'static str {
        "Scanner(..)"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a Scanner is not pickled: it holds a secret"))
    }
}

/// The labels that are asked for, and that of change.
fn labels_of(labels: Option<&Bound<'_, PyAny>>) -> PyResult<BTreeSet<u32>> {
    let mut numbers = BTreeSet::from([0]);
    let Some(labels) = labels else { return Ok(numbers) };
    for label in labels.try_iter()? {
        let label: u32 =
            label?.extract().map_err(|wrong: PyErr| match wrong.is_instance_of::<PyOverflowError>(labels.py()) {
                true => error::value("labels: numbers from 0 to 4294967295 are needed"),
                false => wrong,
            })?;
        numbers.insert(label);
        // The library refuses this many, and no more are asked for.
        if numbers.len() > MAX_LABELS {
            break;
        }
    }
    Ok(numbers)
}

fn needed(what: &str, kinds: &str) -> PyErr {
    PyTypeError::new_err(format!("{what}: {kinds} are needed"))
}
