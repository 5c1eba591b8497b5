//! Operations on many rows, with a verdict for each.
#![allow(unsafe_code)]

use crate::{
    border::Given,
    call::{
        LINES, MISUSED, ROWS_PUBLIC_KEYS, ROWS_RECOVER, ROWS_SHARED_SECRETS, ROWS_SIGN_ECDSA, ROWS_SIGN_SCHNORR,
        ROWS_VERIFY_ECDSA, ROWS_VERIFY_SCHNORR,
    },
    single::policy,
    stack::cleared,
};
use core::array;
use phalanx::{
    CacheLine, Column, Error, Keypair, Machine, PublicKey, SecretKey, Verdict,
    bulk::{OneThread, Operation},
    ecdsa, schnorr,
};
use zeroize::Zeroize;

/// Rows whose answers or secrets stand on the stack at a time.
const BLOCK: usize = 64;

/// What rows are computed by.
#[derive(Clone, Copy)]
pub(crate) struct Means {
    pub(crate) bulk: OneThread,
    pub(crate) machine: Machine,
}

/// Does the work and answers 0, or that the call cannot be; for [`LINES`] answers a number of lines. None where the
/// number is that of no operation on rows.
pub(crate) fn run(given: Given<'_>, means: Means) -> Option<u32> {
    let operation = given.call().operation;
    if operation == LINES {
        return Some(lines(given, means));
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
        ROWS_PUBLIC_KEYS => lines(Operation::PublicKeys, rows.min(BLOCK)),
        ROWS_SIGN_ECDSA => lines(Operation::SignEcdsa, rows.min(BLOCK)),
        ROWS_SIGN_SCHNORR => lines(Operation::SignSchnorr, rows.min(BLOCK)),
        ROWS_SHARED_SECRETS => {
            let keys = lines(Operation::Decompress, rows.min(BLOCK));
            keys.max(lines(Operation::SharedSecrets, rows.min(BLOCK)))
        }
        _ => return MISUSED,
    };
    // A workspace is never empty, so that its pointer is never null.
    lines.clamp(1, MISUSED as usize - 1) as u32
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
    let column = given.column(0, &[32])?;
    blocks(out, |first, out| {
        let secrets: [SecretKey; BLOCK] = array::from_fn(|i| secret(&column, first, i, out));
        let found = &mut [PublicKey::GENERATOR; BLOCK][..out.len()];
        means.bulk.public_keys(&secrets[..out.len()], found, memory).map_err(misused)?;
        good(out).try_for_each(|i| write_key(given, first + i, &found[i]))
    })
}

fn sign_ecdsa(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let columns = [given.column(0, &[32])?, given.column(1, &[32])?];
    let with_ids = given.width(1) != 0;
    blocks(out, |first, out| {
        let secrets: [SecretKey; BLOCK] = array::from_fn(|i| secret(&columns[1], first, i, out));
        let digests: [[u8; 32]; BLOCK] = array::from_fn(|i| word(&columns[0], first, i, out.len()));
        let rows = ..out.len();
        if with_ids {
            return good(out).try_for_each(|i| {
                let (signature, id) = means.machine.sign_ecdsa_recoverable(&digests[i], &secrets[i]);
                given.write(0, first + i, &signature.to_compact())?;
                given.write(1, first + i, &[id.to_u8()])
            });
        }
        let Ok(one) = ecdsa::Signature::from_compact(&[1; 64]) else { return Err(MISUSED) };
        let mut found = [one; BLOCK];
        means.bulk.sign_ecdsa(&digests[rows], &secrets[rows], &mut found[rows], memory).map_err(misused)?;
        good(out).try_for_each(|i| given.write(0, first + i, &found[i].to_compact()))
    })
}

