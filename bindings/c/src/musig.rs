//! MuSig2 (BIP-327): keys, nonces, sessions, partial signatures.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, guard, release},
    handle::check_single,
    status::{
        PHALANX_BAD_ARGUMENT, PHALANX_BAD_POINT, PHALANX_BAD_ROW, PHALANX_BAD_SCALAR, PHALANX_INTERNAL_ERROR,
        PHALANX_NULL_POINTER, PHALANX_USED_NONCE,
    },
    types::{
        PHALANX_BAD_PUBLIC_KEY, PHALANX_INVALID_SIGNATURE, PHALANX_MALFORMED_ROW, PHALANX_OUT_OF_RANGE,
        PHALANX_UNDECIDED, PHALANX_VALID, phalanx_column,
    },
};
use core::ptr;
use library::{Bulk, Column, Keypair, PublicKey, SecretKey, Stack};
use phalanx_musig::{
    AggregateNonce, Error, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce, Session,
};
use std::sync::{Mutex, PoisonError};

/// The keys of all signers of MuSig2, and the aggregate key, tweaked or not. It never changes.
pub struct phalanx_musig_keys(KeyAggregation);

/// The secret half of a nonce, which signs once. It cannot be copied or written down.
pub struct phalanx_musig_secret_nonce(Mutex<Option<SecretNonce>>);

/// What all signers of a message share in the second round: keys, the aggregate nonce, the message. All of it is public.
pub struct phalanx_musig_session {
    session: Session<'static>,
    signers: usize,
}

/// What a nonce depends on besides its signer's public key. Set all of it to zero, then what is known: each value makes
/// a repeated nonce less likely where randomness fails.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct phalanx_musig_nonce_inputs {
    /// The signer's secret key (32 bytes), or NULL.
    pub secret_key: *const u8,
    /// The x of the aggregate key (32 bytes: those behind the first one of the 33), or NULL.
    pub aggregate_key: *const u8,
    /// The message, or NULL where it is not known yet.
    pub message: *const u8,
    /// Bytes of the message.
    pub message_bytes: usize,
    /// Anything else, such as a counter.
    pub extra: *const u8,
    /// Its bytes.
    pub extra_bytes: usize,
    /// 32 uniform bytes that are used for nothing else, and which the call zeroes; or NULL for the operating system's.
    pub randomness: *mut u8,
}

/// The tweak of phalanx_musig_keys_tweak is added to the point with even y, as that of a taproot output key is. The
/// default is to add it to the aggregate key, as BIP-32 does.
pub const PHALANX_X_ONLY_TWEAK: u32 = 1;

/// More of the stack than what stands here uses. What the libraries use below it they overwrite themselves.
const STACK: usize = 4 << 10;

/// Aggregates the public keys of all signers (33 bytes), which must be in the same order everywhere. Writes a handle, and
/// the aggregate key (33 bytes), whose last 32 bytes are the key that signatures verify under. A row whose key is none
/// is PHALANX_BAD_PUBLIC_KEY. Variable time.
///
/// Writes NULL to `keys` first. PHALANX_BAD_ROW if some key is none; PHALANX_BAD_ARGUMENT for no keys, or if the
/// aggregate is infinity.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_keys_new(
    public_keys: *const phalanx_column,
    keys: *mut *mut phalanx_musig_keys,
    aggregate_key: *mut u8,
    out: *mut u8,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let (keys, aggregate_key) = (given.pointer(keys), given.room(aggregate_key, 33));
        let encoded = given.input(public_keys, rows, &[33]);
        let checked = check_single(given)?;
        let (encoded, verdicts) = (encoded.column(&checked), verdicts.bytes(&checked));
        let values: Vec<&[u8]> = (0..rows).map(|row| encoded.get(row)).collect();
        let points = Bulk::new().decompress(&values).into_iter().map(Result::ok).collect();
        let points: Vec<PublicKey> = all_good(points, PHALANX_BAD_PUBLIC_KEY, verdicts)?;
        let made = KeyAggregation::new(&points).map_err(|error| {
            verdicts.fill(PHALANX_UNDECIDED);
            status_of(error)
        })?;
        aggregate_key.writer(&checked).write(0, &made.public_key().to_bytes());
        keys.set(Box::into_raw(Box::new(phalanx_musig_keys(made))), &checked);
        Ok(())
    })
}

