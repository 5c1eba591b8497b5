//! Operations on many rows, with a verdict for each.
#![allow(unsafe_code)]

use crate::{
    border::{Given, answer},
    call::{
        FIXED_BASIS, FIXED_SUMS, LINES, MISUSED, ROWS_BATCH_ECDSA, ROWS_BATCH_SCHNORR, ROWS_PUBLIC_KEYS, ROWS_RECOVER,
        ROWS_SHARED_SECRETS, ROWS_SIGN_ECDSA, ROWS_SIGN_SCHNORR, ROWS_VERIFY_ECDSA, ROWS_VERIFY_SCHNORR,
        SUM_OF_PRODUCTS,
    },
    fixed_base,
    means::Means,
    single::policy,
};
use phalanx::{CacheLine, Error, PublicKey, Verdict, batch::HintedColumns, bulk::Operation, ecdsa, schnorr};

/// Rows whose keys stand on the stack at a time.
const BLOCK: usize = 64;

/// Does the work and answers 0, or that the call cannot be; for [`LINES`] answers a number of lines. None where the
/// number is that of no operation on rows.
pub(crate) fn run(given: Given<'_>, means: Means) -> Option<u32> {
    let operation = given.call().operation;
    if operation == LINES {
        return Some(lines(given, means));
    }
    if operation == SUM_OF_PRODUCTS {
        return Some(sum_of_products(given, means).unwrap_or_else(|misused| misused));
    }
    if (FIXED_BASIS..=FIXED_SUMS).contains(&operation) {
        return Some(fixed_base::run(given, means).unwrap_or_else(|misused| misused));
    }
    // SAFETY: this is the one place that asks, once a call.
    let found = || unsafe { given.verdicts() };
    Some(
        match operation {
            ROWS_VERIFY_ECDSA => found().and_then(|(out, memory)| verify_ecdsa(given, means, out, memory)),
            ROWS_VERIFY_SCHNORR => found().and_then(|(out, memory)| verify_schnorr(given, means, out, memory)),
            ROWS_RECOVER => found().and_then(|(out, memory)| recover(given, means, out, memory)),
            ROWS_PUBLIC_KEYS => found().and_then(|(out, memory)| public_keys(given, means, out, memory)),
            ROWS_SIGN_ECDSA => found().and_then(|(out, memory)| sign_ecdsa(given, means, out, memory)),
            ROWS_SIGN_SCHNORR => found().and_then(|(out, memory)| sign_schnorr(given, means, out, memory)),
            ROWS_BATCH_ECDSA => found().and_then(|(out, memory)| batch_ecdsa(given, means, out, memory)),
            ROWS_BATCH_SCHNORR => found().and_then(|(out, memory)| batch_schnorr(given, means, out, memory)),
            ROWS_SHARED_SECRETS => found().and_then(|(out, memory)| shared_secrets(given, means, out, memory)),
            _ => return None,
        }
        .err()
        .unwrap_or(0),
    )
}

/// The lines that the operation in the flags takes.
fn lines(given: Given<'_>, means: Means) -> u32 {
    let rows = given.call().rows;
    let lines = |operation, rows| means.bulk.lines(operation, rows);
    let lines = match given.call().flags {
        ROWS_VERIFY_ECDSA => lines(Operation::VerifyEcdsa, rows),
        ROWS_VERIFY_SCHNORR => lines(Operation::VerifySchnorr, rows),
        ROWS_RECOVER => lines(Operation::Recover, rows.min(BLOCK)),
        ROWS_PUBLIC_KEYS => lines(Operation::PublicKeys, rows),
        ROWS_SIGN_ECDSA => lines(Operation::SignEcdsa, rows),
        ROWS_SIGN_SCHNORR => lines(Operation::SignSchnorr, rows),
        ROWS_SHARED_SECRETS => lines(Operation::SharedSecrets, rows),
        ROWS_BATCH_ECDSA => means.bulk.lines_of_batch_ecdsa(rows),
        ROWS_BATCH_SCHNORR => means.bulk.lines_of_batch_schnorr(rows),
        SUM_OF_PRODUCTS => means.bulk.lines_of_sum_in_columns(rows),
        _ => match fixed_base::lines(given, means) {
            Some(lines) => lines,
            None => return MISUSED,
        },
    };
    // A workspace is never empty, so that its pointer is never null.
    answer(lines.max(1)).unwrap_or(MISUSED)
}

type Memory<'a> = &'a mut [CacheLine];

/// A refusal of the library, of which there is none where slices and memory fit.
fn misused(_: Error) -> u32 {
    MISUSED
}

fn verify_ecdsa(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (digests, signatures) = (given.column(0, &[32])?, given.column(1, &[64])?);
    let columns = ecdsa::Columns::new(digests, signatures, given.column(2, &[33, 65])?).map_err(misused)?;
    means.bulk.verify_ecdsa(columns, policy(given.call().flags), out, memory).map_err(misused)
}

