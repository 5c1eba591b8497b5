//! Keys and signatures, one at a time.

use crate::{error, ffi, wipe};
use library::{Keypair, LowS, ecdh, ecdsa, schnorr};
use phalanx_rows::{KeyLineError, read_secret_key};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use std::fs::File;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// 32 bytes that something else than a key is.
fn word(py: Python<'_>, bytes: &[u8], wrong: library::Error) -> PyResult<[u8; 32]> {
    bytes.try_into().map_err(|_| error::with_reason(py, wrong))
}

/// Secret bytes from a caller: bytes, or a bytearray or other memory that the caller can wipe. This copy is wiped.
pub(crate) struct SecretBytes(pub(crate) Zeroizing<Vec<u8>>);

impl FromPyObject<'_, '_> for SecretBytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<SecretBytes> {
        let buffer = ffi::buffer::<u8>(&object)?.filter(|buffer| buffer.dimensions() == 1);
        let buffer = buffer.ok_or_else(|| PyTypeError::new_err("bytes or a bytearray are needed"))?;
        let mut bytes = Zeroizing::new(vec![0; buffer.item_count()]);
        buffer.copy_to_slice(object.py(), &mut bytes)?;
        Ok(SecretBytes(bytes))
    }
}

impl SecretBytes {
    /// The key that they are.
    fn key(&self, py: Python<'_>, picklable: bool) -> PyResult<Py<SecretKey>> {
        let read = || library::SecretKey::from_bytes(&self.0).map_err(|wrong| error::with_reason(py, wrong));
        SecretKey::object(py, picklable, read)
    }
}

/// The bytes that stand for a key or signature in a column, if it is one: compressed, x alone, r and s.
pub(crate) fn encoded(object: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(key) = object.cast::<PublicKey>() {
        return Some(key.get().0.to_bytes().to_vec());
    }
    if let Ok(key) = object.cast::<XOnlyPublicKey>() {
        return Some(key.get().0.to_bytes().to_vec());
    }
    object.cast::<Signature>().ok().map(|signature| signature.get().0.to_compact().to_vec())
}

fn low_s(policy: &str) -> PyResult<LowS> {
    match policy {
        "allow" => Ok(LowS::Allow),
        "require" => Ok(LowS::Require),
        _ => Err(PyValueError::new_err(format!("low_s: {policy:?} is none of allow, require"))),
    }
}

/// A secret key: a number from 1 to below the group order. Its memory is wiped when it is dropped; copies that Python
/// has made, such as bytes that it was read from, are not. It is not shown and not pickled.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct SecretKey {
    pair: Keypair,
    /// Whether its owner has asked that it can be pickled.
    picklable: bool,
}

impl SecretKey {
    pub(crate) fn pair(&self) -> &Keypair {
        &self.pair
    }

    pub(crate) fn secret(&self) -> &library::SecretKey {
        self.pair.secret_key()
    }

    /// An object of Python with this key. The key moves into it on stack that is overwritten.
    fn object(
        py: Python<'_>,
        picklable: bool,
        secret: impl FnOnce() -> PyResult<library::SecretKey>,
    ) -> PyResult<Py<SecretKey>> {
        wipe::cleared(|| {
            let pair = Keypair::from_secret(secret()?);
            Py::new(py, SecretKey { pair, picklable })
        })
    }

    /// Bytes that Python does not wipe. What they are copied from is.
    fn bytes<'py>(py: Python<'py>, secret: impl FnOnce() -> [u8; 32]) -> Bound<'py, PyBytes> {
        wipe::cleared(|| PyBytes::new(py, &*Zeroizing::new(secret())))
    }
}

#[pymethods]
impl SecretKey {
    /// A new key from the operating system's randomness.
    #[staticmethod]
    fn generate(py: Python<'_>) -> PyResult<Py<SecretKey>> {
        SecretKey::object(py, false, || Ok(library::SecretKey::random()))
    }

