//! MuSig2 (BIP-327): aggregation of keys, secret nonces, and sessions of one signature.

use crate::once::{Ended, Once, not_copied};
use crate::{backends, error, input, keys, secret, wipe};
use library::Bulk;
use phalanx_musig::{AggregateNonce, Error, NonceInputs, PartialSignature, PublicNonce};
use phalanx_rows::Role;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What the library says is wrong, with the signers whose fault it is.
fn of(py: Python<'_>, wrong: Error) -> PyErr {
    match &wrong {
        Error::BadContribution { signers, .. } => error::contribution(py, &wrong, signers),
        Error::BadSignature => error::with_reason(py, library::Error::InvalidSignature),
        _ => error::PhalanxError::new_err(wrong.to_string()),
    }
}

/// What all signers sent, in their order. A value of another length becomes bytes that encode nothing, so that its
/// signer is named.
pub(crate) fn sent<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[u8; N]>> {
    let column = input::InputColumn::of(object)?;
    column.read(Role::PublicKey, 0..column.rows(), |values| {
        let values = secret::present(values, 0, what)?;
        Ok(values.into_iter().map(|bytes| bytes.try_into().unwrap_or([0xff; N])).collect())
    })
}

fn bytes_of<const N: usize>(bytes: &[u8], what: &str) -> PyResult<[u8; N]> {
    bytes.try_into().map_err(|_| error::PhalanxError::new_err(format!("{what}: {} bytes, not {N}", bytes.len())))
}

/// The keys of all signers, in their order, and the one key that stands for them.
#[pyclass(frozen, module = "phalanx.musig")]
pub(crate) struct KeyAggregation(phalanx_musig::KeyAggregation, Bulk);

#[pymethods]
impl KeyAggregation {
    #[new]
    #[pyo3(signature = (public_keys, *, backend=None))]
    fn new(py: Python<'_>, public_keys: &Bound<'_, PyAny>, backend: Option<&str>) -> PyResult<KeyAggregation> {
        let bulk = backends::bulk(backend)?;
        let encoded = sent(public_keys, "public key")?;
        let aggregated = py.detach(|| phalanx_musig::KeyAggregation::with(&bulk, &encoded));
        aggregated.map(|keys| KeyAggregation(keys, bulk)).map_err(|wrong| of(py, wrong))
    }

    fn __len__(&self) -> usize {
        self.0.keys().len()
    }

    /// The aggregate key with all tweaks. Signatures are valid under its x coordinate.
    fn public_key(&self) -> keys::PublicKey {
        keys::PublicKey(self.0.public_key())
    }

    /// The same keys, with 32 bytes times the generator added to the aggregate: as it is, as BIP-32 does, or with
    /// `x_only` to the point with its x and an even y, as BIP-341 does.
    #[pyo3(signature = (tweak, *, x_only=false))]
    fn tweak_add(&self, py: Python<'_>, tweak: &[u8], x_only: bool) -> PyResult<KeyAggregation> {
        let (keys, tweak) = (self.0.clone(), bytes_of(tweak, "tweak")?);
        let tweaked = if x_only { keys.tweak_add_x_only(&tweak) } else { keys.tweak_add(&tweak) };
        tweaked.map(|keys| KeyAggregation(keys, self.1.clone())).map_err(|wrong| of(py, wrong))
    }
}

/// A secret nonce, which signs once. It is not shown, copied or pickled, and is wiped when it has signed or is dropped.
#[pyclass(frozen, module = "phalanx.musig")]
pub(crate) struct SecretNonce {
    secret: Once<phalanx_musig::SecretNonce>,
    public: PublicNonce,
}

#[pymethods]
impl SecretNonce {
    /// A new nonce of the signer with this key, from the operating system's randomness. It also depends on what else is
    /// known already, which helps where that randomness is bad. Constant time.
    #[staticmethod]
    #[pyo3(signature = (secret_key, *, keys=None, message=None))]
    fn generate(
        py: Python<'_>,
        secret_key: &keys::SecretKey,
        keys: Option<&KeyAggregation>,
        message: Option<&[u8]>,
    ) -> PyResult<Py<SecretNonce>> {
        let pair = secret_key.pair();
        let inputs = NonceInputs {
            secret_key: Some(pair.secret_key()),
            aggregate_key: keys.map(|keys| keys.0.x_only().to_bytes()),
            message,
            extra: &[],
        };
        wipe::cleared(|| {
            let (secret, public) = phalanx_musig::SecretNonce::generate(&pair.public_key(), &inputs);
            Py::new(py, SecretNonce { secret: Once::new(secret), public })
        })
    }