/// Adds a tweak (32 bytes) times the generator to an aggregate key. Flags: 0 or PHALANX_X_ONLY_TWEAK. Writes another
/// handle, and its aggregate key (33 bytes). Variable time.
///
/// Writes NULL to `tweaked` first. PHALANX_BAD_SCALAR if the tweak is not below the order, or the result is infinity;
/// PHALANX_BAD_ARGUMENT.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_keys_tweak(
    keys: *const phalanx_musig_keys,
    tweak: *const u8,
    flags: u32,
    tweaked: *mut *mut phalanx_musig_keys,
    aggregate_key: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let (tweaked, aggregate_key) = (given.pointer(tweaked), given.room(aggregate_key, 33));
        let (keys, tweak) = (given.value(keys), given.array(tweak));
        let checked = check_single(given)?;
        let (keys, tweak) = keys.zip(tweak).ok_or(PHALANX_NULL_POINTER)?;
        let made = match flags {
            0 => keys.0.clone().tweak_add(tweak),
            PHALANX_X_ONLY_TWEAK => keys.0.clone().tweak_add_x_only(tweak),
            _ => return Err(PHALANX_BAD_ARGUMENT),
        };
        let made = made.map_err(status_of)?;
        aggregate_key.writer(&checked).write(0, &made.public_key().to_bytes());
        tweaked.set(Box::into_raw(Box::new(phalanx_musig_keys(made))), &checked);
        Ok(())
    })
}

/// Frees keys, which no call uses any more; sessions go on. NULL is allowed.
///
/// # Safety
/// The handle is NULL or one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_keys_free(keys: *mut phalanx_musig_keys) {
    // SAFETY: a box that was given away, as the caller promises.
    unsafe { release(keys) };
}

/// Makes a nonce of the signer with this public key (33 bytes). Writes a handle of the secret half, and the public half
/// (66 bytes), which the signer sends. NULL stands for inputs that are all zero. Constant time in secrets.
///
/// Writes NULL to `nonce` first. PHALANX_BAD_POINT, PHALANX_BAD_SCALAR for what is no secret key, PHALANX_USED_NONCE for
/// randomness that is zero.
///
/// # Safety
/// The pointers are NULL or good, and those of the inputs too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_secret_nonce_new(
    public_key: *const u8,
    inputs: *const phalanx_musig_nonce_inputs,
    nonce: *mut *mut phalanx_musig_secret_nonce,
    public_nonce: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let (nonce, public_nonce) = (given.pointer(nonce), given.room(public_nonce, 66));
        let public_key = given.array::<33>(public_key);
        let inputs = if inputs.is_null() { None } else { given.value(inputs).copied() };
        let none = phalanx_musig_nonce_inputs {
            secret_key: ptr::null(),
            aggregate_key: ptr::null(),
            message: ptr::null(),
            message_bytes: 0,
            extra: ptr::null(),
            extra_bytes: 0,
            randomness: ptr::null_mut(),
        };
        let inputs = inputs.unwrap_or(none);
        let secret_key = given.optional(inputs.secret_key);
        let aggregate_key = given.optional(inputs.aggregate_key).copied();
        // Bytes of a message that is NULL are refused.
        let no_message = inputs.message.is_null() && inputs.message_bytes == 0;
        let message = if no_message { None } else { given.slice(inputs.message, inputs.message_bytes) };
        let extra = given.slice(inputs.extra, inputs.extra_bytes).unwrap_or_default();
        let randomness = (!inputs.randomness.is_null()).then(|| given.bytes_to_write(inputs.randomness, 32));
        let checked = check_single(given)?;
        let public_key = PublicKey::from_bytes(public_key.ok_or(PHALANX_NULL_POINTER)?);
        let public_key = public_key.map_err(|_| PHALANX_BAD_POINT)?;
        let (secret, public) = Stack::<STACK>::cleared(|| {
            let secret_key = secret_key.map(SecretKey::from_bytes).transpose().map_err(|_| PHALANX_BAD_SCALAR)?;
            let inputs = NonceInputs { secret_key: secret_key.as_ref(), aggregate_key, message, extra };
            let Some(randomness) = randomness else { return Ok(SecretNonce::generate(&public_key, &inputs)) };
            let randomness = randomness.bytes(&checked).first_chunk_mut().ok_or(PHALANX_INTERNAL_ERROR)?;
            SecretNonce::from_randomness(randomness, &public_key, &inputs).map_err(status_of)
        })?;
        public_nonce.writer(&checked).write(0, &public.to_bytes());
        nonce.set(Box::into_raw(Box::new(phalanx_musig_secret_nonce(Mutex::new(Some(secret))))), &checked);
        Ok(())
    })
}

