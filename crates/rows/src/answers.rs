//! The one way from a block of rows to their outcomes.

use crate::batching::Verifier;
use crate::block::RowBlock;
use crate::outcome::Answers;
use crate::policy::Policy;
use crate::recover::recover;
use crate::roles::RowJob;
use crate::verify::verify;

/// Answers a job's question for each row of a block, on the calling thread: by bulk operations, or by one sum for many
/// rows where the verifier expects that to be faster. Answers depend neither on that nor on how rows are cut into
/// blocks.
///
/// Checks are made in the order of [`phalanx::Verdict`], and the first that fails is the verdict.
pub fn answer(job: RowJob, verifier: &Verifier, policy: Policy, block: &RowBlock<'_>) -> Answers {
    match job {
        RowJob::Verify => verify(verifier, policy, block),
        RowJob::Recover => recover(verifier.bulk(), policy, block),
    }
}
