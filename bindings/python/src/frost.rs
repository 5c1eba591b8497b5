//! Threshold signatures (FROST): groups, sessions of one signature, and one participant's share.

use crate::once::{Ended, Once, not_copied};
use crate::{backends, error, keys, wipe};
use library::Bulk;
use phalanx_frost::bip445::Tweak;
use phalanx_frost::{AggregateNonce, Error, Identifier, NonceCommitments, Signature, SignatureShare, Suite};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyInt, PyMapping};

const SUITES: [(&str, Suite); 3] =
    [("rfc9591", Suite::Rfc9591), ("taproot", Suite::Taproot), ("bip445", Suite::Bip445)];

/// What the library says is wrong, with the participants whose fault it is.
pub(crate) fn of(py: Python<'_>, wrong: Error) -> PyErr {
    if wrong == Error::BadSignature {
        return error::with_reason(py, library::Error::InvalidSignature);
    }
    match wrong.culprits() {
        [] => error::PhalanxError::new_err(wrong.to_string()),
        culprits => match culprits.iter().map(|culprit| number(py, culprit)).collect::<PyResult<Vec<_>>>() {
            Ok(culprits) => error::contribution(py, &wrong, culprits),
            Err(other) => other,
        },
    }
}

/// The participant of a number.
fn identifier(number: &Bound<'_, PyAny>) -> PyResult<Identifier> {
    let wrong = |_| PyTypeError::new_err(format!("participants have numbers, and {} is none", number.get_type()));
    let number = number.cast::<PyInt>().map_err(wrong)?;
    let bytes = number.call_method1("to_bytes", (32, "big")).ok();
    let bytes = bytes.and_then(|bytes| bytes.extract::<[u8; 32]>().ok());
    bytes.and_then(|bytes| Identifier::from_bytes(&bytes)).ok_or_else(|| of(number.py(), Error::BadIdentifier))
}

fn number<'py>(py: Python<'py>, participant: &Identifier) -> PyResult<Bound<'py, PyAny>> {
    keys::integer(py, &participant.to_bytes())
}

/// Public bytes: bytes, a bytearray, or a public key.
fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match keys::encoded(object) {
        Some(bytes) => Ok(bytes),
        None => Ok(object.extract::<PyBackedBytes>()?.to_vec()),
    }
}

