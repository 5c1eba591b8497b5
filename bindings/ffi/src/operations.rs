//! The list of the operations on rows that other languages call: the library's, batches, and senders of Ethereum.

pub use phalanx::operations_on_rows as library_operations;
use phalanx::{
    Error, Verdict,
    bindings::{
        CacheLine, Column, ColumnKind, ColumnOptions, Declaration, EcdsaColumns, HintedColumns, OneThread,
        Operation as LibraryOperation, SchnorrColumns, SharedKind,
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
            /// Verifies ECDSA signatures by sums of products over many rows, which is faster where there are a hundred and
            /// more of them and nearly all are valid. A recovery id is a hint: a wrong one costs time and changes no
            /// verdict, and a value above 3 gives no hint. A wrong row is valid with probability below 2^-124. Variable
            /// time.
            BatchEcdsa batch_ecdsa(
                digests: Digest, signatures: Signature, public_keys: PublicKey, recovery_ids: RecoveryId
            ) [flags: LowS, randomness: Randomness] -> ();
            /// Verifies Schnorr signatures of BIP-340 by sums of products over many rows, which is faster where there are a
            /// hundred and more of them and nearly all are valid. A wrong row is valid with probability below 2^-124.
            /// Variable time.
            BatchSchnorr batch_schnorr(
                messages: Message, signatures: SchnorrSignature, public_keys: XOnlyPublicKey
            ) [randomness: Randomness] -> ();
        }
    };
}

operations_on_rows!(declare_operations);

impl Operation {
    /// The workspace, in cache lines, with which the operation is fastest on `rows` rows.
    pub fn workspace_lines(self, one: OneThread, rows: usize) -> usize {
        match self {
            Operation::BatchEcdsa => one.lines_of_batch_ecdsa(rows),
            Operation::BatchSchnorr => one.lines_of_batch_schnorr(rows),
            _ => one.workspace_lines(),
        }
    }

    /// Computes the rows of the operation as [`OneThread::in_columns`] does.
    ///
    /// # Errors
    /// As [`OneThread::in_columns`].
    pub fn in_columns(
        self,
        one: OneThread,
        columns: &[Column<'_>],
        options: ColumnOptions<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, usize, &[u8]),
    ) -> Result<(), Error> {
        verdicts.fill(Verdict::InvalidSignature);
        match (self, columns) {
            (Operation::Senders, _) => {
                let answer = |row: usize, address: &[u8; 20]| answer(row, 0, address);
                senders_in_columns(one, columns, options.low_s, verdicts, workspace, answer)
            }
            (Operation::BatchEcdsa, &[digests, signatures, keys, ids]) => {
                let rows = HintedColumns::new(EcdsaColumns::new(digests, signatures, keys)?, ids)?;
                one.batch_ecdsa(rows, options.low_s, options.shared_secret()?, verdicts, workspace)
            }
            (Operation::BatchSchnorr, &[messages, signatures, keys]) => {
                let rows = SchnorrColumns::new(messages, signatures, keys)?;
                one.batch_schnorr(rows, options.shared_secret()?, verdicts, workspace)
            }
            _ => {
                let operation = LibraryOperation::ALL.get(self as usize).ok_or(Error::BadColumn)?;
                one.in_columns(*operation, columns, options, verdicts, workspace, answer)
            }
        }
    }
}