/// Frees a secret nonce, which no call uses any more, and wipes it if it has not signed. NULL is allowed.
///
/// # Safety
/// The handle is NULL or one of phalanx_musig_secret_nonce_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_secret_nonce_free(nonce: *mut phalanx_musig_secret_nonce) {
    // SAFETY: a box that was given away, as the caller promises.
    unsafe { release(nonce) };
}

/// Adds the public nonces of all signers (66 bytes). Writes the aggregate nonce (66 bytes). A row whose nonce is none is
/// PHALANX_MALFORMED_ROW. Variable time.
///
/// PHALANX_BAD_ROW if some nonce is none.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_aggregate_nonce(
    public_nonces: *const phalanx_column,
    aggregate_nonce: *mut u8,
    out: *mut u8,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let aggregate_nonce = given.room(aggregate_nonce, 66);
        let nonces = given.input(public_nonces, rows, &[66]);
        let checked = check_single(given)?;
        let verdicts = verdicts.bytes(&checked);
        let nonces = all_good(read_nonces(&nonces.column(&checked)), PHALANX_MALFORMED_ROW, verdicts)?;
        aggregate_nonce.writer(&checked).write(0, &AggregateNonce::sum(&nonces).to_bytes());
        Ok(())
    })
}

/// Makes the session of a message, from the sum of the nonces that the signers made for it (66 bytes). It copies the keys
/// and the message. Make a new one for each message. Variable time.
///
/// Writes NULL to `session` first. PHALANX_BAD_POINT for what is no aggregate nonce: the fault of who made it.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_session_new(
    keys: *const phalanx_musig_keys,
    aggregate_nonce: *const u8,
    message: *const u8,
    message_bytes: usize,
    session: *mut *mut phalanx_musig_session,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let session = given.pointer(session);
        let (keys, nonce) = (given.value(keys), given.array(aggregate_nonce));
        let message = given.slice(message, message_bytes);
        let checked = check_single(given)?;
        let ((keys, nonce), message) = keys.zip(nonce).zip(message).ok_or(PHALANX_NULL_POINTER)?;
        let nonce = AggregateNonce::from_bytes(nonce).map_err(status_of)?;
        let made = phalanx_musig_session {
            session: Session::new(&keys.0, &nonce, message).into_owned(),
            signers: keys.0.keys().len(),
        };
        session.set(Box::into_raw(Box::new(made)), &checked);
        Ok(())
    })
}

/// Frees a session, which no call uses any more. NULL is allowed.
///
/// # Safety
/// The handle is NULL or one of phalanx_musig_session_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_session_free(session: *mut phalanx_musig_session) {
    // SAFETY: a box that was given away, as the caller promises.
    unsafe { release(session) };
}

