//! What is known of the answers that scripts ask for.

use std::collections::HashMap;

use phalanx::Batch;

use crate::answer::answer;
use crate::check::{Check, Claim, MultisigClaim};

/// Answers scripts that ask for checks.
#[derive(Debug)]
pub(crate) struct Judge<'b> {
    batch: &'b Batch,
    /// What was taken for true, to be verified with others; none where nothing is taken for true.
    claims: Option<Vec<Claim>>,
    /// What is known.
    answers: HashMap<Check, bool>,
    /// What was asked and not taken for true, in the order in which it was asked.
    asked: Vec<(Check, bool)>,
}

impl<'b> Judge<'b> {
    /// Takes checks for true.
    pub(crate) fn assuming(batch: &'b Batch) -> Judge<'b> {
        Judge { claims: Some(Vec::new()), ..Judge::knowing(batch, []) }
    }

    /// Knows some answers, and computes all others one by one.
    pub(crate) fn knowing(batch: &'b Batch, answers: impl IntoIterator<Item = (Check, bool)>) -> Judge<'b> {
        Judge { batch, claims: None, answers: answers.into_iter().collect(), asked: Vec::new() }
    }

    /// What was taken for true, and what else was asked.
    pub(crate) fn finish(self) -> (Vec<Claim>, Vec<(Check, bool)>) {
        (self.claims.unwrap_or_default(), self.asked)
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
        self.asked.push((check, holds));
        holds
    }

    /// Takes a claim for true if it takes checks for true; otherwise gives it back.
    pub(crate) fn assume(&mut self, claim: MultisigClaim) -> Result<(), MultisigClaim> {
        match &mut self.claims {
            Some(claims) => {
                claims.push(Claim::Multisig(claim));
                Ok(())
            }
            None => Err(claim),
        }
    }
}
