//! Outcomes, counted.

use phalanx::{Class, Verdict};

use crate::outcome::Answers;

/// Rows counted by verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    verdicts: [u64; Verdict::ALL.len()],
    unsigned: u64,
    high_s: u64,
}

impl Tally {
    /// The rows of a block.
    pub fn of(answers: &Answers) -> Tally {
        let mut tally = Tally { high_s: answers.high_s, ..Tally::default() };
        for outcome in &answers.outcomes {
            let count = match outcome.is_unsigned() {
                true => &mut tally.unsigned,
                false => &mut tally.verdicts[outcome.verdict as usize],
            };
            *count += 1;
        }
        tally
    }

    /// Rows of which the verdicts alone are known.
    pub fn of_verdicts(verdicts: impl IntoIterator<Item = (Verdict, u64)>) -> Tally {
        let mut tally = Tally::default();
        for (verdict, count) in verdicts {
            tally.verdicts[verdict as usize] += count;
        }
        tally
    }

    /// Counts the rows of another tally too.
    pub fn add(&mut self, other: &Tally) {
        for (count, more) in self.verdicts.iter_mut().zip(other.verdicts) {
            *count += more;
        }
        self.unsigned += other.unsigned;
        self.high_s += other.high_s;
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.verdicts.iter().sum::<u64>() + self.unsigned
    }

    /// The rows with this verdict.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    /// The rows whose verdict has this class.
    pub fn class(&self, class: Class) -> u64 {
        let members = Verdict::ALL.iter().copied().filter(|verdict| verdict.class() == class);
        members.map(|verdict| self.verdict(verdict)).sum()
    }

    /// The rows without a signature, which have no verdict.
    pub fn unsigned(&self) -> u64 {
        self.unsigned
    }

    /// The rows whose ECDSA signature has s above half the group order, whatever their verdict.
    pub fn high_s(&self) -> u64 {
        self.high_s
    }

    /// The exit status of a command: the worst row decides. 0 if every row is valid or has no signature, 1 if some row is
    /// invalid and none malformed, 3 if some row is malformed.
    pub fn status(&self) -> u8 {
        if self.class(Class::Malformed) > 0 { 3 } else { u8::from(self.class(Class::Invalid) > 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_class_decides_the_status() {
        let status = |verdicts: &[(Verdict, u64)]| Tally::of_verdicts(verdicts.iter().copied()).status();
        assert_eq!(status(&[]), 0);
        assert_eq!(status(&[(Verdict::Valid, 9)]), 0);
        assert_eq!(status(&[(Verdict::Valid, 9), (Verdict::HighS, 1)]), 1);
        assert_eq!(status(&[(Verdict::MalformedRow, 1), (Verdict::HighS, 1)]), 3);
    }
}
