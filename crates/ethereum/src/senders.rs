//! Addresses from rows of signing hashes and signatures.

use crate::address::address_of;
use alloc::{vec, vec::Vec};
use phalanx::ecdsa::Signature;
use phalanx::{
    Bulk, Error, LowS, Verdict,
    bindings::{CacheLine, Column, ColumnOptions, OneThread, Operation},
};

/// A signature, and the hash that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SenderRow {
    /// The hash that was signed.
    pub signing_hash: [u8; 32],
    /// r and s, 32 bytes each, most significant byte first.
    pub signature: [u8; 64],
    /// Whether the y of the nonce point is odd: the recovery id is 1, and otherwise 0.
    pub odd_y: bool,
}

impl SenderRow {
    /// Whether r and s are in range, and s is above half the group order.
    pub(crate) fn is_high_s(&self) -> bool {
        is_high_s(&self.signature)
    }
}

/// The same of r and s, 64 bytes.
fn is_high_s(signature: &[u8]) -> bool {
    // Half the group order begins with the byte 7f.
    signature[32] >= 0x7f && Signature::from_compact(signature).is_ok_and(|found| found.is_high_s())
}

/// The address that made each signature, or why there is none. Answers are in the order of the rows. Variable time.
///
/// Keys are recovered on the backend and the threads of `bulk`, and hashed by Keccak-256 on the same threads. A row
/// fails with [`Error::OutOfRange`] if r or s is zero or not below the group order, with [`Error::HighS`] if the policy
/// refuses its s, and with [`Error::InvalidSignature`] if no key can have made it. They are checked in this order.
///
/// ```
/// use phalanx::{Bulk, Error, LowS, SecretKey, ecdsa};
/// use phalanx_ethereum::{SenderRow, address, senders};
/// let secret = SecretKey::from_bytes(&[7; 32])?;
/// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
/// let row = SenderRow { signing_hash: [1; 32], signature: signature.to_compact(), odd_y: id.to_u8() == 1 };
/// let zero = SenderRow { signature: [0; 64], ..row };
/// let found = senders(&Bulk::new(), &[row, zero], LowS::Require);
/// assert_eq!(found, [Ok(address(&secret.public_key())), Err(Error::OutOfRange)]);
/// # Ok::<(), Error>(())
/// ```
pub fn senders(bulk: &Bulk, rows: &[SenderRow], low_s: LowS) -> Vec<Result<[u8; 20], Error>> {
    let mut found = vec![Err(Error::InvalidSignature); rows.len()];
    bulk.in_chunks(&mut found, |range, found, one_thread, workspace| {
        let rows = &rows[range];
        let hashes: Vec<_> = rows.iter().map(|row| row.signing_hash).collect();
        let signatures: Vec<_> = rows.iter().map(|row| row.signature).collect();
        let ids: Vec<_> = rows.iter().map(|row| [u8::from(row.odd_y)]).collect();
        let columns = [Column::of(&hashes), Column::of(&signatures), Column::of(&ids)];
        let mut verdicts = vec![Verdict::InvalidSignature; rows.len()];
        let answer = |row: usize, address: &[u8; 20]| found[row] = Ok(*address);
        senders_in_columns(one_thread, &columns, low_s, &mut verdicts, workspace, answer)
            .expect("columns of senders, of one length, and a chunk's workspace");
        for (verdict, found) in verdicts.into_iter().zip(found) {
            match verdict {
                Verdict::Valid => {}
                Verdict::HighS => *found = Err(Error::HighS),
                Verdict::OutOfRange => *found = Err(Error::OutOfRange),
                _ => *found = Err(Error::InvalidSignature),
            }
        }
    });
    found
}

/// The addresses of rows in columns, on one thread: signing hashes (32 bytes), signatures (r and s, 64 bytes), and
/// parities (1 byte: [`SenderRow::odd_y`]). Variable time. It allocates nothing.
///
/// Every row gets a verdict, and `answer` is called for each valid row, with its number and its address. The verdicts
/// are the errors of [`senders`], in the same order. A parity above 1 is [`Verdict::OutOfRange`] too. The workspace is
/// of [`OneThread::workspace_lines`].
///
/// # Errors
/// As [`OneThread::in_columns`]. Then every verdict is [`Verdict::InvalidSignature`], and there is no answer.
///
/// ```
/// use phalanx::{LowS, SecretKey, Verdict, bindings::{CacheLine, Column, OneThread}, ecdsa};
/// use phalanx_ethereum::{address, senders_in_columns};
/// let (one, secret) = (OneThread::PORTABLE, SecretKey::from_bytes(&[7; 32])?);
/// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
/// let (hashes, signatures, parities) = ([[1; 32]; 2], [signature.to_compact(); 2], [[id.to_u8()], [2]]);
/// let columns = [Column::of(&hashes), Column::of(&signatures), Column::of(&parities)];
/// let mut workspace = vec![CacheLine([0; 8]); one.workspace_lines()];
/// let (mut verdicts, mut found) = ([Verdict::InvalidSignature; 2], Vec::new());
/// let answer = |row: usize, address: &[u8; 20]| found.push((row, *address));
/// senders_in_columns(one, &columns, LowS::Require, &mut verdicts, &mut workspace, answer)?;
/// assert_eq!(verdicts, [Verdict::Valid, Verdict::OutOfRange]);
/// assert_eq!(found, [(0, address(&secret.public_key()))]);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn senders_in_columns(
    one: OneThread,
    columns: &[Column<'_>],
    low_s: LowS,
    verdicts: &mut [Verdict],
    workspace: &mut [CacheLine],
    mut answer: impl FnMut(usize, &[u8; 20]),
) -> Result<(), Error> {
    // Called once recovery has found three columns of their widths. r and s out of range come before a high s.
    let refused = |row: usize| {
        if columns[2].get(row)[0] > 1 {
            Some(Verdict::OutOfRange)
        } else if low_s == LowS::Require && is_high_s(columns[1].get(row)) {
            Some(Verdict::HighS)
        } else {
            None
        }
    };
    let options = ColumnOptions { uncompressed: true, ..ColumnOptions::default() };
    one.in_columns(Operation::Recover, columns, options, verdicts, workspace, |row, _, key| {
        if refused(row).is_none() {
            answer(row, &address_of(key));
        }
    })?;
    for (row, verdict) in verdicts.iter_mut().enumerate() {
        if let Some(refused) = refused(row) {
            *verdict = refused;
        }
    }
    Ok(())
}