fn verify_schnorr(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (messages, signatures) = (given.column(0, &[])?, given.column(1, &[64])?);
    let columns = schnorr::Columns::new(messages, signatures, given.column(2, &[32])?).map_err(misused)?;
    means.bulk.verify_schnorr(columns, out, memory).map_err(misused)
}

fn batch_ecdsa(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (digests, signatures) = (given.column(0, &[32])?, given.column(1, &[64])?);
    let columns = ecdsa::Columns::new(digests, signatures, given.column(2, &[33, 65])?).map_err(misused)?;
    let columns = HintedColumns::new(columns, given.column(3, &[1])?).map_err(misused)?;
    means.bulk.batch_ecdsa(columns, policy(given.call().flags), given.array(4)?, out, memory).map_err(misused)
}

fn batch_schnorr(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (messages, signatures) = (given.column(0, &[])?, given.column(1, &[64])?);
    let columns = schnorr::Columns::new(messages, signatures, given.column(2, &[32])?).map_err(misused)?;
    means.bulk.batch_schnorr(columns, given.array(4)?, out, memory).map_err(misused)
}

fn sum_of_products(given: Given<'_>, means: Means) -> Result<u32, u32> {
    let (scalars, points) = (given.column(0, &[32])?, given.column(1, &[33, 65])?);
    // SAFETY: the one place of this operation that asks, once a call.
    let memory = unsafe { given.workspace() }?;
    match means.bulk.sum_of_products_in_columns(scalars, points, memory) {
        Ok(sum) => given.write(0, 0, &sum.to_bytes()).map(|()| Verdict::Valid as u32),
        Err(error @ (Error::OutOfRange | Error::BadPublicKey)) => Ok(Verdict::from(error) as u32),
        Err(_) => Err(MISUSED),
    }
}

fn recover(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let columns = [given.column(0, &[32])?, given.column(1, &[64])?, given.column(2, &[1])?];
    for (first, out) in (0..).step_by(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let [digests, signatures, ids] = columns.map(|column| column.part(first..first + out.len()));
        let columns = ecdsa::RecoverColumns::new(digests, signatures, ids).map_err(misused)?;
        let found = &mut [const { Err(Error::InvalidSignature) }; BLOCK][..out.len()];
        means.bulk.recover(columns, found, memory).map_err(misused)?;
        for (i, (found, out)) in found.iter().zip(out).enumerate() {
            *out = match found {
                Ok(key) => {
                    write_key(given, first + i, key)?;
                    Verdict::Valid
                }
                Err(error) => Verdict::from(*error),
            };
        }
    }
    Ok(())
}

/// Writes a key in the form whose width the output has.
fn write_key(given: Given<'_>, row: usize, key: &PublicKey) -> Result<(), u32> {
    match given.width(0) {
        33 => given.write(0, row, &key.to_bytes()),
        _ => given.write(0, row, &key.to_bytes_uncompressed()),
    }
}

fn public_keys(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (secrets, mut done) = (given.column(0, &[32])?, Ok(()));
    let write = |i, key: &PublicKey| done = done.and_then(|()| write_key(given, i, key));
    means.bulk.public_keys_in_columns(secrets, out, memory, write).map_err(misused).and(done)
}

fn sign_ecdsa(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (digests, secrets, mut done) = (given.column(0, &[32])?, given.column(1, &[32])?, Ok(()));
    let signed = if given.width(1) == 0 {
        means.bulk.sign_ecdsa_in_columns(digests, secrets, out, memory, |i, signature| {
            done = done.and_then(|()| given.write(0, i, &signature.to_compact()));
        })
    } else {
        means.bulk.sign_ecdsa_recoverable_in_columns(digests, secrets, out, memory, |i, signature, id| {
            let signature = given.write(0, i, &signature.to_compact());
            done = done.and(signature).and(given.write(1, i, &[id.to_u8()]));
        })
    };
    signed.map_err(misused).and(done)
}

fn sign_schnorr(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (messages, secrets, randomness) = (given.column(0, &[])?, given.column(1, &[32])?, given.column(2, &[32])?);
    let mut done = Ok(());
    let write = |i, signature: &schnorr::Signature| {
        done = done.and_then(|()| given.write(0, i, &signature.to_bytes()));
    };
    let signed = means.bulk.sign_schnorr_in_columns(messages, secrets, randomness, out, memory, write);
    signed.map_err(misused).and(done)
}

fn shared_secrets(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (publics, secrets, mut done) = (given.column(0, &[33, 65])?, given.column(1, &[32])?, Ok(()));
    let write = |i, secret: &[u8; 32]| done = done.and_then(|()| given.write(0, i, secret));
    means.bulk.shared_secrets_in_columns(publics, secrets, out, memory, write).map_err(misused).and(done)
}
