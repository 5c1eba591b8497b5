//! Verification of many rows.

use super::{
    Bulk, Operation, Rows,
    key_tables::{ByTables, Keyed, TableKernels, TableRows, TableScheduler, WithoutTables},
    rows::{check, sealed},
};
use crate::{Error, LowS, Verdict, ecdsa, schnorr};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::CacheLine;

/// Computes rows by the code of a backend that takes tables of keys.
type ByCode<'a, R> = dyn Fn(&dyn TableKernels, TableRows<'_, R>, &mut [Verdict], &mut [CacheLine]) + Sync + 'a;

/// How rows are computed by the code of a backend that takes tables of keys, and what that takes.
struct WithTables<'a, R> {
    compute: &'a ByCode<'a, R>,
    /// The cache lines that it takes for a given number of rows.
    lines: fn(&dyn TableKernels, usize) -> usize,
}

impl Bulk {
    /// [`ecdsa::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, LowS, PublicKeyRef, Verdict, ecdsa};
    /// let row = ecdsa::Row {
    ///     digest: &[1; 32],
    ///     signature: ecdsa::SignatureRef::Compact(&[1; 64]),
    ///     public_key: PublicKeyRef::Encoded(&[0; 33]),
    /// };
    /// assert_eq!(Bulk::new().verify_ecdsa(&[row], LowS::Allow), [Verdict::BadPublicKey]);
    /// ```
    pub fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        self.ecdsa_verdicts(&rows, low_s, &mut out);
        out
    }

    /// [`Bulk::verify_ecdsa`] into the caller's slice, of rows in a slice or in columns. A thread keeps the memory
    /// that it computes in from call to call, so that a later call of no more rows allocates nothing, unless keys
    /// repeat or the system's threads do.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows. Then every verdict is
    /// [`Verdict::InvalidSignature`].
    pub fn verify_ecdsa_into<'r>(
        &self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.ecdsa_verdicts(&rows, low_s, out);
        Ok(())
    }

    fn ecdsa_verdicts<'r>(&self, rows: &dyn sealed::Rows<ecdsa::Row<'r>>, low_s: LowS, out: &mut [Verdict]) {
        let tables = WithTables {
            compute: &|code, rows, out, memory| code.verify_ecdsa(rows, low_s, out, memory),
            lines: |code, rows| code.lines_of_ecdsa(rows),
        };
        let ordinary = |rows: &[_], out: &mut [_], memory: &mut [_]| {
            self.kernels().verify_ecdsa(rows, low_s, out, memory);
        };
        self.verify(Operation::VerifyEcdsa, rows, &ordinary, &tables, out);
    }

    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes()];
    /// let keys = [pair.x_only()];
    /// let verdicts = Bulk::new().verify_schnorr(&schnorr::rows(&[b"m"], &signatures, &keys)?);
    /// assert!(verdicts[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        self.schnorr_verdicts(&rows, &mut out);
        out
    }

    /// [`Bulk::verify_schnorr`] into the caller's slice, as [`Bulk::verify_ecdsa_into`].
    ///
    /// # Errors
    /// As [`Bulk::verify_ecdsa_into`].
    pub fn verify_schnorr_into<'r>(&self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.schnorr_verdicts(&rows, out);
        Ok(())
    }

    fn schnorr_verdicts<'r>(&self, rows: &dyn sealed::Rows<schnorr::Row<'r>>, out: &mut [Verdict]) {
        let tables = WithTables {
            compute: &|code, rows, out, memory| code.verify_schnorr(rows, out, memory),
            lines: |code, rows| code.lines_of_schnorr(rows),
        };
        let ordinary = |rows: &[_], out: &mut [_], memory: &mut [_]| {
            self.kernels().verify_schnorr(rows, out, memory);
        };
        self.verify(Operation::VerifySchnorr, rows, &ordinary, &tables, out);
    }

    /// Writes the verdicts of rows: by tables of keys that many rows share, where the backend has these, else
    /// without.
    fn verify<'r, R: Keyed + 'r>(
        &self,
        operation: Operation,
        rows: &dyn sealed::Rows<R>,
        ordinary: &WithoutTables<'_, R>,
        by_tables: &WithTables<'_, R>,
        out: &mut [Verdict],
    ) {
        // Stands where no kernel writes, which would be an error of this program.
        out.fill(Verdict::InvalidSignature);
        let (kernels, threads, kept) = (self.kernels(), &self.threads, &*self.kept);
        let table_kernels = kernels.table_kernels();
        let prepared: &ByTables<'_, R> = &|rows, out, memory| {
            if let Some(code) = table_kernels {
                (by_tables.compute)(code, rows, out, memory);
            }
        };
        TableScheduler {
            table_kernels,
            threads,
            kept,
            rows,
            ordinary,
            ordinary_lines: &|rows| kernels.lines(operation, rows),
            prepared,
            prepared_lines: &|rows| table_kernels.map_or(0, |code| (by_tables.lines)(code, rows)),
        }
        .verify(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Keypair, SecretKey, XOnlyKeyRef, ecdsa::SignatureRef, keys::PublicKeyRef};

    /// The rows are under one key, and there are enough of them for a table to pay.
    #[test]
    fn a_row_that_no_kernel_writes_is_not_valid() {
        let pair = Keypair::from_secret(SecretKey::from_bytes(&[7; 32]).unwrap());
        let (key, x_only) = (pair.public_key(), pair.x_only());
        let signature = ecdsa::sign(&[1; 32], pair.secret_key());
        let row = ecdsa::Row {
            digest: &[1; 32],
            signature: SignatureRef::Parsed(&signature),
            public_key: PublicKeyRef::Parsed(&key),
        };
        let signature = schnorr::sign(&[1; 32], &pair, &[0; 32]).to_bytes();
        let schnorr_row =
            schnorr::Row { message: &[1; 32], signature: &signature, public_key: XOnlyKeyRef::Parsed(&x_only) };
        for backend in Backend::available() {
            let bulk = Bulk::builder().backend(*backend).build().unwrap();
            for count in [1, 8, 300] {
                let (rows, schnorr_rows) = (vec![row; count], vec![schnorr_row; count]);
                let mut found = [vec![Verdict::Valid; count], vec![Verdict::Valid; count]];
                let [ecdsa, schnorr] = &mut found;
                let none = WithTables { compute: &|_, _, _, _| {}, lines: |_, _| 0 };
                bulk.verify(Operation::VerifyEcdsa, &&rows[..], &|_, _, _| {}, &none, ecdsa);
                let none = WithTables { compute: &|_, _, _, _| {}, lines: |_, _| 0 };
                bulk.verify(Operation::VerifySchnorr, &&schnorr_rows[..], &|_, _, _| {}, &none, schnorr);
                assert_eq!(found, [vec![Verdict::InvalidSignature; count], vec![Verdict::InvalidSignature; count]]);
            }
            assert_eq!(bulk.verify_ecdsa(&[row; 300], LowS::Require), [Verdict::Valid; 300]);
        }
    }
}
