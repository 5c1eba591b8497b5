//! MuSig2 (BIP-327): sessions and partial signatures.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, guard, release},
    handle::check_single,
    musig::{STACK, phalanx_musig_keys, phalanx_musig_secret_nonce, read_nonces, status_of},
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_ROW, PHALANX_BAD_SCALAR, PHALANX_NULL_POINTER, PHALANX_USED_NONCE},
    types::{PHALANX_INVALID_SIGNATURE, PHALANX_MALFORMED_ROW, PHALANX_OUT_OF_RANGE, PHALANX_VALID, phalanx_column},
};
use library::{
    Keypair, SecretKey,
    bindings::{Column, Stack},
};
use phalanx_musig::{AggregateNonce, Error, PartialSignature, PublicNonce, Session};
use std::sync::PoisonError;

/// What all signers of a message share in the second round: keys, the aggregate nonce, the message. All of it is public.
pub struct phalanx_musig_session {
    session: Session<'static>,
    signers: usize,
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
pub unsafe extern "C" fn phalanx_musig_partial_sign(
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
        let secret_key = given.array::<32>(secret_key);
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
pub unsafe extern "C" fn phalanx_musig_partial_verify(
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
        let (session, verdicts) = (given.value(session), given.verdicts(out, rows));
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
/// verification if nobody cheats: where the signature holds, partial signatures are not looked at one by one.
/// Otherwise the rows of those who cheat have the verdicts of phalanx_musig_partial_verify. Variable time.
///
/// PHALANX_BAD_ROW if somebody cheats. PHALANX_BAD_ARGUMENT if there is not one row for each signer; or if all partial
/// signatures hold, but the session's aggregate nonce is not the sum of these nonces, or that sum is infinity.
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
        let (session, signature) = (given.value(session), given.room(signature, 64));
        let verdicts = given.verdicts(out, rows);
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
