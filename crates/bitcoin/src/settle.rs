//! Which claims of scripts are true: bulk calls over the checks of many inputs.
//!
//! CHECKMULTISIG is settled in rounds, since a key that is passed over changes which pairs of a signature and a key
//! consensus tries next. A round asks the pairs that consensus tries if all of them hold: [`PAIRS`] at first, and twice
//! as many after each round in which all hold. After a pair that fails, the next round asks one pair. It asks [`PAIRS`]
//! once no more keys than signatures are left, because then one more failure ends the CHECKMULTISIG.
//!
//! This bounds the pairs asked in vain. Take a run of rounds up to the next pair that fails, the first of which asks `b`
//! pairs. Before a round of `w` pairs, `w - b` pairs of the run held. Consensus tries at least one pair of the round, so
//! at most `w - 1` are in vain: `b - 1`, and one for each pair that held. `b` is [`PAIRS`] in at most two runs, else 1.
//! A run without a failure has none in vain. So if consensus tries `t` pairs, `f` of which fail, at most
//! `t - f + (PAIRS - 1) * min(f, 2)` are in vain, which is at most `(PAIRS - 1) * t`.

use phalanx::Batch;

use crate::answer::answer;
use crate::check::{Check, Claim};

/// How many pairs of a signature and a key a CHECKMULTISIG asks at first. Most scripts need fewer signatures.
const PAIRS: usize = 4;

/// A check, by whose claim it was asked, and its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    pub(crate) owner: usize,
    /// The claim's number among those of all owners.
    claim: usize,
    pub(crate) check: Check,
    pub(crate) holds: bool,
    /// Whether consensus comes to it, if the owner's claims end as they were taken to.
    pub(crate) tried: bool,
}

/// What is known of the claims of some owners.
#[derive(Debug)]
pub(crate) struct Settled {
    /// For each owner, whether all its claims end as they were taken to.
    pub(crate) holds: Vec<bool>,
    /// Every check that was asked, in the order of the owners, and of consensus within each.
    pub(crate) answered: Vec<Answered>,
}

/// A claim that is not settled yet. Before its place signatures hold under keys.
struct Open<'c> {
    owner: usize,
    number: usize,
    claim: &'c Claim,
    signature: usize,
    key: usize,
    /// How many pairs the next round asks at most.
    pairs: usize,
}

/// Finds out which claims are true.
pub(crate) fn settle(batch: &Batch, claims: &[&[Claim]]) -> Settled {
    let mut holds = vec![true; claims.len()];
    let mut all = Vec::new();
    let mut open = Vec::new();
    let owned = claims.iter().enumerate().flat_map(|(owner, claims)| claims.iter().map(move |claim| (owner, claim)));
    for (number, (owner, claim)) in owned.enumerate() {
        match claim {
            Claim::Known(check, holds) => {
                all.push(Answered { owner, claim: number, check: *check, holds: *holds, tried: true });
            }
            _ => open.push(Open { owner, number, claim, signature: 0, key: 0, pairs: PAIRS }),
        }
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
            let held = own.iter().take_while(|(_, holds)| *holds).count();
            // What comes behind one that does not hold was asked in vain.
            all.extend(own.iter().enumerate().map(|(place, (check, holds))| Answered {
                owner: open.owner,
                claim: open.number,
                check: *check,
                holds: *holds,
                tried: place <= held,
            }));
            match open.learn(held) {
                Some(found) if found == open.claim.assumed() => {}
                Some(_) => holds[open.owner] = false,
                None => next.push(open),
            }
        }
        // Where one claim of an owner is false, its scripts run again: no more needs to be known.
        next.retain(|open| holds[open.owner]);
        open = next;
    }
    all.sort_by_key(|answered| answered.claim);
    Settled { holds, answered: all }
}

impl Open<'_> {
    /// Appends the checks of this round; returns their number.
    fn ask(&self, asked: &mut Vec<Check>) -> usize {
        match self.claim {
            Claim::One(check) | Claim::Known(check, _) => {
                asked.push(*check);
                1
            }
            Claim::Multisig(claim) => {
                let places = (self.signature..claim.signatures.len()).zip(self.key..claim.keys.len());
                let before = asked.len();
                asked.extend(places.take(self.pairs).map_while(|(signature, key)| claim.pair(signature, key)));
                asked.len() - before
            }
        }
    }

    /// Takes how many of this round's checks hold, up to the first that does not. Returns whether the claim is true,
    /// once that is known.
    fn learn(&mut self, held: usize) -> Option<bool> {
        let claim = match self.claim {
            // Without an answer nothing holds.
            Claim::One(_) | Claim::Known(..) => return Some(held == 1),
            Claim::Multisig(claim) => claim,
        };
        self.signature += held;
        self.key += held;
        if self.signature == claim.signatures.len() {
            return Some(claim.can_hold());
        }
        if held == self.pairs {
            self.pairs *= 2;
            return None;
        }
        // The next key has been tried, or is no key.
        self.key += 1;
        let keys = claim.keys.len().checked_sub(self.key);
        let Some(spare) = keys.and_then(|keys| keys.checked_sub(claim.needed - self.signature)) else {
            return Some(false);
        };
        self.pairs = if spare == 0 { PAIRS } else { 1 };
        None
    }
}

/// The most checks that it takes to settle a claim.
pub(crate) fn most_checks(claim: &Claim) -> usize {
    match claim {
        Claim::One(_) | Claim::Known(..) => 1,
        // Consensus tries each key once, and what is in vain is bounded.
        Claim::Multisig(claim) => claim.keys.len() + claim.needed + 2 * (PAIRS - 1),
    }
}