fn sign_schnorr(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (messages, keys, randomness) = (given.column(0, &[])?, given.column(1, &[32])?, given.column(2, &[32])?);
    blocks(out, |first, out| {
        let pairs: [Keypair; BLOCK] = array::from_fn(|i| means.machine.keypair(secret(&keys, first, i, out)));
        let texts: [&[u8]; BLOCK] = array::from_fn(|i| if i < out.len() { messages.get(first + i) } else { &[] });
        let mut aux: [[u8; 32]; BLOCK] = array::from_fn(|i| word(&randomness, first, i, out.len()));
        let Ok(one) = schnorr::Signature::from_bytes(&[1; 64]) else { return Err(MISUSED) };
        let mut found = [one; BLOCK];
        let rows = ..out.len();
        let signed = means.bulk.sign_schnorr(&texts[rows], &pairs[rows], &aux[rows], &mut found[rows], memory);
        aux.zeroize();
        signed.map_err(misused)?;
        good(out).try_for_each(|i| given.write(0, first + i, &found[i].to_bytes()))
    })
}

fn shared_secrets(given: Given<'_>, means: Means, out: &mut [Verdict], memory: Memory<'_>) -> Result<(), u32> {
    let (encoded, keys) = (given.column(0, &[33, 65])?, given.column(1, &[32])?);
    blocks(out, |first, out| {
        let secrets: [SecretKey; BLOCK] = array::from_fn(|i| secret(&keys, first, i, out));
        let texts: [&[u8]; BLOCK] = array::from_fn(|i| if i < out.len() { encoded.get(first + i) } else { &[] });
        let rows = ..out.len();
        let mut read = [const { Err(Error::BadPublicKey) }; BLOCK];
        means.bulk.decompress(&texts[rows], &mut read[rows], memory).map_err(misused)?;
        let mut publics = [PublicKey::GENERATOR; BLOCK];
        for ((public, read), out) in publics.iter_mut().zip(read).zip(out.iter_mut()) {
            match read {
                Ok(key) => *public = key,
                Err(error) => *out = Verdict::from(error),
            }
        }
        let mut found = [[0; 32]; BLOCK];
        let shared = means.bulk.shared_secrets(&publics[rows], &secrets[rows], &mut found[rows], memory);
        let written = good(out).try_for_each(|i| given.write(0, first + i, &found[i]));
        found.zeroize();
        shared.map_err(misused).and(written)
    })
}

/// The rows of a block that are valid so far.
fn good(out: &[Verdict]) -> impl Iterator<Item = usize> {
    out.iter().enumerate().filter(|(_, verdict)| verdict.is_valid()).map(|(i, _)| i)
}

const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};

/// The secret key of row `i` of a block, whose verdict it writes; one where it is no key, or there is no such row.
fn secret(secrets: &Column<'_>, first: usize, i: usize, out: &mut [Verdict]) -> SecretKey {
    let found = match out.get_mut(i) {
        None => Err(Error::BadSecretKey),
        Some(out) => {
            let found = SecretKey::from_slice(secrets.get(first + i));
            *out = if found.is_ok() { Verdict::Valid } else { Verdict::MalformedRow };
            found
        }
    };
    found.unwrap_or_else(|_| SecretKey::from_bytes(&ONE).expect("one is a secret key"))
}

/// The 32 bytes of row `i` of a block of so many rows.
fn word(column: &Column<'_>, first: usize, i: usize, rows: usize) -> [u8; 32] {
    let mut word = [0; 32];
    if i < rows {
        word.copy_from_slice(column.get(first + i));
    }
    word
}

/// Bytes of stack that a block of secrets is taken to use at most.
const STACK: usize = 48 << 10;

/// Calls `work` with the first row and the verdicts of each block, and overwrites the stack that it used.
fn blocks(out: &mut [Verdict], mut work: impl FnMut(usize, &mut [Verdict]) -> Result<(), u32>) -> Result<(), u32> {
    let mut blocks = (0..).step_by(BLOCK).zip(out.chunks_mut(BLOCK));
    blocks.try_for_each(|(first, out)| cleared::<STACK, _>(|| work(first, out)))
}
