//! Addresses from rows of signing hashes and signatures.

use crate::address::address_of;
use phalanx::ecdsa::Signature;
use phalanx::{Bulk, Column, ColumnOptions, Error, LowS, Operation, Verdict};

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
        // Half the group order begins with the byte 7f.
        self.signature[32] >= 0x7f && Signature::from_compact(&self.signature).is_ok_and(|found| found.is_high_s())
    }
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
        let options = ColumnOptions { uncompressed: true, ..ColumnOptions::default() };
        let mut verdicts = vec![Verdict::InvalidSignature; rows.len()];
        let hash = |row: usize, _: usize, key: &[u8]| found[row] = Ok(address_of(key));
        one_thread
            .in_columns(Operation::Recover, &columns, options, &mut verdicts, workspace, hash)
            .expect("columns of recovery, of one length, and a chunk's workspace");
        for ((row, verdict), found) in rows.iter().zip(verdicts).zip(found) {
            if low_s == LowS::Require && row.is_high_s() {
                *found = Err(Error::HighS);
            } else if verdict == Verdict::OutOfRange {
                *found = Err(Error::OutOfRange);
            } else if !verdict.is_valid() {
                *found = Err(Error::InvalidSignature);
            }
        }
    });
    found
}