    /// What the signer sends: 66 bytes.
    #[getter]
    fn public_nonce<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.public.to_bytes())
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_copied("SecretNonce")
    }
}

/// A message, its signers and their nonces: one signature. It is neither copied nor pickled.
#[pyclass(frozen, name = "Session", module = "phalanx.musig")]
pub(crate) struct MusigSession {
    keys: phalanx_musig::KeyAggregation,
    message: Vec<u8>,
    /// Those of all signers, where they are known.
    nonces: Option<Vec<PublicNonce>>,
    sum: AggregateNonce,
    ended: Ended,
}

impl MusigSession {
    fn session(&self) -> phalanx_musig::Session<'_> {
        phalanx_musig::Session::new(&self.keys, &self.sum, &self.message)
    }
}

/// The partial signatures of all signers.
fn partials(partial_signatures: &Bound<'_, PyAny>) -> PyResult<Vec<PartialSignature>> {
    let encoded = sent(partial_signatures, "partial signature")?;
    PartialSignature::read_all(&encoded).map_err(|wrong| of(partial_signatures.py(), wrong))
}

#[pymethods]
impl MusigSession {
    #[new]
    #[pyo3(signature = (keys, message, *, public_nonces=None, aggregate_nonce=None))]
    fn new(
        py: Python<'_>,
        keys: &KeyAggregation,
        message: &[u8],
        public_nonces: Option<&Bound<'_, PyAny>>,
        aggregate_nonce: Option<&[u8]>,
    ) -> PyResult<MusigSession> {
        let (nonces, sum) = match (public_nonces, aggregate_nonce) {
            (Some(sent), None) => {
                let encoded = self::sent(sent, "public nonce")?;
                if encoded.len() != keys.0.keys().len() {
                    return Err(of(py, Error::LengthMismatch));
                }
                let nonces = py.detach(|| PublicNonce::read_all(&keys.1, &encoded)).map_err(|wrong| of(py, wrong))?;
                let sum = AggregateNonce::sum(&nonces);
                (Some(nonces), sum)
            }
            (None, Some(sum)) => {
                let sum = AggregateNonce::from_bytes(&bytes_of(sum, "aggregate_nonce")?);
                (None, sum.map_err(|wrong| of(py, wrong))?)
            }
            _ => return Err(error::value("give public_nonces, or aggregate_nonce, which is their sum")),
        };
        Ok(MusigSession { keys: keys.0.clone(), message: message.to_vec(), nonces, sum, ended: Ended::default() })
    }

    /// The sum of all public nonces, which signers need: 66 bytes.
    #[getter]
    fn aggregate_nonce<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sum.to_bytes())
    }

    /// A signer's partial signature, 32 bytes. The secret nonce is used up, also where the call fails. Constant time.
    fn sign<'py>(
        &self,
        py: Python<'py>,
        secret_nonce: &SecretNonce,
        secret_key: &keys::SecretKey,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.ended.check()?;
        let session = self.session();
        let partial = wipe::cleared(|| {
            let nonce = secret_nonce.secret.take()?;
            session.sign(nonce, secret_key.pair()).map_err(|wrong| of(py, wrong))
        })?;
        Ok(PyBytes::new(py, &partial.to_bytes()))
    }

    /// Returns where the partial signatures of all signers, in the order of the keys, hold, which is found by one sum.
    /// Where some do not, raises BadContribution, whose culprits are their places from 0. Needs `public_nonces`.
    fn verify(&self, py: Python<'_>, partial_signatures: &Bound<'_, PyAny>) -> PyResult<()> {
        self.ended.check()?;
        let Some(nonces) = &self.nonces else {
            return Err(error::value("a session of aggregate_nonce knows no signer's nonce: give public_nonces"));
        };
        let partials = partials(partial_signatures)?;
        py.detach(|| self.session().verify_all(nonces, &partials)).map_err(|wrong| of(py, wrong))
    }

    /// The signature of all partial signatures, 64 bytes, which has been verified. Where it does not hold, raises
    /// BadContribution as `verify` does, or InvalidSignature if the session has no `public_nonces`. A session makes one
    /// signature: afterwards its calls raise.
    fn aggregate<'py>(&self, py: Python<'py>, partial_signatures: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        self.ended.check()?;
        let partials = partials(partial_signatures)?;
        let aggregated = py.detach(|| match &self.nonces {
            Some(nonces) => self.session().aggregate_checked(nonces, &partials),
            None => self.session().aggregate(&partials),
        });
        let signature = aggregated.map_err(|wrong| of(py, wrong))?;
        self.ended.end()?;
        Ok(PyBytes::new(py, &signature.to_bytes()))
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_copied("Session")
    }
}
