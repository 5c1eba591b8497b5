//! Public keys, signatures and shared secrets of many secret keys. Constant time.
//!
//! Secret keys are read into types that are wiped when they are dropped, and the stack that they move on is
//! overwritten. What Python itself holds of them is out of reach.

use crate::threads::{self, Progress};
use crate::{backends, error, ffi, input, keys, output, wipe};
use arrow_array::builder::BooleanBufferBuilder;
use arrow_buffer::NullBuffer;
use library::bulk::OneThread;
use library::{Bulk, CacheLine, Error, Keypair, PublicKey, SecretKey, ecdsa, schnorr};
use phalanx_rows::{Role, RowFault};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::fmt::Display;
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
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let secrets = Secrets::of(secret_keys)?;
    let call = Call { rows: secrets.rows(), threads, backend };
    call.column(py, progress, |rows, piece: SecretPiece<'_, 33>| {
        let secrets = secrets.some(rows)?;
        piece.compute(|rows, out, bulk, memory| {
            let mut found = vec![PublicKey::GENERATOR; rows.len()];
            fits(bulk.public_keys(&secrets[rows], &mut found, memory));
            out.iter_mut().zip(found).for_each(|(out, key)| *out = key.to_bytes());
        });
        Ok(())
    })
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
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let (messages, secrets) = (input::InputColumn::of(messages)?, Secrets::of(secret_keys)?);
    let rows = secrets.rows();
    check_rows(messages.rows(), "messages", rows)?;
    match scheme {
        "ecdsa" if aux.is_some() => Err(error::value("aux: ECDSA signatures take none")),
        "schnorr" if recoverable => Err(error::value("recoverable: no key is recovered from a Schnorr signature")),
        "ecdsa" => {
            let call = Call { rows, threads, backend };
            let digests = |rows: Range<usize>| {
                messages.read(Role::Message, rows.clone(), |values| words(values, rows.start, "digest"))
            };
            if recoverable {
                return call.column(py, progress, |rows, piece: SecretPiece<'_, 65>| {
                    let (digests, secrets) = (digests(rows.clone())?, secrets.some(rows)?);
                    for ((out, digest), secret) in piece.out.iter_mut().zip(&digests).zip(secrets.iter()) {
                        let (signature, id) = ecdsa::sign_recoverable(digest, secret);
                        out[..64].copy_from_slice(&signature.to_compact());
                        out[64] = id.to_u8();
                    }
                    Ok(())
                });
            }
            call.column(py, progress, |rows, piece: SecretPiece<'_, 64>| {
                let (digests, secrets) = (digests(rows.clone())?, secrets.some(rows)?);
                piece.compute(|rows, out, bulk, memory| {
                    let none = ecdsa::Signature::from_compact(&[1; 64]).expect("numbers in range");
                    let mut found = vec![none; rows.len()];
                    fits(bulk.sign_ecdsa(&digests[rows.clone()], &secrets[rows], &mut found, memory));
                    out.iter_mut().zip(found).for_each(|(out, signature)| *out = signature.to_compact());
                });
                Ok(())
            })
        }
        "schnorr" => {
            let aux = aux.map(input::InputColumn::of).transpose()?;
            if let Some(aux) = &aux {
                check_rows(aux.rows(), "rows of aux", rows)?;
            }
            let aux = |rows: Range<usize>| match &aux {
                Some(aux) => aux.read(Role::Message, rows.clone(), |values| words(values, rows.start, "value of aux")),
                None => Ok(vec![[0; 32]; rows.len()]),
            };
            let call = Call { rows, threads, backend };
            call.column(py, progress, |rows, piece: SecretPiece<'_, 64>| {
                let (aux, secrets) = (aux(rows.clone())?, secrets.some(rows.clone())?);
                messages.read(Role::Message, rows.clone(), |values| {
                    let messages = present(values, rows.start, "message")?;
                    piece.compute(|rows, out, bulk, memory| {
                        let secrets = secrets[rows.clone()].iter().cloned();
                        let pairs: Vec<Keypair> = secrets.map(Keypair::from_secret).collect();
                        let none = schnorr::Signature::from_bytes(&[1; 64]).expect("numbers in range");
                        let mut found = vec![none; pairs.len()];
                        fits(bulk.sign_schnorr(&messages[rows.clone()], &pairs, &aux[rows], &mut found, memory));
                        out.iter_mut().zip(found).for_each(|(out, signature)| *out = signature.to_bytes());
                    });
                    Ok(())
                })
            })
        }
        _ => Err(error::value(format!("scheme: {scheme:?} is none of ecdsa, schnorr"))),
    }
}

