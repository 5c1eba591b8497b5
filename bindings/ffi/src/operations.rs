//! The list of the operations on rows that other languages call: the library's, and senders of Ethereum.

pub use phalanx::operations_on_rows as library_operations;
use phalanx::{
    Error, Verdict,
    bindings::{
        CacheLine, Column, ColumnKind, ColumnOptions, Declaration, OneThread, Operation as LibraryOperation, SharedKind,
    },
    declare_operations,
};
use phalanx_ethereum::senders_in_columns;

/// Calls a macro with every operation: the library's list, in whose form the others follow.
#[macro_export]
macro_rules! operations_on_rows {
    ($then:ident) => {
        $crate::operations::library_operations! { $then
            /// Finds the Ethereum addresses that made ECDSA signatures of signing hashes. The parity of a row is 0, or 1
            /// where the y of the nonce point is odd; any other is out of range. Variable time.
            Senders senders(signing_hashes: Digest, signatures: Signature, parities: Parity) [flags: LowS]
                -> (addresses: Bytes(20));
        }
    };
}

operations_on_rows!(declare_operations);

impl Operation {
    /// Computes the rows of the operation as [`OneThread::in_columns`] does.
    ///
    /// # Errors
    /// As [`OneThread::in_columns`].
    pub fn in_columns(
        self,
        one: OneThread,
        columns: &[Column<'_>],
        options: ColumnOptions,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, usize, &[u8]),
    ) -> Result<(), Error> {
        match self {
            Operation::Senders => {
                let answer = |row: usize, address: &[u8; 20]| answer(row, 0, address);
                senders_in_columns(one, columns, options.low_s, verdicts, workspace, answer)
            }
            _ => {
                let operation = LibraryOperation::ALL.get(self as usize).ok_or(Error::BadColumn)?;
                one.in_columns(*operation, columns, options, verdicts, workspace, answer)
            }
        }
    }
}