    /// Reads 32 bytes, big-endian. Those of a bytearray can be wiped by the caller.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: SecretBytes) -> PyResult<Py<SecretKey>> {
        data.key(py, false)
    }

    /// Reads 64 hex digits, the first line of a file, as `phalanx keygen --secret-file` writes it. Python makes no copy.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Py<SecretKey>> {
        let read = || File::open(&path).map_err(KeyLineError::Io).and_then(|mut file| read_secret_key(&mut file));
        SecretKey::object(py, false, || py.detach(read).map_err(|wrong| error::of_key_file(&path, wrong)))
    }

    /// The key as 32 bytes, which Python does not wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        SecretKey::bytes(py, || self.secret().to_bytes())
    }

    /// The point of the key.
    fn public_key(&self) -> PublicKey {
        PublicKey(self.pair.public_key())
    }

    /// The key of BIP-340: the x coordinate of the point.
    fn x_only_public_key(&self) -> XOnlyPublicKey {
        XOnlyPublicKey(self.pair.x_only())
    }

    /// An ECDSA signature of a digest of 32 bytes: the nonce of RFC 6979, low s. Constant time.
    fn sign(&self, py: Python<'_>, digest: &[u8]) -> PyResult<Signature> {
        Ok(Signature(ecdsa::sign(&word(py, digest, library::Error::BadDigest)?, self.secret())))
    }

    /// The same, with its recovery id.
    fn sign_recoverable(&self, py: Python<'_>, digest: &[u8]) -> PyResult<(Signature, u8)> {
        let digest = word(py, digest, library::Error::BadDigest)?;
        let (signature, id) = ecdsa::sign_recoverable(&digest, self.secret());
        Ok((Signature(signature), id.to_u8()))
    }

    /// A Schnorr signature (BIP-340) of a message of any length, 64 bytes. `aux` is randomness of 32 bytes; without it,
    /// zeros. Constant time.
    #[pyo3(signature = (message, *, aux=None))]
    fn sign_schnorr<'py>(&self, py: Python<'py>, message: &[u8], aux: Option<&[u8]>) -> PyResult<Bound<'py, PyBytes>> {
        let aux = aux.map_or(Ok([0; 32]), |aux| {
            <[u8; 32]>::try_from(aux).map_err(|_| PyValueError::new_err("aux: 32 bytes are needed"))
        })?;
        Ok(PyBytes::new(py, &schnorr::sign(message, &self.pair, &aux).to_bytes()))
    }

    /// The shared secret with another key: SHA-256 of the compressed point, 32 bytes. Constant time.
    fn exchange<'py>(&self, py: Python<'py>, peer_public_key: &PublicKey) -> Bound<'py, PyBytes> {
        SecretKey::bytes(py, || ecdh::shared_secret(&peer_public_key.0, self.secret()))
    }

    /// The x coordinate of the product with another key, 32 bytes, for protocols that hash it themselves. Constant
    /// time.
    fn shared_x<'py>(&self, py: Python<'py>, peer_public_key: &PublicKey) -> Bound<'py, PyBytes> {
        SecretKey::bytes(py, || ecdh::shared_x(&peer_public_key.0, self.secret()))
    }

    /// The key plus a tweak of 32 bytes.
    fn tweak_add(&self, py: Python<'_>, tweak: &[u8]) -> PyResult<Py<SecretKey>> {
        let tweak = word(py, tweak, library::Error::BadTweak)?;
        SecretKey::object(py, false, || self.secret().tweak_add(&tweak).map_err(|wrong| error::with_reason(py, wrong)))
    }

    /// The key times a tweak of 32 bytes.
    fn tweak_mul(&self, py: Python<'_>, tweak: &[u8]) -> PyResult<Py<SecretKey>> {
        let tweak = word(py, tweak, library::Error::BadTweak)?;
        SecretKey::object(py, false, || self.secret().tweak_mul(&tweak).map_err(|wrong| error::with_reason(py, wrong)))
    }

    /// The key whose public key is this one's negative.
    fn negate(&self, py: Python<'_>) -> PyResult<Py<SecretKey>> {
        SecretKey::object(py, false, || Ok(self.secret().negate()))
    }

    /// The same key, which can be pickled: its bytes stand in the pickle as they are.
    fn allow_pickling(&self, py: Python<'_>) -> PyResult<Py<SecretKey>> {
        SecretKey::object(py, true, || Ok(self.secret().clone()))
    }

    /// Compares in constant time.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<SecretKey>().is_ok_and(|other| *self.secret() == *other.get().secret())
    }

    /// Refused: a key of a dict or set is looked up by its hash, and a hash tells of the secret.
    fn __hash__(&self) -> PyResult<isize> {
        Err(PyTypeError::new_err("unhashable type: 'SecretKey'"))
    }

    fn __repr__(&self) -> &'static str {
        "SecretKey(..)"
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        if !slf.get().picklable {
            return Err(PyTypeError::new_err("a SecretKey is not pickled; SecretKey.allow_pickling gives one that is"));
        }
        let bytes = slf.get().to_bytes(slf.py());
        rebuilt(slf.py().get_type::<SecretKey>(), "_from_pickle", bytes)
    }

    #[staticmethod]
    fn _from_pickle(py: Python<'_>, data: SecretBytes) -> PyResult<Py<SecretKey>> {
        data.key(py, true)
    }
}