/// Writes a signer's partial signature (32 bytes), which uses the secret nonce up and wipes it, also where the call fails
/// once its memory is found good. Of calls with one nonce, on any threads, one signs. Constant time in secrets.
///
/// Writes zeros first. PHALANX_USED_NONCE for a nonce that was used; PHALANX_BAD_SCALAR for what is no secret key;
/// PHALANX_BAD_ARGUMENT if the secret key is no signer's, or not the one that the nonce was made for.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_sign(
    session: *const phalanx_musig_session,
    nonce: *mut phalanx_musig_secret_nonce,
    secret_key: *const u8,
    partial: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let partial = given.answer_bytes(partial, 32);
        let (session, nonce) = (given.value(session), given.value(nonce.cast_const()));
        let secret_key = given.array(secret_key);
        let checked = check_single(given)?;
        let ((session, nonce), secret_key) = session.zip(nonce).zip(secret_key).ok_or(PHALANX_NULL_POINTER)?;
        let nonce = nonce.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(PHALANX_USED_NONCE)?;
        let made = Stack::<STACK>::cleared(|| {
            let secret_key = SecretKey::from_bytes(secret_key).map_err(|_| PHALANX_BAD_SCALAR)?;
            session.session.sign(nonce, &Keypair::from_secret(secret_key)).map_err(status_of)
        })?;
        partial.writer(&checked).write(0, &made.to_bytes());
        Ok(())
    })
}

/// Verifies the partial signatures (32 bytes) of some signers, or of all in one call, which takes less time by one sum.
/// `first` is the number of the first of them in the order of the keys, from 0; their public nonces (66 bytes) and partial
/// signatures are those of it and of the signers behind it. Variable time.
///
/// A row is PHALANX_MALFORMED_ROW if its nonce is none, PHALANX_OUT_OF_RANGE if its partial signature is not below the
/// order, PHALANX_INVALID_SIGNATURE if it does not hold. PHALANX_BAD_ARGUMENT for more signers than there are.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_verify(
    session: *const phalanx_musig_session,
    first: usize,
    public_nonces: *const phalanx_column,
    partials: *const phalanx_column,
    out: *mut u8,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let session = given.value(session);
        let columns = [given.input(public_nonces, rows, &[66]), given.input(partials, rows, &[32])];
        let checked = check_single(given)?;
        let (session, verdicts) = (session.ok_or(PHALANX_NULL_POINTER)?, verdicts.bytes(&checked));
        let behind = first.checked_add(rows).ok_or(PHALANX_BAD_ARGUMENT)?;
        if behind > session.signers {
            return Err(PHALANX_BAD_ARGUMENT);
        }
        Contributions::read(columns.map(|column| column.column(&checked))).verify(session, first, verdicts)
    })
}

/// Makes the signature (64 bytes, BIP-340) of the partial signatures of all signers, and verifies it, which costs one
/// verification if nobody cheats. Otherwise the rows of those who cheat have the verdicts of phalanx_musig_verify.
/// Variable time.
///
/// PHALANX_BAD_ROW if somebody cheats; the signature is zeros then. PHALANX_BAD_ARGUMENT if there is not one row for
/// each signer, or if nobody cheats and the session's aggregate nonce is not the sum of these nonces.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_musig_aggregate(
    session: *const phalanx_musig_session,
    public_nonces: *const phalanx_column,
    partials: *const phalanx_column,
    signature: *mut u8,
    out: *mut u8,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let (session, signature) = (given.value(session), given.room(signature, 64));
        let columns = [given.input(public_nonces, rows, &[66]), given.input(partials, rows, &[32])];
        let checked = check_single(given)?;
        let (session, verdicts) = (session.ok_or(PHALANX_NULL_POINTER)?, verdicts.bytes(&checked));
        if rows != session.signers {
            return Err(PHALANX_BAD_ARGUMENT);
        }
        let mut signature = signature.writer(&checked);
        let given = Contributions::read(columns.map(|column| column.column(&checked)));
        let all = given.all();
        match all.map(|(nonces, partials)| session.session.aggregate_checked(&nonces, &partials)) {
            Some(Ok(made)) => {
                verdicts.fill(PHALANX_VALID);
                signature.write(0, &made.to_bytes());
                return Ok(());
            }
            Some(Err(Error::BadContribution { signers, .. })) => blame(&signers, verdicts),
            Some(Err(error)) => return Err(status_of(error)),
            None => given.verify_each(session, 0, verdicts),
        }
        signature.write(0, &[0; 64]);
        Err(PHALANX_BAD_ROW)
    })
}