/// What participants sent, in the order of their numbers.
fn sent(object: &Bound<'_, PyAny>) -> PyResult<Vec<(Identifier, Vec<u8>)>> {
    let wrong = |_| PyTypeError::new_err("a mapping from participants' numbers to bytes is needed");
    let items = object.cast::<PyMapping>().map_err(wrong)?.items()?;
    let named = items.iter().map(|item| {
        let (number, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        Ok((identifier(&number)?, bytes(&value)?))
    });
    let mut named = named.collect::<PyResult<Vec<_>>>()?;
    named.sort_unstable_by_key(|(participant, _)| *participant);
    Ok(named)
}

/// What was read of all participants; else all are named of whom it failed.
fn all_read<T, E>(
    py: Python<'_>,
    sent: &[(Identifier, Vec<u8>)],
    read: Vec<Result<T, E>>,
    wrong: impl FnOnce(Vec<Identifier>) -> Error,
) -> PyResult<Vec<(Identifier, T)>> {
    let named = || sent.iter().map(|(participant, _)| *participant);
    let culprits: Vec<Identifier> =
        named().zip(&read).filter(|(_, read)| read.is_err()).map(|(participant, _)| participant).collect();
    if !culprits.is_empty() {
        return Err(of(py, wrong(culprits)));
    }
    Ok(named().zip(read.into_iter().flatten()).collect())
}

/// The public side of a shared key: any `threshold` of its participants can sign together.
#[pyclass(frozen, module = "phalanx.frost")]
pub(crate) struct Group {
    group: phalanx_frost::Group,
    bulk: Bulk,
}

impl Group {
    pub(crate) fn of_library(group: phalanx_frost::Group, bulk: &Bulk) -> Group {
        Group { group, bulk: bulk.clone() }
    }
}

#[pymethods]
impl Group {
    #[new]
    #[pyo3(signature = (suite, threshold, public_key, verifying_shares, *, backend=None))]
    fn new(
        py: Python<'_>,
        suite: &str,
        threshold: backends::Count,
        public_key: &Bound<'_, PyAny>,
        verifying_shares: &Bound<'_, PyAny>,
        backend: Option<&str>,
    ) -> PyResult<Group> {
        let found = SUITES.iter().find(|(name, _)| *name == suite);
        let (_, suite) =
            *found.ok_or_else(|| error::value(format!("suite: {suite:?} is none of rfc9591, taproot, bip445")))?;
        let bulk = backends::bulk(backend)?;
        let key = library::PublicKey::from_bytes(&bytes(public_key)?).map_err(|wrong| error::with_reason(py, wrong))?;
        let shares = sent(verifying_shares)?;
        let encoded: Vec<&[u8]> = shares.iter().map(|(_, share)| &share[..]).collect();
        let read = py.detach(|| bulk.decompress(&encoded));
        let shares = all_read(py, &shares, read, Error::BadMessages)?;
        // No group has so many participants as the threshold that is out of range.
        let threshold = threshold.0.unwrap_or(0);
        let group = py.detach(|| phalanx_frost::Group::new(suite, threshold, key, &shares, &bulk));
        group.map(|group| Group::of_library(group, &bulk)).map_err(|wrong| of(py, wrong))
    }

    /// The protocol: `rfc9591`, `taproot` or `bip445`.
    #[getter]
    fn suite(&self) -> &'static str {
        SUITES.iter().find(|(_, suite)| *suite == self.group.suite()).map_or("", |(name, _)| name)
    }

    /// The number of participants who can sign.
    #[getter]
    fn threshold(&self) -> usize {
        self.group.threshold()
    }

    /// The key under which signatures are valid. For signatures of BIP-340 its x coordinate counts.
    fn public_key(&self) -> keys::PublicKey {
        keys::PublicKey(self.group.key())
    }

    /// Each participant's share as a multiple of the generator.
    fn verifying_shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shares = PyDict::new(py);
        for (participant, share) in self.group.verifying_shares() {
            shares.set_item(number(py, participant)?, keys::PublicKey(*share))?;
        }
        Ok(shares)
    }

    /// The group whose key is the taproot output key of this one (BIP-341), in the suite `taproot`.
    #[pyo3(signature = (merkle_root=None))]
    fn taproot(&self, py: Python<'_>, merkle_root: Option<[u8; 32]>) -> PyResult<Group> {
        let tweaked = py.detach(|| self.group.taproot(merkle_root.as_ref(), &self.bulk));
        tweaked.map(|group| Group::of_library(group, &self.bulk)).map_err(|wrong| of(py, wrong))
    }

    /// Returns where the group's signature of a message is valid, and raises InvalidSignature where it is not.
    fn verify(&self, py: Python<'_>, signature: &[u8], message: &[u8]) -> PyResult<()> {
        let signature = Signature::from_bytes(self.group.suite(), signature);
        let valid = signature.and_then(|signature| signature.verify(message, &self.group.key()));
        valid.map_err(|wrong| of(py, wrong))
    }
}

/// A participant's secret share of a group's key. It is not shown, copied or pickled, and is wiped when it is dropped.
#[pyclass(frozen, module = "phalanx.frost")]
pub(crate) struct KeyShare(phalanx_frost::KeyShare);

#[pymethods]
impl KeyShare {
    #[new]
    fn new(
        py: Python<'_>,
        group: &Group,
        participant: &Bound<'_, PyAny>,
        secret_key: &keys::SecretKey,
    ) -> PyResult<Py<KeyShare>> {
        let participant = identifier(participant)?;
        wipe::cleared(|| {
            let share = phalanx_frost::KeyShare::new(&group.group, participant, secret_key.secret().clone());
            Py::new(py, KeyShare(share.map_err(|wrong| of(py, wrong))?))
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_copied("KeyShare")
    }
}

/// The secret nonces of one participant for one signature. They are not shown, copied or pickled, and are wiped when
/// they have signed or are dropped.
#[pyclass(frozen, module = "phalanx.frost")]
pub(crate) struct Nonces {
    secret: Once<phalanx_frost::Nonces>,
    commitments: NonceCommitments,
}

#[pymethods]
impl Nonces {
    /// New nonces from the operating system's randomness and the share. Constant time.
    #[staticmethod]
    fn generate(py: Python<'_>, share: &KeyShare) -> PyResult<Py<Nonces>> {
        wipe::cleared(|| {
            let nonces = phalanx_frost::Nonces::generate(&share.0);
            let commitments = nonces.commitments();
            Py::new(py, Nonces { secret: Once::new(nonces), commitments })
        })
    }

    /// What the participant sends: 66 bytes.
    #[getter]
    fn commitments<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.commitments.to_bytes())
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_copied("Nonces")
    }
}