/// The shared secret of each public key and secret key, 32 bytes each: SHA-256 of the compressed point. A row whose
/// public key is not valid is null. Constant time in the secret keys.
#[pyfunction]
#[pyo3(signature = (public_keys, secret_keys, *, threads=None, backend=None, progress=None))]
pub(crate) fn ecdh(
    py: Python<'_>,
    public_keys: &Bound<'_, PyAny>,
    secret_keys: &Bound<'_, PyAny>,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let (publics, secrets) = (input::InputColumn::of(public_keys)?, Secrets::of(secret_keys)?);
    let rows = secrets.rows();
    check_rows(publics.rows(), "public keys", rows)?;
    let call = Call { rows, threads, backend };
    let mut shared = Zeroizing::new(Vec::with_capacity(rows * 32));
    let mut are_there = BooleanBufferBuilder::new(rows);
    // Behind each shared secret stands whether there is one.
    let compute = |rows: Range<usize>, piece: SecretPiece<'_, 33>| {
        let secrets = secrets.some(rows.clone())?;
        publics.read(Role::PublicKey, rows, |values| {
            piece.compute(|rows, out, bulk, memory| {
                let encoded: Vec<&[u8]> = values[rows.clone()].iter().map(|key| key.unwrap_or_default()).collect();
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
            });
            Ok(())
        })
    };
    call.answers(py, progress, compute, |found| {
        for row in found {
            shared.extend_from_slice(&row[..32]);
            are_there.append(row[32] == 1);
        }
    })?;
    if are_there.len() != rows {
        return Err(error::internal("as many answers as rows"));
    }
    output::Column::new(shared, 32, Some(NullBuffer::new(are_there.finish())))
}

/// What a chunk cannot fail by, since its slices and its memory fit.
fn fits(result: Result<(), Error>) {
    assert_eq!(result, Ok(()), "a chunk has an answer for each row, and memory for them");
}

/// A call on rows of secrets.
struct Call<'a> {
    rows: usize,
    threads: Option<backends::ThreadCount>,
    backend: Option<&'a str>,
}

/// Room for the answers for some rows, and what computes them.
struct SecretPiece<'a, const N: usize> {
    bulk: &'a Bulk,
    out: &'a mut [[u8; N]],
}

impl<const N: usize> SecretPiece<'_, N> {
    /// Lets `work` write the answers, by chunks of rows that are counted from the first of the piece.
    fn compute(self, work: impl Fn(Range<usize>, &mut [[u8; N]], OneThread, &mut [CacheLine]) + Sync) {
        self.bulk.in_chunks(self.out, work);
    }
}

impl Call<'_> {
    /// Gives `take` the answers that `work` writes, in the order of the rows.
    fn answers<const N: usize>(
        self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl Fn(Range<usize>, SecretPiece<'_, N>) -> PyResult<()> + Sync,
        mut take: impl FnMut(&[[u8; N]]) + Send,
    ) -> PyResult<()> {
        let Call { rows, threads, backend } = self;
        let (bulk, pieces) = (backends::bulk(backend)?, rows.div_ceil(ROWS));
        let length = |piece: usize| ROWS.min(rows - piece * ROWS);
        let compute = |piece: usize| {
            let first = piece * ROWS;
            let rows = first..first + length(piece);
            let mut out = Zeroizing::new(vec![[0; N]; rows.len()]);
            let piece = SecretPiece { bulk: &bulk, out: &mut out };
            wipe::cleared(|| work(rows, piece))?;
            Ok(out)
        };
        let take = |_, out: Zeroizing<Vec<[u8; N]>>| {
            take(&out);
            Ok(())
        };
        let threads = backends::threads(threads, pieces);
        threads::run(Progress::new(py, progress, rows), pieces, threads, length, compute, take)
    }

    /// The answers that `work` writes, as a column.
    fn column<const N: usize>(
        self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl Fn(Range<usize>, SecretPiece<'_, N>) -> PyResult<()> + Sync,
    ) -> PyResult<output::Column> {
        let bytes = self.rows * N;
        // It never grows, which would leave bytes behind that are not wiped.
        let mut all = Zeroizing::new(Vec::with_capacity(bytes));
        self.answers(py, progress, work, |out| all.extend_from_slice(out.as_flattened()))?;
        if all.len() != bytes {
            return Err(error::internal("as many answers as rows"));
        }
        output::Column::new(all, N, None)
    }
}

/// The values of rows that must all have one; the first of them has this number.
fn present<'a>(values: &[Result<&'a [u8], RowFault>], first: usize, what: &str) -> PyResult<Vec<&'a [u8]>> {
    let checked = values.iter().zip(first..);
    checked.map(|(value, row)| value.map_err(|_| error::value(format!("row {row}: no {what}")))).collect()
}

/// The values of rows that must all have one of 32 bytes.
fn words(values: &[Result<&[u8], RowFault>], first: usize, what: &str) -> PyResult<Vec<[u8; 32]>> {
    let word = |(value, row): (&[u8], usize)| {
        let bytes = value.len();
        <[u8; 32]>::try_from(value)
            .map_err(|_| error::value(format!("row {row}: a {what} of {bytes} bytes, and 32 are needed")))
    };
    present(values, first, what)?.into_iter().zip(first..).map(word).collect()
}

fn check_rows(rows: usize, what: &str, secrets: usize) -> PyResult<()> {
    if rows == secrets { Ok(()) } else { Err(error::value(format!("{rows} {what}, and {secrets} secret keys"))) }
}