/// What signers sent in both rounds: none for bytes that are no encoding.
struct Contributions {
    nonces: Vec<Option<PublicNonce>>,
    partials: Vec<Option<PartialSignature>>,
}

impl Contributions {
    fn read([nonces, partials]: [Column<'_>; 2]) -> Self {
        let partial = |row| PartialSignature::from_bytes(partials.get(row).first_chunk()?).ok();
        Contributions { nonces: read_nonces(&nonces), partials: (0..partials.len()).map(partial).collect() }
    }

    /// All of them, if all are encodings.
    fn all(&self) -> Option<(Vec<PublicNonce>, Vec<PartialSignature>)> {
        Some((
            self.nonces.iter().copied().collect::<Option<_>>()?,
            self.partials.iter().copied().collect::<Option<_>>()?,
        ))
    }

    /// The verdicts of signers from this number on, of whom there are so many.
    fn verify(&self, session: &phalanx_musig_session, first: usize, verdicts: &mut [u8]) -> Result<(), i32> {
        let all = self.all().filter(|_| verdicts.len() == session.signers);
        match all.map(|(nonces, partials)| session.session.verify_all(&nonces, &partials)) {
            Some(Ok(())) => verdicts.fill(PHALANX_VALID),
            Some(Err(Error::BadContribution { signers, .. })) => blame(&signers, verdicts),
            Some(Err(error)) => return Err(status_of(error)),
            None => self.verify_each(session, first, verdicts),
        }
        Ok(())
    }

    /// The same one by one.
    fn verify_each(&self, session: &phalanx_musig_session, first: usize, verdicts: &mut [u8]) {
        let all = self.nonces.iter().zip(&self.partials);
        for (row, (verdict, both)) in verdicts.iter_mut().zip(all).enumerate() {
            *verdict = match both {
                (None, _) => PHALANX_MALFORMED_ROW,
                (_, None) => PHALANX_OUT_OF_RANGE,
                (Some(nonce), Some(partial)) => match session.session.verify(first + row, nonce, partial) {
                    Ok(()) => PHALANX_VALID,
                    Err(_) => PHALANX_INVALID_SIGNATURE,
                },
            };
        }
    }
}

/// The verdicts where the partial signatures of these signers do not hold.
fn blame(signers: &[usize], verdicts: &mut [u8]) {
    verdicts.fill(PHALANX_VALID);
    signers.iter().for_each(|signer| verdicts[*signer] = PHALANX_INVALID_SIGNATURE);
}

/// The nonce of each row, in bulk if all are encodings.
fn read_nonces(column: &Column<'_>) -> Vec<Option<PublicNonce>> {
    let encoded: Vec<[u8; 66]> = (0..column.len()).filter_map(|row| column.get(row).first_chunk().copied()).collect();
    match PublicNonce::read_all(&Bulk::new(), &encoded) {
        Ok(nonces) => nonces.into_iter().map(Some).collect(),
        Err(_) => encoded.iter().map(|nonce| PublicNonce::from_bytes(nonce).ok()).collect(),
    }
}

/// The value of each row, and its verdict: this one where there is none.
fn all_good<T>(values: Vec<Option<T>>, bad: u8, verdicts: &mut [u8]) -> Result<Vec<T>, i32> {
    for (verdict, value) in verdicts.iter_mut().zip(&values) {
        *verdict = if value.is_some() { PHALANX_VALID } else { bad };
    }
    values.into_iter().collect::<Option<_>>().ok_or(PHALANX_BAD_ROW)
}

fn status_of(error: Error) -> i32 {
    match error {
        Error::BadContribution { .. } => PHALANX_BAD_ROW,
        Error::BadEncoding(_) | Error::BadAggregateNonce => PHALANX_BAD_POINT,
        Error::BadTweak => PHALANX_BAD_SCALAR,
        Error::UsedRandomness => PHALANX_USED_NONCE,
        Error::BadKeys | Error::OtherKey | Error::NotASigner | Error::LengthMismatch | Error::OtherNonces => {
            PHALANX_BAD_ARGUMENT
        }
        _ => PHALANX_INTERNAL_ERROR,
    }
}