/// How to make an object again from its bytes.
fn rebuilt<'py>(class: Bound<'py, PyType>, by: &str, bytes: Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyTuple>> {
    let py = class.py();
    (class.getattr(by)?, (bytes,)).into_bound_py_any(py)?.cast_into::<PyTuple>().map_err(Into::into)
}

/// A public key: a point of the curve, never infinity.
#[pyclass(frozen, eq, ord, hash, module = "phalanx")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PublicKey(pub(crate) library::PublicKey);

#[pymethods]
impl PublicKey {
    /// Reads 33 or 65 bytes (SEC 1).
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<PublicKey> {
        library::PublicKey::from_bytes(data).map(PublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The key as 33 bytes, or as 65.
    #[pyo3(signature = (*, compressed=true))]
    fn to_bytes<'py>(&self, py: Python<'py>, compressed: bool) -> Bound<'py, PyBytes> {
        if compressed {
            PyBytes::new(py, &self.0.to_bytes())
        } else {
            PyBytes::new(py, &self.0.to_bytes_uncompressed())
        }
    }

    /// Returns where the ECDSA signature of a digest of 32 bytes is valid, and raises InvalidSignature where it is not.
    #[pyo3(signature = (signature, digest, *, low_s="allow"))]
    fn verify(&self, py: Python<'_>, signature: &Signature, digest: &[u8], low_s: &str) -> PyResult<()> {
        let digest = word(py, digest, library::Error::BadDigest)?;
        let valid = ecdsa::verify(&digest, &signature.0, &self.0, self::low_s(low_s)?);
        valid.map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The x coordinate as a key of BIP-340.
    fn x_only(&self) -> XOnlyPublicKey {
        XOnlyPublicKey(self.0.x_only().0)
    }

    /// The Ethereum address, 20 bytes.
    fn address<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &phalanx_ethereum::address(&self.0))
    }

    /// The key plus a tweak of 32 bytes times the generator.
    fn tweak_add(&self, py: Python<'_>, tweak: &[u8]) -> PyResult<PublicKey> {
        let tweak = word(py, tweak, library::Error::BadTweak)?;
        self.0.tweak_add(&tweak).map(PublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The key times a tweak of 32 bytes.
    fn tweak_mul(&self, py: Python<'_>, tweak: &[u8]) -> PyResult<PublicKey> {
        let tweak = word(py, tweak, library::Error::BadTweak)?;
        self.0.tweak_mul(&tweak).map(PublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The negative of the point.
    fn negate(&self) -> PublicKey {
        PublicKey(self.0.negate())
    }

    /// The sum of keys.
    #[staticmethod]
    fn combine(py: Python<'_>, keys: Vec<PyRef<'_, PublicKey>>) -> PyResult<PublicKey> {
        let keys: Vec<_> = keys.iter().map(|key| key.0).collect();
        library::PublicKey::combine_keys(&keys).map(PublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    fn __repr__(&self) -> String {
        format!("PublicKey({})", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        rebuilt(slf.py().get_type::<PublicKey>(), "from_bytes", slf.get().to_bytes(slf.py(), true))
    }
}

/// A key of BIP-340: an x coordinate, which stands for the point with an even y.
#[pyclass(frozen, eq, ord, hash, module = "phalanx")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct XOnlyPublicKey(library::XOnlyPublicKey);

#[pymethods]
impl XOnlyPublicKey {
    /// Reads 32 bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<XOnlyPublicKey> {
        library::XOnlyPublicKey::from_bytes(data).map(XOnlyPublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The key as 32 bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Returns where the Schnorr signature (64 bytes) of a message is valid, and raises InvalidSignature where it is
    /// not.
    fn verify(&self, py: Python<'_>, signature: &[u8], message: &[u8]) -> PyResult<()> {
        let valid = schnorr::Signature::from_bytes(signature)
            .and_then(|signature| schnorr::verify(message, &signature, &self.0));
        valid.map_err(|wrong| error::with_reason(py, wrong))
    }

    /// The key plus a tweak of 32 bytes times the generator, and whether its y is odd.
    fn tweak_add(&self, py: Python<'_>, tweak: &[u8]) -> PyResult<(XOnlyPublicKey, bool)> {
        let tweak = word(py, tweak, library::Error::BadTweak)?;
        let tweaked = self.0.tweak_add(&tweak).map_err(|wrong| error::with_reason(py, wrong))?;
        Ok((XOnlyPublicKey(tweaked.0), tweaked.1))
    }

    /// The point with an even y.
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    fn __repr__(&self) -> String {
        format!("XOnlyPublicKey({})", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        rebuilt(slf.py().get_type::<XOnlyPublicKey>(), "from_bytes", slf.get().to_bytes(slf.py()))
    }
}

/// An ECDSA signature: two numbers from 1 to below the group order.
#[pyclass(frozen, eq, hash, module = "phalanx")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Signature(ecdsa::Signature);

#[pymethods]
impl Signature {
    /// Reads r and s, 64 bytes.
    #[staticmethod]
    fn from_compact(py: Python<'_>, data: &[u8]) -> PyResult<Signature> {
        ecdsa::Signature::from_compact(data).map(Signature).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// Reads DER, as BIP-66 has it; with `lax`, what was accepted before it too.
    #[staticmethod]
    #[pyo3(signature = (data, *, lax=false))]
    fn from_der(py: Python<'_>, data: &[u8], lax: bool) -> PyResult<Signature> {
        let read = if lax { ecdsa::Signature::from_der_lax(data) } else { ecdsa::Signature::from_der(data) };
        read.map(Signature).map_err(|wrong| error::with_reason(py, wrong))
    }

    /// r and s, 64 bytes.
    fn to_compact<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_compact())
    }

    /// DER, 70 bytes or so.
    fn to_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_der())
    }

    /// The first number.
    #[getter]
    fn r<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer(py, &self.0.r().to_bytes())
    }

    /// The second number.
    #[getter]
    fn s<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer(py, &self.0.s().to_bytes())
    }

    /// Whether s is above half the group order.
    #[getter]
    fn is_high_s(&self) -> bool {
        self.0.is_high_s()
    }

    /// The signature of the same message and key whose s is not.
    fn normalize_s(&self) -> Signature {
        Signature(self.0.normalize_s())
    }

    /// The public key that made this signature of a digest of 32 bytes, by its recovery id from 0 to 3.
    fn recover(&self, py: Python<'_>, digest: &[u8], recovery_id: u8) -> PyResult<PublicKey> {
        let digest = word(py, digest, library::Error::BadDigest)?;
        let id = ecdsa::RecoveryId::from_u8(recovery_id).map_err(|wrong| error::with_reason(py, wrong))?;
        ecdsa::recover(&digest, &self.0, id).map(PublicKey).map_err(|wrong| error::with_reason(py, wrong))
    }

    fn __repr__(&self) -> String {
        format!("Signature({})", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        rebuilt(slf.py().get_type::<Signature>(), "from_compact", slf.get().to_compact(slf.py()))
    }
}

/// Big-endian bytes as Python's integer.
pub(crate) fn integer<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (PyBytes::new(py, bytes), "big"))
}
