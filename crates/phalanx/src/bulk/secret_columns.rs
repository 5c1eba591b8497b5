//! Rows with secret keys in columns, computed on the calling thread.
//!
//! Secret keys are read to the stack, a block of rows at a time, in types that are wiped when they are dropped. Moves
//! leave copies on the stack. The stack that a block used is overwritten after it, also after a panic.

use super::{OneThread, Operation};
use crate::{
    Column, Error, Keypair, PublicKey, SecretKey, Verdict,
    ecdsa::{self, RecoveryId},
    hash::BuiltIn,
    schnorr,
    tuning::SECRET_ROWS_ON_STACK as ROWS,
    wipe::{SecretBlockStack, wipe},
};
use core::array;
use phalanx_engine::word::CacheLine;

/// What a row that has no answer is computed with.
const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};

/// Rows of secret keys in columns.
///
/// Each call writes a verdict for every row: [`Verdict::Valid`], or [`Verdict::MalformedRow`] where the secret key is
/// zero or not below the group order. It calls `answer` with the number and the answer of each valid row, in their order.
/// The workspace is that of the operation on as many rows ([`OneThread::lines`]).
///
/// ```
/// use phalanx::{CacheLine, Column, SecretKey, Verdict, bulk::{OneThread, Operation}};
/// let (bulk, secrets) = (OneThread::PORTABLE, [[7; 32], [0; 32], [9; 32]]);
/// let mut workspace = vec![CacheLine([0; 8]); bulk.lines(Operation::PublicKeys, 3)];
/// let (mut verdicts, mut keys) = ([Verdict::InvalidSignature; 3], Vec::new());
/// bulk.public_keys_in_columns(Column::of(&secrets), &mut verdicts, &mut workspace, |_, key| keys.push(*key))?;
/// assert_eq!(verdicts, [Verdict::Valid, Verdict::MalformedRow, Verdict::Valid]);
/// assert_eq!(keys[1], SecretKey::from_bytes(&[9; 32])?.public_key());
/// # Ok::<(), phalanx::Error>(())
/// ```
///
/// # Errors
/// [`Error::LengthMismatch`] if there are not as many verdicts as rows in every column, [`Error::BadColumn`] if a column
/// of secret keys, digests or randomness is not 32 bytes wide, [`Error::WorkspaceTooSmall`] for a smaller workspace. Then
/// every verdict is [`Verdict::InvalidSignature`], and there is no answer.
impl OneThread {
    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// # Errors
    /// As above.
    pub fn public_keys_in_columns(
        self,
        secrets: Column<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &PublicKey),
    ) -> Result<(), Error> {
        let columns = [(secrets, Some(32))];
        self.blocks(Operation::PublicKeys, &columns, verdicts, workspace, |first, verdicts, memory| {
            let keys = read_keys(secrets, first, verdicts);
            let found = &mut [PublicKey::GENERATOR; ROWS][..verdicts.len()];
            self.public_keys(&keys[..verdicts.len()], found, memory)?;
            valid(verdicts).for_each(|i| answer(first + i, &found[i]));
            Ok(())
        })
    }

    /// [`ecdsa::sign`] with each digest and key. Constant time.
    ///
    /// # Errors
    /// As above.
    pub fn sign_ecdsa_in_columns(
        self,
        digests: Column<'_>,
        secrets: Column<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &ecdsa::Signature),
    ) -> Result<(), Error> {
        let columns = [(digests, Some(32)), (secrets, Some(32))];
        self.blocks(Operation::SignEcdsa, &columns, verdicts, workspace, |first, verdicts, memory| {
            let keys = read_keys(secrets, first, verdicts);
            let digests = read_words(digests, first, verdicts.len());
            let rows = ..verdicts.len();
            let mut found = [ecdsa::Signature::PLACEHOLDER; ROWS];
            self.sign_ecdsa(&digests[rows], &keys[rows], &mut found[rows], memory)?;
            valid(verdicts).for_each(|i| answer(first + i, &found[i]));
            Ok(())
        })
    }

    /// [`ecdsa::sign_recoverable`] with each digest and key, row by row, which takes longer than
    /// [`OneThread::sign_ecdsa_in_columns`]. Constant time.
    ///
    /// # Errors
    /// As above.
    pub fn sign_ecdsa_recoverable_in_columns(
        self,
        digests: Column<'_>,
        secrets: Column<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &ecdsa::Signature, RecoveryId),
    ) -> Result<(), Error> {
        let columns = [(digests, Some(32)), (secrets, Some(32))];
        self.blocks(Operation::SignEcdsa, &columns, verdicts, workspace, |first, verdicts, _| {
            let keys = read_keys(secrets, first, verdicts);
            let digests = read_words(digests, first, verdicts.len());
            for i in valid(verdicts) {
                let (signature, id) = ecdsa::sign_recoverable_on(self.unit(), BuiltIn, &digests[i], &keys[i]);
                answer(first + i, &signature, id);
            }
            Ok(())
        })
    }

    /// [`schnorr::sign`] with each message, key and auxiliary randomness. Constant time.
    ///
    /// # Errors
    /// As above.
    pub fn sign_schnorr_in_columns(
        self,
        messages: Column<'_>,
        secrets: Column<'_>,
        randomness: Column<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &schnorr::Signature),
    ) -> Result<(), Error> {
        let columns = [(messages, None), (secrets, Some(32)), (randomness, Some(32))];
        self.blocks(Operation::SignSchnorr, &columns, verdicts, workspace, |first, verdicts, memory| {
            let keys = read_keys(secrets, first, verdicts);
            let rows = ..verdicts.len();
            let mut publics = [PublicKey::GENERATOR; ROWS];
            // Takes no more memory than signing.
            self.public_keys(&keys[rows], &mut publics[rows], memory)?;
            let pairs: [Keypair; ROWS] = array::from_fn(|i| Keypair::of_row(&keys[i], publics[i]));
            let messages: [&[u8]; ROWS] =
                array::from_fn(|i| if i < verdicts.len() { messages.get(first + i) } else { &[] });
            let mut aux = read_words(randomness, first, verdicts.len());
            let mut found = [schnorr::Signature::PLACEHOLDER; ROWS];
            let signed = self.sign_schnorr(&messages[rows], &pairs[rows], &aux[rows], &mut found[rows], memory);
            wipe(&mut aux);
            signed?;
            valid(verdicts).for_each(|i| answer(first + i, &found[i]));
            Ok(())
        })
    }

    /// [`crate::ecdh::shared_secret`] of each public key (as [`PublicKey::from_bytes`] reads it) and secret key. A row has
    /// the verdict [`Verdict::BadPublicKey`] too. Constant time in the secret keys.
    ///
    /// # Errors
    /// As above.
    pub fn shared_secrets_in_columns(
        self,
        publics: Column<'_>,
        secrets: Column<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &[u8; 32]),
    ) -> Result<(), Error> {
        let columns = [(publics, None), (secrets, Some(32))];
        self.blocks(Operation::SharedSecrets, &columns, verdicts, workspace, |first, verdicts, memory| {
            let keys = read_keys(secrets, first, verdicts);
            let rows = ..verdicts.len();
            let encoded: [&[u8]; ROWS] =
                array::from_fn(|i| if i < verdicts.len() { publics.get(first + i) } else { &[] });
            let mut read = [const { Err(Error::BadPublicKey) }; ROWS];
            self.decompress(&encoded[rows], &mut read[rows], memory)?;
            let mut publics = [PublicKey::GENERATOR; ROWS];
            for ((public, read), verdict) in publics.iter_mut().zip(read).zip(verdicts.iter_mut()) {
                match read {
                    Ok(key) => *public = key,
                    Err(error) => *verdict = error.into(),
                }
            }
            let mut found = [[0; 32]; ROWS];
            let shared = self.shared_secrets(&publics[rows], &keys[rows], &mut found[rows], memory);
            if shared.is_ok() {
                valid(verdicts).for_each(|i| answer(first + i, &found[i]));
            }
            wipe(&mut found);
            shared
        })
    }

    /// Calls `work` with the first row and the verdicts of each block, and with a workspace for it, once the columns have
    /// been found to be of these widths and of as many rows as there are verdicts.
    fn blocks(
        self,
        operation: Operation,
        columns: &[(Column<'_>, Option<usize>)],
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut work: impl FnMut(usize, &mut [Verdict], &mut [CacheLine]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        verdicts.fill(Verdict::InvalidSignature);
        for (column, width) in columns {
            Error::check_lengths(column.len(), verdicts.len())?;
            if width.is_some_and(|width| width != column.width()) {
                return Err(Error::BadColumn);
            }
        }
        let (needed, given) = (self.lines(operation, verdicts.len().min(ROWS)), workspace.len());
        if given < needed {
            return Err(Error::WorkspaceTooSmall { needed, given });
        }
        let mut blocks = (0..).step_by(ROWS).zip(verdicts.chunks_mut(ROWS));
        blocks.try_for_each(|(first, verdicts)| SecretBlockStack::cleared(|| work(first, verdicts, workspace)))
    }
}

/// The secret keys of the rows from `first` on, whose verdicts it writes; one where there is no key, or no row.
#[inline(always)]
fn read_keys(secrets: Column<'_>, first: usize, verdicts: &mut [Verdict]) -> [SecretKey; ROWS] {
    array::from_fn(|i| {
        let found = match verdicts.get_mut(i) {
            None => Err(Error::BadSecretKey),
            Some(verdict) => {
                let found = SecretKey::from_slice(secrets.get(first + i));
                *verdict = if found.is_ok() { Verdict::Valid } else { Verdict::MalformedRow };
                found
            }
        };
        found.unwrap_or_else(|_| SecretKey::from_bytes(&ONE).expect("one is a secret key"))
    })
}

/// The 32 bytes of each of `rows` rows from `first` on.
#[inline(always)]
fn read_words(column: Column<'_>, first: usize, rows: usize) -> [[u8; 32]; ROWS] {
    let mut words = [[0; 32]; ROWS];
    words[..rows].iter_mut().enumerate().for_each(|(i, word)| word.copy_from_slice(column.get(first + i)));
    words
}

/// The rows of a block that are valid so far.
fn valid(verdicts: &[Verdict]) -> impl Iterator<Item = usize> {
    verdicts.iter().enumerate().filter(|(_, verdict)| verdict.is_valid()).map(|(i, _)| i)
}
