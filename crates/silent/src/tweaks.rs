//! Tweak points: what anybody can compute of a transaction, and an index holds.

use phalanx::{Bulk, PublicKey};
use phalanx_bitcoin::{Input, OutPoint, Output};

use crate::inputs::{InputKey, input_key};
use crate::{Error, hash};

/// The inputs of a transaction, and the outputs that they spend, in their order.
#[derive(Debug, Clone, Copy)]
pub struct Spending<'a> {
    /// The inputs.
    pub inputs: &'a [Input<'a>],
    /// What they spend.
    pub spent: &'a [Output<'a>],
}

/// The tweak points of transactions, by the rules of inputs that count: P2PKH with a compressed key wherever the script
/// has it, P2SH-P2WPKH, P2WPKH, and P2TR unless its internal key is the one that nobody has. The transactions are taken
/// to be valid. The sum of an input's keys is multiplied in bulk. Variable time: all is public.
///
/// An input of P2PKH takes a hash for each byte of its script at most, which is 10,000 bytes at most by consensus.
///
/// The answer to a transaction is an error if it has no tweak point: [`Error::NoEligibleInput`],
/// [`Error::UnknownWitnessVersion`], [`Error::ZeroSum`], [`Error::LengthMismatch`], [`Error::BadHash`]. Whether it pays
/// to taproot is not asked: without such an output there is nothing to scan.
pub fn tweaks(bulk: &Bulk, transactions: &[Spending<'_>]) -> Vec<Result<PublicKey, Error>> {
    let mut keys = Vec::new();
    let counting: Vec<_> = transactions.iter().map(|transaction| transaction.counting(&mut keys)).collect();
    let encoded: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    let mut read = bulk.decompress(&encoded).into_iter();

    let mut points = Vec::new();
    let (mut sums, mut hashes) = (Vec::new(), Vec::new());
    let mut answers = Vec::with_capacity(transactions.len());
    for (transaction, counting) in transactions.iter().zip(counting) {
        points.clear();
        // What is no key does not count.
        points.extend(read.by_ref().take(*counting.as_ref().unwrap_or(&0)).flatten());
        let terms = counting.and_then(|_| hashed_sum(&points, transaction.inputs.iter().map(|input| input.previous)));
        answers.push(terms.map(|(sum, hash)| {
            sums.push(sum);
            hashes.push(hash);
        }));
    }
    let products = bulk.tweak_mul_public(&sums, &hashes).expect("a hash for each sum");
    let mut products = products.into_iter();
    let mut product = || products.next().and_then(Result::ok).ok_or(Error::BadHash);
    answers.into_iter().map(|answer| answer.and_then(|()| product())).collect()
}

/// The tweak point of one transaction, by the keys of the inputs that count, in which a taproot key has an even y, and
/// the outpoints of all inputs. Variable time.
///
/// # Errors
/// [`Error::NoEligibleInput`] without keys or without outpoints, [`Error::ZeroSum`], [`Error::BadHash`].
pub fn tweak_point(keys: &[PublicKey], outpoints: &[OutPoint]) -> Result<PublicKey, Error> {
    let (sum, hash) = hashed_sum(keys, outpoints.iter().copied())?;
    sum.tweak_mul(&hash).map_err(|_| Error::BadHash)
}

/// The sum of keys, and the hash by which it is multiplied.
fn hashed_sum(keys: &[PublicKey], outpoints: impl Iterator<Item = OutPoint>) -> Result<(PublicKey, [u8; 32]), Error> {
    let sum = match keys {
        [] => return Err(Error::NoEligibleInput),
        [key] => *key,
        keys => PublicKey::combine_keys(keys).map_err(|_| Error::ZeroSum)?,
    };
    Ok((sum, hash::input_hash(outpoints, &sum)?.to_bytes()))
}

impl Spending<'_> {
    /// The number of inputs that have a key, which is appended.
    fn counting(&self, keys: &mut Vec<InputKey>) -> Result<usize, Error> {
        if self.inputs.len() != self.spent.len() {
            return Err(Error::LengthMismatch);
        }
        let before = keys.len();
        for (input, spent) in self.inputs.iter().zip(self.spent) {
            match input_key(input, &spent.script) {
                Ok(key) => keys.extend(key),
                Err(error) => {
                    keys.truncate(before);
                    return Err(error);
                }
            }
        }
        Ok(keys.len() - before)
    }
}
