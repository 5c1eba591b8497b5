//! Public keys, signatures and shared secrets of many secret keys. Constant time.
//!
//! Secret keys are read into types that are wiped when they are dropped. What Python itself holds of them is out of
//! reach, and so is what moving them leaves behind.

use crate::crew::{self, Progress};
use crate::{backends, error, input, keys, output};
use arrow_array::{Array, ArrayRef};
use library::bulk::OneThread;
use library::bulk::Operation;
use library::{CacheLine, Error, Keypair, PublicKey, ecdsa, schnorr};
use phalanx_rows::{Cells, Role, arrow};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::ops::Range;
use zeroize::Zeroizing;

/// Rows that are computed together.
const ROWS: usize = 1024;

/// The public key of each secret key, 33 bytes each. Constant time.
#[pyfunction]
#[pyo3(signature = (secret_keys, *, threads=None, backend=None, progress=None))]
pub(crate) fn public_keys(
    py: Python<'_>,
    secret_keys: &Bound<'_, PyAny>,
    threads: Option<usize>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let secrets = secrets(secret_keys)?;
    let call = Call { rows: secrets.len(), operation: Operation::PublicKeys, threads, backend };
    column(call.answers(py, progress, |rows, out: &mut [[u8; 33]], bulk, memory| {
        let mut found = vec![PublicKey::GENERATOR; rows.len()];
        fits(bulk.public_keys(&secrets[rows], &mut found, memory));
        out.iter_mut().zip(found).for_each(|(out, key)| *out = key.to_bytes());
    })?)
}

/// A signature for each row, 64 bytes each: ECDSA of digests (RFC 6979, low s) or Schnorr signatures of messages of any
/// length (BIP-340). With `recoverable`, ECDSA signatures of 65 bytes, the last of which is the recovery id: they are
/// made one by one. Constant time.
#[pyfunction]
#[pyo3(signature = (
    messages, secret_keys, *, scheme="ecdsa", recoverable=false, aux=None, threads=None, backend=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn sign(
    py: Python<'_>,
    messages: &Bound<'_, PyAny>,
    secret_keys: &Bound<'_, PyAny>,
    scheme: &str,
    recoverable: bool,
    aux: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let (arrays, secrets) = (input::column(messages)?, secrets(secret_keys)?);
    let (cells_of, rows) = (cells(Role::Message, &arrays), secrets.len());
    let messages = values(&cells_of);
    check_rows(messages.len(), "messages", rows)?;
    match scheme {
        "ecdsa" if aux.is_some() => Err(error::value("aux: ECDSA signatures take none")),
        "schnorr" if recoverable => Err(error::value("recoverable: no key is recovered from a Schnorr signature")),
        "ecdsa" => {
            let digests = words(&messages, "digest")?;
            let call = Call { rows, operation: Operation::SignEcdsa, threads, backend };
            if recoverable {
                return column(call.answers(py, progress, |rows, out: &mut [[u8; 65]], _, _| {
                    for ((out, digest), secret) in out.iter_mut().zip(&digests[rows.clone()]).zip(&secrets[rows]) {
                        let (signature, id) = ecdsa::sign_recoverable(digest, secret);
                        out[..64].copy_from_slice(&signature.to_compact());
                        out[64] = id.to_u8();
                    }
                })?);
            }
            column(call.answers(py, progress, |rows, out: &mut [[u8; 64]], bulk, memory| {
                let mut found = vec![ecdsa::Signature::from_compact(&[1; 64]).expect("numbers in range"); rows.len()];
                fits(bulk.sign_ecdsa(&digests[rows.clone()], &secrets[rows], &mut found, memory));
                out.iter_mut().zip(found).for_each(|(out, signature)| *out = signature.to_compact());
            })?)
        }
        "schnorr" => {
            let aux = match aux {
                Some(aux) => {
                    let arrays = input::column(aux)?;
                    let cells = cells(Role::Message, &arrays);
                    let aux = values(&cells);
                    check_rows(aux.len(), "rows of aux", rows)?;
                    words(&aux, "value of aux")?
                }
                None => vec![[0; 32]; rows],
            };
            let messages = present(&messages, "message")?;
            let call = Call { rows, operation: Operation::SignSchnorr, threads, backend };
            column(call.answers(py, progress, |rows, out: &mut [[u8; 64]], bulk, memory| {
                let pairs: Vec<Keypair> = secrets[rows.clone()].iter().cloned().map(Keypair::from_secret).collect();
                let messages = &messages[rows.clone()];
                let mut found = vec![schnorr::Signature::from_bytes(&[1; 64]).expect("numbers in range"); pairs.len()];
                fits(bulk.sign_schnorr(messages, &pairs, &aux[rows], &mut found, memory));
                out.iter_mut().zip(found).for_each(|(out, signature)| *out = signature.to_bytes());
            })?)
        }
        _ => Err(error::value(format!("scheme: {scheme:?} is none of ecdsa, schnorr"))),
    }
}