/// A message, its signers and their nonces: one signature. It is neither copied nor pickled.
#[pyclass(frozen, name = "Session", module = "phalanx.frost")]
pub(crate) struct FrostSession {
    session: phalanx_frost::Session,
    sum: AggregateNonce,
    bulk: Bulk,
    ended: Ended,
}

impl FrostSession {
    /// The shares of signers.
    fn read(&self, shares: &Bound<'_, PyAny>) -> PyResult<Vec<(Identifier, SignatureShare)>> {
        self.ended.check()?;
        let sent = sent(shares)?;
        let read = sent.iter().map(|(_, share)| SignatureShare::from_bytes(share)).collect();
        all_read(shares.py(), &sent, read, Error::BadSignatureShares)
    }
}

#[pymethods]
impl FrostSession {
    #[new]
    #[pyo3(
        signature = (group, commitments, message, *, tweaks=Vec::new()),
        text_signature = "(group, commitments, message, *, tweaks=())"
    )]
    fn new(
        py: Python<'_>,
        group: &Group,
        commitments: &Bound<'_, PyAny>,
        message: &[u8],
        tweaks: Vec<([u8; 32], bool)>,
    ) -> PyResult<FrostSession> {
        let Group { group, bulk } = group;
        let sent = sent(commitments)?;
        // What has another length encodes no points.
        let encoded = sent.iter().map(|(_, bytes)| bytes[..].try_into().unwrap_or(&[0xff; 66])).collect::<Vec<_>>();
        let read = py.detach(|| NonceCommitments::read_many(&encoded, bulk));
        let nonces = all_read(py, &sent, read, Error::BadMessages)?;
        let tweak = |(number, x_only)| if x_only { Tweak::XOnly(number) } else { Tweak::Plain(number) };
        let tweaks: Vec<Tweak> = tweaks.into_iter().map(tweak).collect();
        let session = py.detach(|| phalanx_frost::Session::with_tweaks(group, &nonces, &tweaks, message, bulk));
        let session = session.map_err(|wrong| of(py, wrong))?;
        let sum = AggregateNonce::sum(nonces.iter().map(|(_, nonces)| nonces));
        Ok(FrostSession { session, sum, bulk: bulk.clone(), ended: Ended::default() })
    }

    /// The sum of all commitments, which signers of BIP-445 need: 66 bytes.
    #[getter]
    fn aggregate_nonce<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sum.to_bytes())
    }

    /// The key under which the signature is valid: the group's key with the tweaks.
    fn public_key(&self) -> keys::PublicKey {
        keys::PublicKey(self.session.key())
    }

    /// A signer's share of the signature, 32 bytes. The nonces are used up, also where the call fails. Constant time.
    fn sign<'py>(&self, py: Python<'py>, nonces: &Nonces, share: &KeyShare) -> PyResult<Bound<'py, PyBytes>> {
        self.ended.check()?;
        let signed = wipe::cleared(|| {
            let nonces = nonces.secret.take()?;
            self.session.sign(nonces, &share.0).map_err(|wrong| of(py, wrong))
        })?;
        Ok(PyBytes::new(py, &signed.to_bytes()))
    }

    /// Returns where the shares of these signers hold, which is found by one sum. Where some do not, raises
    /// BadContribution, whose culprits are the numbers of those participants.
    fn verify(&self, py: Python<'_>, shares: &Bound<'_, PyAny>) -> PyResult<()> {
        let shares = self.read(shares)?;
        py.detach(|| self.session.verify_shares(&shares, &self.bulk)).map_err(|wrong| of(py, wrong))
    }

    /// The signature from the shares of all signers, every one of which is checked: 64 bytes, or 65 in the suite
    /// `rfc9591`. Raises as `verify` does. A session makes one signature: afterwards its calls raise.
    fn aggregate<'py>(&self, py: Python<'py>, shares: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let shares = self.read(shares)?;
        let signature = py.detach(|| self.session.aggregate(&shares, &self.bulk)).map_err(|wrong| of(py, wrong))?;
        self.ended.end()?;
        Ok(PyBytes::new(py, &signature.to_bytes()))
    }

    fn __reduce__(&self) -> PyResult<()> {
        not_copied("Session")
    }
}
