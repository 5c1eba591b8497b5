//! What is known of the answers that scripts ask for.

use std::collections::HashMap;

use phalanx::Batch;
use phalanx::hash::sha256;

use crate::answer::answer;
use crate::check::{Check, Claim, MultisigClaim};

/// The size of a transaction, in bytes, from which on its legacy digests are kept: twice that of the longest code.
pub(crate) const LARGE: usize = 20_000;

/// Answers scripts that ask for checks.
#[derive(Debug)]
pub(crate) struct Judge<'b> {
    batch: &'b Batch,
    /// The checks so far, to be settled with those of others. `None` if nothing is taken for true.
    claims: Option<Vec<Claim>>,
    /// What is known.
    answers: HashMap<Check, bool>,
    /// Where nothing is taken for true: the checks so far.
    asked: Vec<(Check, bool)>,
    digests: KnownDigests,
}

/// Legacy digests of an input of a large transaction, by a hash of the code and of the sighash type. Each takes a hash
/// of the whole transaction, so they are kept for the second run.
pub(crate) type KnownDigests = HashMap<[u8; 32], [u8; 32]>;

/// What a judge was asked, in the order of the script.
pub(crate) struct Hearing {
    /// The checks of a judge that takes checks for true.
    pub(crate) claims: Vec<Claim>,
    /// The checks of a judge that knows or computes each answer.
    pub(crate) asked: Vec<(Check, bool)>,
    pub(crate) digests: KnownDigests,
}

impl<'b> Judge<'b> {
    /// Takes checks for true.
    pub(crate) fn assuming(batch: &'b Batch) -> Judge<'b> {
        Judge { claims: Some(Vec::new()), ..Judge::knowing(batch, []) }
    }

    /// Knows some answers, and computes all others one by one.
    pub(crate) fn knowing(batch: &'b Batch, answers: impl IntoIterator<Item = (Check, bool)>) -> Judge<'b> {
        Judge {
            batch,
            claims: None,
            answers: answers.into_iter().collect(),
            asked: Vec::new(),
            digests: KnownDigests::new(),
        }
    }

    /// Knows these digests, too.
    pub(crate) fn with_digests(self, digests: KnownDigests) -> Judge<'b> {
        Judge { digests, ..self }
    }

    pub(crate) fn finish(self) -> Hearing {
        Hearing { claims: self.claims.unwrap_or_default(), asked: self.asked, digests: self.digests }
    }

    /// The digest of the input's legacy signatures over some code, which is computed unless it is known. `size` is that
    /// of the transaction.
    pub(crate) fn legacy_digest(
        &mut self,
        size: usize,
        code: &[u8],
        hash_type: u8,
        compute: impl FnOnce() -> [u8; 32],
    ) -> [u8; 32] {
        if size < LARGE {
            return compute();
        }
        *self.digests.entry(sha256(&[code, &[hash_type]].concat())).or_insert_with(compute)
    }

    /// Whether a check holds, or is taken to.
    pub(crate) fn ask(&mut self, check: Check) -> bool {
        match &mut self.claims {
            Some(claims) => {
                claims.push(Claim::One(check));
                true
            }
            None => self.prove(check),
        }
    }

    /// Whether a check holds.
    pub(crate) fn prove(&mut self, check: Check) -> bool {
        let holds = *self.answers.entry(check).or_insert_with(|| answer(self.batch, &[check]) == [true]);
        match &mut self.claims {
            Some(claims) => claims.push(Claim::Known(check, holds)),
            None => self.asked.push((check, holds)),
        }
        holds
    }

    /// The result of a CHECKMULTISIG to go on with, if checks are taken for true.
    pub(crate) fn assume(&mut self, claim: MultisigClaim) -> Option<bool> {
        let claims = self.claims.as_mut()?;
        let holds = claim.can_hold();
        claims.push(Claim::Multisig(claim));
        Some(holds)
    }
}
