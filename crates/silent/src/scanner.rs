//! A receiver who scans: scan secret, spend key, labels.

use std::collections::BTreeSet;
use std::fmt;

use phalanx::bindings::payments::Receiver;
use phalanx::{PublicKey, SecretKey};

use crate::address::labelled_key;
use crate::wipe::{SINGLE, cleared};
use crate::{Address, Error, MAX_LABELS, hash};

/// The keys of a receiver who scans. Secrets are wiped on drop.
///
/// The spend key is public: nobody can spend by what is in here. The scan secret tells who holds it which payments are
/// the receiver's.
///
/// ```
/// use phalanx::SecretKey;
/// use phalanx_silent::Scanner;
/// let (scan, spend) = (SecretKey::random(), SecretKey::random());
/// let scanner = Scanner::new(&scan, spend.public_key(), [1, 2])?;
/// assert!(scanner.address(true).to_string().starts_with("sp1q"));
/// # Ok::<(), phalanx_silent::Error>(())
/// ```
pub struct Scanner {
    spend: PublicKey,
    labels: Vec<Label>,
    receiver: Receiver,
}

struct Label {
    number: u32,
    tweak: SecretKey,
}

impl Scanner {
    /// The keys of a receiver. Label 0, by which change comes back, is always among the labels; one that is there twice
    /// counts once. Constant time in the scan secret. A label takes about 20 microseconds here, and one more addition
    /// for each row that is scanned and for each output that is found.
    ///
    /// # Errors
    /// [`Error::TooManyLabels`], [`Error::BadLabel`].
    pub fn new(scan: &SecretKey, spend: PublicKey, labels: impl IntoIterator<Item = u32>) -> Result<Scanner, Error> {
        let numbers = numbered(labels)?;
        // No list grows, because one that does leaves its secrets behind.
        let (mut labels, mut keys) = (Vec::with_capacity(numbers.len()), Vec::with_capacity(numbers.len() + 1));
        keys.push(spend);
        for number in numbers {
            cleared::<SINGLE, _>(|| {
                let tweak = hash::label_tweak(scan, number)?;
                keys.push(labelled_key(&spend, &tweak, number)?);
                labels.push(Label { number, tweak });
                Ok(())
            })?;
        }
        let receiver = Receiver::new(scan, &keys);
        Ok(Scanner { spend, labels, receiver })
    }

    /// The address without a label.
    pub fn address(&self, mainnet: bool) -> Address {
        Address::new(self.scan().public_key(), self.spend, mainnet)
    }

    /// The address of a label.
    ///
    /// # Errors
    /// [`Error::BadLabel`].
    pub fn labelled_address(&self, label: u32, mainnet: bool) -> Result<Address, Error> {
        Address::labelled(self.scan(), &self.spend, label, mainnet)
    }

    pub(crate) fn scan(&self) -> &SecretKey {
        self.receiver.scan()
    }

    pub(crate) fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    /// The label of a spend key, by its number among the receiver's: the first has none.
    pub(crate) fn label(&self, spend_key: usize) -> Option<(u32, &SecretKey)> {
        let label = &self.labels[spend_key.checked_sub(1)?];
        Some((label.number, &label.tweak))
    }
}

/// The labels in order, and label 0.
fn numbered(labels: impl IntoIterator<Item = u32>) -> Result<BTreeSet<u32>, Error> {
    let mut numbers = BTreeSet::from([0]);
    for label in labels {
        numbers.insert(label);
        if numbers.len() > MAX_LABELS {
            return Err(Error::TooManyLabels);
        }
    }
    Ok(numbers)
}

impl fmt::Debug for Scanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanner").field("labels", &self.labels.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_counted_to_the_limit() {
        let most = MAX_LABELS as u32;
        // Label 0 counts, whether it is given or not.
        for labels in [0..most, 1..most] {
            assert_eq!(numbered(labels.clone().chain(labels)).map(|numbers| numbers.len()), Ok(MAX_LABELS));
        }
        for labels in [0..most + 1, 1..most + 1] {
            assert_eq!(numbered(labels), Err(Error::TooManyLabels));
        }
    }
}