/// The shared secret of each public key and secret key, 32 bytes each: SHA-256 of the compressed point. A row whose
/// public key is none is null. Constant time in the secret keys.
#[pyfunction]
#[pyo3(signature = (public_keys, secret_keys, *, threads=None, backend=None, progress=None))]
pub(crate) fn ecdh(
    py: Python<'_>,
    public_keys: &Bound<'_, PyAny>,
    secret_keys: &Bound<'_, PyAny>,
    threads: Option<usize>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let (arrays, secrets) = (input::column(public_keys)?, secrets(secret_keys)?);
    let cells = cells(Role::PublicKey, &arrays);
    let publics = values(&cells);
    check_rows(publics.len(), "public keys", secrets.len())?;
    let call = Call { rows: secrets.len(), operation: Operation::SharedSecrets, threads, backend };
    // Behind each shared secret stands whether there is one.
    let found = call.answers(py, progress, |rows, out: &mut [[u8; 33]], bulk, memory| {
        let encoded: Vec<&[u8]> = publics[rows.clone()].iter().map(|key| key.unwrap_or_default()).collect();
        let mut read = vec![Err(Error::BadPublicKey); rows.len()];
        // This takes less memory than what the chunk is for.
        fits(bulk.decompress(&encoded, &mut read, memory));
        let keys: Vec<PublicKey> = read.iter().map(|key| key.unwrap_or(PublicKey::GENERATOR)).collect();
        let mut found = Zeroizing::new(vec![[0; 32]; rows.len()]);
        fits(bulk.shared_secrets(&keys, &secrets[rows], &mut found, memory));
        for ((out, found), read) in out.iter_mut().zip(found.iter()).zip(&read) {
            if read.is_ok() {
                out[..32].copy_from_slice(found);
                out[32] = 1;
            }
        }
    })?;
    let mut shared = Vec::with_capacity(found.len() * 32);
    found.iter().for_each(|row| shared.extend_from_slice(&row[..32]));
    output::Column::new(shared, 32, Some(found.iter().map(|row| row[32] == 1).collect()))
}

/// A column of answers for all rows.
fn column<const N: usize>(answers: Zeroizing<Vec<[u8; N]>>) -> PyResult<output::Column> {
    output::Column::new(answers.as_flattened().to_vec(), N, None)
}

/// What a chunk cannot fail by, since its slices and its memory fit.
fn fits(result: Result<(), Error>) {
    assert_eq!(result, Ok(()), "a chunk has an answer for each row, and memory for them");
}

/// A call on rows of secrets.
struct Call<'a> {
    rows: usize,
    operation: Operation,
    threads: Option<usize>,
    backend: Option<&'a str>,
}

impl Call<'_> {
    /// The answers that `work` writes, one for each row.
    fn answers<const N: usize>(
        self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl Fn(Range<usize>, &mut [[u8; N]], OneThread, &mut [CacheLine]) + Sync,
    ) -> PyResult<Zeroizing<Vec<[u8; N]>>> {
        let Call { rows, operation, threads, backend } = self;
        let (bulk, threads) = (backends::bulk(backend)?, backends::threads(threads)?);
        let length = |piece: usize| ROWS.min(rows - piece * ROWS);
        let compute = |piece: usize| {
            let first = piece * ROWS;
            let mut out = Zeroizing::new(vec![[0; N]; length(piece)]);
            bulk.in_chunks(operation, &mut out, |part, out, bulk, memory| {
                work(first + part.start..first + part.end, out, bulk, memory);
            });
            out
        };
        let progress = Progress::new(py, progress, rows);
        let parts = crew::run(progress, rows.div_ceil(ROWS), threads, length, compute)?;
        let mut all = Zeroizing::new(Vec::with_capacity(rows));
        parts.iter().for_each(|part| all.extend_from_slice(part));
        if all.len() == rows { Ok(all) } else { Err(error::internal("as many answers as rows")) }
    }
}

