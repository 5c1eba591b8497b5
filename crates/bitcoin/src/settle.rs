//! Which claims of scripts are true: bulk calls over the checks of many inputs.

use phalanx::Batch;

use crate::answer::answer;
use crate::check::{Check, Claim, MultisigClaim};

/// A check, by whose claim it was asked, and its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    pub(crate) owner: usize,
    pub(crate) check: Check,
    pub(crate) holds: bool,
    /// Whether consensus comes to it, if all claims of the owner are true.
    pub(crate) tried: bool,
}

/// What is known of the claims of some owners.
#[derive(Debug)]
pub(crate) struct Settled {
    /// For each owner, whether all its claims are true.
    pub(crate) holds: Vec<bool>,
    /// Every check that was asked, in the order of the owners.
    pub(crate) answered: Vec<Answered>,
}

/// A claim that is not settled yet. Before its place signatures hold under keys.
struct Open<'c> {
    owner: usize,
    claim: &'c Claim,
    signature: usize,
    key: usize,
}

/// Finds out which claims are true. A CHECKMULTISIG takes a round more for each key that is passed over, 20 at most.
pub(crate) fn settle(batch: &Batch, claims: &[&[Claim]]) -> Settled {
    let mut holds = vec![true; claims.len()];
    let mut all = Vec::new();
    let mut open = Vec::new();
    for (owner, claims) in claims.iter().enumerate() {
        open.extend(claims.iter().map(|claim| Open { owner, claim, signature: 0, key: 0 }));
    }
    while !open.is_empty() {
        // The checks of each open claim, and how many there are.
        let mut asked = Vec::new();
        let counts: Vec<usize> = open.iter().map(|open| open.ask(&mut asked)).collect();
        let answers = answer(batch, &asked);
        let mut rest = asked.iter().zip(&answers);
        let mut next = Vec::new();
        for (mut open, count) in open.into_iter().zip(counts) {
            let own: Vec<_> = rest.by_ref().take(count).map(|(check, holds)| (*check, *holds)).collect();
            // What comes behind one that does not hold was asked in vain.
            let tried = own.iter().position(|(_, holds)| !holds).map_or(count, |place| place + 1);
            all.extend(own.iter().enumerate().map(|(place, (check, holds))| Answered {
                owner: open.owner,
                check: *check,
                holds: *holds,
                tried: place < tried,
            }));
            match open.learn(own.iter().map(|(_, holds)| *holds)) {
                Some(true) => {}
                Some(false) => holds[open.owner] = false,
                None => next.push(open),
            }
        }
        // Where one claim of an owner is false, its scripts run again: no more needs to be known.
        next.retain(|open| holds[open.owner]);
        open = next;
    }
    all.sort_by_key(|answered| answered.owner);
    Settled { holds, answered: all }
}

impl Open<'_> {
    /// Appends the checks of this round; returns their number.
    fn ask(&self, asked: &mut Vec<Check>) -> usize {
        match self.claim {
            Claim::One(check) => {
                asked.push(*check);
                1
            }
            Claim::Multisig(claim) => {
                let places = (self.signature..claim.signatures.len()).zip(self.key..claim.keys.len());
                let before = asked.len();
                asked.extend(places.map_while(|(signature, key)| claim.pair(signature, key)));
                asked.len() - before
            }
        }
    }

    /// Takes the answers to this round's checks. Returns whether the claim is true, once that is known.
    fn learn(&mut self, mut answers: impl Iterator<Item = bool>) -> Option<bool> {
        let MultisigClaim { signatures, keys } = match self.claim {
            // Without an answer nothing holds.
            Claim::One(_) => return Some(answers.next() == Some(true)),
            Claim::Multisig(claim) => claim,
        };
        let matched = answers.take_while(|holds| *holds).count();
        self.signature += matched;
        self.key += matched;
        if self.signature == signatures.len() {
            return Some(true);
        }
        // The next key has been tried, or is no key.
        self.key += 1;
        let enough = keys.len().checked_sub(self.key).is_some_and(|keys| keys >= signatures.len() - self.signature);
        if enough { None } else { Some(false) }
    }
}
