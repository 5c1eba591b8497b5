//! MuSig2 (BIP-327): the keys of all signers, and nonces.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, guard, release},
    handle::check_single,
    status::{
        PHALANX_BAD_ARGUMENT, PHALANX_BAD_POINT, PHALANX_BAD_ROW, PHALANX_BAD_SCALAR, PHALANX_INTERNAL_ERROR,
        PHALANX_NULL_POINTER, PHALANX_USED_NONCE,
    },
    types::{PHALANX_BAD_PUBLIC_KEY, PHALANX_MALFORMED_ROW, PHALANX_VALID, phalanx_column},
};
use core::ptr;
use library::{
    Bulk, PublicKey, SecretKey,
    bindings::{Column, Stack},
};
use phalanx_musig::{AggregateNonce, Error, KeyAggregation, NonceInputs, PublicNonce, SecretNonce};
use std::sync::{LazyLock, Mutex};

/// On the calling thread alone, also in a process that has forked.
pub(crate) static BULK: LazyLock<Bulk> =
    LazyLock::new(|| Bulk::builder().threads(1).build().unwrap_or_else(|_| Bulk::new()));

/// The keys of all signers of MuSig2, and the aggregate key, tweaked or not. It never changes.
pub struct phalanx_musig_keys(pub(crate) KeyAggregation);

/// The secret half of a nonce, which signs once. It cannot be copied or written down.
pub struct phalanx_musig_secret_nonce(pub(crate) Mutex<Option<SecretNonce>>);

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

/// A flag: the tweak of phalanx_musig_keys_tweak is added to the point with even y, as that of a taproot output key is. The
/// default is to add it to the aggregate key, as BIP-32 does.
pub const PHALANX_X_ONLY_TWEAK: u32 = 1;

/// More of the stack than what stands here uses. What the libraries use below it they overwrite themselves.
pub(crate) const STACK: usize = 4 << 10;

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
        let (keys, verdicts) = (given.pointer(keys), given.verdicts(out, rows));
        let (encoded, aggregate_key) = (given.input(public_keys, rows, &[33]), given.room(aggregate_key, 33));
        let checked = check_single(given)?;
        let (encoded, verdicts) = (encoded.column(&checked), verdicts.bytes(&checked));
        let mut aggregate_key = aggregate_key.writer(&checked);
        let values: Vec<[u8; 33]> = (0..rows).filter_map(|row| encoded.get(row).first_chunk().copied()).collect();
        let made = KeyAggregation::with(&BULK, &values).map_err(|error| {
            if let Error::BadContribution { signers, .. } = &error {
                verdicts.fill(PHALANX_VALID);
                signers.iter().for_each(|signer| verdicts[*signer] = PHALANX_BAD_PUBLIC_KEY);
                aggregate_key.write(0, &[0; 33]);
            }
            status_of(error)
        })?;
        verdicts.fill(PHALANX_VALID);
        aggregate_key.write(0, &made.public_key().to_bytes());
        keys.set(Box::into_raw(Box::new(phalanx_musig_keys(made))), &checked);
        Ok(())
    })
}

/// Adds a tweak (32 bytes) times the generator to an aggregate key. Flags: 0 or PHALANX_X_ONLY_TWEAK. Writes another
/// handle, and its aggregate key (33 bytes). Variable time.
///
/// Writes NULL to `tweaked` and zeros to `aggregate_key` first. PHALANX_BAD_SCALAR if the tweak is not below the order, or the result is infinity;
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
        let (tweaked, aggregate_key) = (given.pointer(tweaked), given.answer_bytes(aggregate_key, 33));
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
/// Writes NULL to `nonce` and zeros to `public_nonce` first. PHALANX_BAD_POINT, PHALANX_BAD_SCALAR for what is no secret key, PHALANX_USED_NONCE for
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
        let (nonce, public_nonce) = (given.pointer(nonce), given.answer_bytes(public_nonce, 66));
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
            let secret_key = secret_key
                .map(|key: &[u8; 32]| SecretKey::from_bytes(key))
                .transpose()
                .map_err(|_| PHALANX_BAD_SCALAR)?;
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
/// PHALANX_BAD_ROW if some nonce is none; PHALANX_BAD_ARGUMENT for no nonces.
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
        let (nonces, verdicts) = (given.input(public_nonces, rows, &[66]), given.verdicts(out, rows));
        let aggregate_nonce = given.room(aggregate_nonce, 66);
        let checked = check_single(given)?;
        if rows == 0 {
            return Err(PHALANX_BAD_ARGUMENT);
        }
        let (verdicts, mut aggregate_nonce) = (verdicts.bytes(&checked), aggregate_nonce.writer(&checked));
        let nonces = all_good(read_nonces(&nonces.column(&checked)), PHALANX_MALFORMED_ROW, verdicts)
            .inspect_err(|_| aggregate_nonce.write(0, &[0; 66]))?;
        aggregate_nonce.write(0, &AggregateNonce::sum(&nonces).to_bytes());
        Ok(())
    })
}

/// The nonce of each row, in bulk if all are encodings.
pub(crate) fn read_nonces(column: &Column<'_>) -> Vec<Option<PublicNonce>> {
    let encoded: Vec<[u8; 66]> = (0..column.len()).filter_map(|row| column.get(row).first_chunk().copied()).collect();
    match PublicNonce::read_all(&BULK, &encoded) {
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

pub(crate) fn status_of(error: Error) -> i32 {
    match error {
        Error::BadContribution { .. } => PHALANX_BAD_ROW,
        Error::BadEncoding(_) | Error::BadAggregateNonce => PHALANX_BAD_POINT,
        Error::BadTweak => PHALANX_BAD_SCALAR,
        Error::UsedRandomness => PHALANX_USED_NONCE,
        Error::BadKeys
        | Error::OtherKey
        | Error::NotASigner
        | Error::LengthMismatch
        | Error::OtherNonces
        | Error::BadNonceSum => PHALANX_BAD_ARGUMENT,
        _ => PHALANX_INTERNAL_ERROR,
    }
}