/// Secret keys that are all valid. They are read again when their turn comes.
enum Secrets {
    /// 32 bytes each, which stood in a list or in an array.
    Copied(Zeroizing<Vec<u8>>),
    /// Those of a column of Arrow.
    Column(input::InputColumn),
}

impl Secrets {
    /// Secret keys: a list of them or of bytes, an array of n x 32 bytes, or a column of Arrow.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Secrets> {
        wipe::cleared(|| {
            if let Some(copied) = copied(object, &SecretKey::from_slice)? {
                return Ok(Secrets::Copied(copied));
            }
            let secrets = Secrets::Column(input::InputColumn::of(object)?);
            for first in (0..secrets.rows()).step_by(ROWS) {
                secrets.some(first..secrets.rows().min(first + ROWS))?;
            }
            Ok(secrets)
        })
    }

    fn rows(&self) -> usize {
        match self {
            Secrets::Copied(bytes) => bytes.len() / 32,
            Secrets::Column(column) => column.rows(),
        }
    }

    /// Those of some rows.
    fn some(&self, rows: Range<usize>) -> PyResult<Vec<SecretKey>> {
        match self {
            Secrets::Copied(bytes) => {
                of_words(&bytes[rows.start * 32..rows.end * 32], rows.start, &SecretKey::from_slice)
            }
            Secrets::Column(column) => of_column(column, rows, "secret key", &SecretKey::from_slice),
        }
    }
}

/// Values of 32 secret bytes each. Where they are copied before they are read, the copy is wiped, but for text and
/// dictionaries of Arrow.
pub fn read<T, E: Display>(
    object: &Bound<'_, PyAny>,
    what: &str,
    value: impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    wipe::cleared(|| {
        if let Some(bytes) = copied(object, &value)? {
            return of_words(&bytes, 0, &value);
        }
        let column = input::InputColumn::of(object)?;
        of_column(&column, 0..column.rows(), what, &value)
    })
}

/// The bytes of the values in a list or tuple of bytes or of [`keys::SecretKey`], or in an array of n x 32 bytes: 32 for
/// each, all of which `value` takes. None of anything else.
fn copied<T, E: Display>(
    object: &Bound<'_, PyAny>,
    value: &impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Option<Zeroizing<Vec<u8>>>> {
    let listed = match (object.cast::<PyList>(), object.cast::<PyTuple>()) {
        (Ok(list), _) => Some(list.iter().collect::<Vec<_>>()),
        (_, Ok(tuple)) => Some(tuple.iter().collect()),
        _ => None,
    };
    if let Some(listed) = listed {
        // It never grows, which would leave bytes behind that are not wiped.
        let mut words = Zeroizing::new(Vec::with_capacity(listed.len() * 32));
        for (row, item) in listed.iter().enumerate() {
            let bytes = match item.cast::<keys::SecretKey>() {
                Ok(secret) => Zeroizing::new(secret.get().secret().to_bytes().to_vec()),
                Err(_) => match item.extract::<keys::SecretBytes>() {
                    Ok(bytes) => bytes.0,
                    Err(_) => return Err(PyTypeError::new_err(format!("row {row}: neither a SecretKey nor bytes"))),
                },
            };
            value(&bytes).map_err(|wrong| error::row(row, wrong))?;
            let word: &[u8; 32] = bytes.as_slice().try_into().map_err(|_| error::internal("32 bytes are taken"))?;
            words.extend_from_slice(word);
        }
        return Ok(Some(words));
    }
    let Some(buffer) = ffi::buffer::<u8>(object)? else { return Ok(None) };
    let [rows, 32] = *buffer.shape() else { return Ok(None) };
    let mut words = Zeroizing::new(vec![0; rows * 32]);
    buffer.copy_to_slice(object.py(), &mut words)?;
    for (row, word) in words.as_chunks::<32>().0.iter().enumerate() {
        value(word).map_err(|wrong| error::row(row, wrong))?;
    }
    Ok(Some(words))
}

/// Values of 32 bytes each; the first of them has this number.
fn of_words<T, E: Display>(bytes: &[u8], first: usize, value: &impl Fn(&[u8]) -> Result<T, E>) -> PyResult<Vec<T>> {
    let (words, _) = bytes.as_chunks::<32>();
    let mut values = Vec::with_capacity(words.len());
    for (word, row) in words.iter().zip(first..) {
        values.push(value(word).map_err(|wrong| error::row(row, wrong))?);
    }
    Ok(values)
}

/// The values of some rows of a column.
fn of_column<T, E: Display>(
    column: &input::InputColumn,
    rows: Range<usize>,
    what: &str,
    value: &impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    column.read(Role::Scalar, rows.clone(), |values| {
        let mut read = Vec::with_capacity(rows.len());
        for (bytes, row) in present(values, rows.start, what)?.into_iter().zip(rows) {
            read.push(value(bytes).map_err(|wrong| error::row(row, wrong))?);
        }
        Ok(read)
    })
}
