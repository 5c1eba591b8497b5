//! What a batch is computed by: the threads of a [`Batch`], or the calling thread in the caller's memory.

use super::Batch;
use crate::{
    LowS, OneThread, PublicKey, Verdict,
    bulk::Rows,
    ecdsa,
    group::Jacobian,
    msm::{self, Products},
    schnorr,
};
use phalanx_engine::word::CacheLine;

/// An x below p, and the parity of a y.
pub(super) type XAndParity = ([u64; 4], bool);

/// The work of a batch. No `dyn`: what computes in Go's image takes no address from memory.
pub(super) trait BatchBackend {
    /// The points with these x and parities, where there is one.
    fn lift(&mut self, x: &[XAndParity], out: &mut [Option<PublicKey>]);
    /// Rows one by one. There are as many verdicts as rows.
    fn verify_ecdsa<'r>(&mut self, rows: impl Rows<ecdsa::Row<'r>>, low_s: LowS, out: &mut [Verdict]);
    /// Rows one by one. There are as many verdicts as rows.
    fn verify_schnorr<'r>(&mut self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]);
    /// The sum of products.
    fn sum(&mut self, products: Products<'_>) -> Jacobian;
}

impl BatchBackend for &Batch {
    fn lift(&mut self, x: &[XAndParity], out: &mut [Option<PublicKey>]) {
        self.bulk.lift(x, out);
    }

    fn verify_ecdsa<'r>(&mut self, rows: impl Rows<ecdsa::Row<'r>>, low_s: LowS, out: &mut [Verdict]) {
        out.copy_from_slice(&self.bulk.verify_ecdsa(rows, low_s));
    }

    fn verify_schnorr<'r>(&mut self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]) {
        out.copy_from_slice(&self.bulk.verify_schnorr(rows));
    }

    fn sum(&mut self, products: Products<'_>) -> Jacobian {
        self.msm.sum(products)
    }
}

/// The calling thread.
pub(super) struct InWorkspace<'m> {
    pub(super) bulk: OneThread,
    pub(super) memory: &'m mut [CacheLine],
}

impl InWorkspace<'_> {
    /// The lines with which the work on a given number of rows is fastest.
    pub(super) fn lines(bulk: OneThread, rows: usize) -> usize {
        msm::lines_of_sum(bulk, rows + 1, rows).max(bulk.workspace_lines())
    }

    /// Whether so many lines are enough for that work, and so for that on fewer rows.
    pub(super) fn are_enough(bulk: OneThread, rows: usize, lines: usize) -> bool {
        lines >= bulk.workspace_lines() && msm::sum_fits(bulk, rows + 1, rows, lines)
    }
}

impl BatchBackend for InWorkspace<'_> {
    fn lift(&mut self, x: &[XAndParity], out: &mut [Option<PublicKey>]) {
        self.bulk.lift(x, out, self.memory);
    }

    fn verify_ecdsa<'r>(&mut self, rows: impl Rows<ecdsa::Row<'r>>, low_s: LowS, out: &mut [Verdict]) {
        let done = self.bulk.ecdsa_verdicts(rows, low_s, out, self.memory);
        assert_eq!(done, Ok(()), "a verdict for each row, and memory for them");
    }

    fn verify_schnorr<'r>(&mut self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]) {
        let done = self.bulk.schnorr_verdicts(rows, out, self.memory);
        assert_eq!(done, Ok(()), "a verdict for each row, and memory for them");
    }

    fn sum(&mut self, products: Products<'_>) -> Jacobian {
        msm::sum_in(self.bulk, products, self.memory).expect("memory for a sum of no more rows")
    }
}