/// The cells of a column that plays a role, array by array.
fn cells(role: Role, arrays: &[ArrayRef]) -> Vec<(usize, Cells<'_>)> {
    arrays.iter().map(|array| (array.len(), Cells::new(role, arrow::column(array)))).collect()
}

/// The values of all rows; none where a row has no value that can be read.
fn values<'a>(cells: &'a [(usize, Cells<'_>)]) -> Vec<Option<&'a [u8]>> {
    cells.iter().flat_map(|(rows, cells)| (0..*rows).map(|row| cells.get(row).ok())).collect()
}

/// The values of rows that must all have one.
fn present<'a>(values: &[Option<&'a [u8]>], what: &str) -> PyResult<Vec<&'a [u8]>> {
    let checked = values.iter().enumerate();
    checked.map(|(row, value)| value.ok_or_else(|| error::value(format!("row {row}: no {what}")))).collect()
}

/// The values of rows that must all have one of 32 bytes.
fn words(values: &[Option<&[u8]>], what: &str) -> PyResult<Vec<[u8; 32]>> {
    let word = |(row, value): (usize, &&[u8])| {
        let bytes = value.len();
        <[u8; 32]>::try_from(*value)
            .map_err(|_| error::value(format!("row {row}: a {what} of {bytes} bytes, and 32 are needed")))
    };
    present(values, what)?.iter().enumerate().map(word).collect()
}

fn check_rows(rows: usize, what: &str, secrets: usize) -> PyResult<()> {
    if rows == secrets { Ok(()) } else { Err(error::value(format!("{rows} {what}, and {secrets} secret keys"))) }
}

/// Secret keys: a list of them or of bytes, an array of n x 32 bytes, or a column of Arrow.
fn secrets(object: &Bound<'_, PyAny>) -> PyResult<Vec<library::SecretKey>> {
    read(object, "secret key", library::SecretKey::from_slice)
}

/// Values of 32 secret bytes each. Where they are copied before they are read, the copy is wiped; those of a
/// [`keys::SecretKey`] are read from its bytes.
pub(crate) fn read<T>(
    object: &Bound<'_, PyAny>,
    what: &str,
    value: impl Fn(&[u8]) -> Result<T, Error>,
) -> PyResult<Vec<T>> {
    let value = |row: usize, bytes: &[u8]| value(bytes).map_err(|wrong| error::row(row, wrong));
    let listed = match (object.cast::<PyList>(), object.cast::<PyTuple>()) {
        (Ok(list), _) => Some(list.iter().collect::<Vec<_>>()),
        (_, Ok(tuple)) => Some(tuple.iter().collect()),
        _ => None,
    };
    if let Some(listed) = listed {
        let mut values = Vec::with_capacity(listed.len());
        for (row, item) in listed.iter().enumerate() {
            values.push(match (item.cast::<keys::SecretKey>(), item.cast::<PyBytes>()) {
                (Ok(secret), _) => value(row, &*Zeroizing::new(secret.get().secret().to_bytes()))?,
                (_, Ok(bytes)) => value(row, bytes.as_bytes())?,
                _ => return Err(PyTypeError::new_err(format!("row {row}: neither a SecretKey nor bytes"))),
            });
        }
        return Ok(values);
    }
    if let Ok(buffer) = PyBuffer::<u8>::get(object)
        && let [rows, 32] = *buffer.shape()
    {
        let mut bytes = Zeroizing::new(vec![0; rows * 32]);
        buffer.copy_to_slice(object.py(), &mut bytes)?;
        let mut values = Vec::with_capacity(rows);
        for (row, bytes) in bytes.as_chunks::<32>().0.iter().enumerate() {
            values.push(value(row, bytes)?);
        }
        return Ok(values);
    }
    let arrays = input::column(object)?;
    let cells = cells(Role::Scalar, &arrays);
    let found = self::values(&cells);
    let mut values = Vec::with_capacity(found.len());
    for (row, bytes) in present(&found, what)?.into_iter().enumerate() {
        values.push(value(row, bytes)?);
    }
    Ok(values)
}
