//! All outputs of one receiver in many transactions, in the order of k.
//!
//! Each transaction that has output k is searched for output k + 1, many transactions together, in lanes and on all
//! threads. One that has many outputs is searched for several k at once. A transaction of 1 MB has about 23,000
//! outputs, of which the first 2,323 of a receiver count. Each k is looked up among the sorted outputs, so the time
//! grows with the outputs plus the matches, not with their product.

use phalanx::bindings::payments::{Candidates, FirstOutput, OutputRow, Row, SharedPoint, SortedOutputs};
use phalanx::{Bulk, SecretKey};
use zeroize::Zeroizing;

use crate::{MAX_OUTPUTS, Scanner};

/// An output of a receiver.
pub(crate) struct OwnOutput {
    pub(crate) output: usize,
    pub(crate) k: u32,
    pub(crate) label: Option<u32>,
    pub(crate) key: [u8; 32],
    /// Where a list of outputs that grows leaves no copies.
    pub(crate) tweak: Box<SecretKey>,
}

/// Outputs that are computed together, about: two chunks on one thread. By a run on two cores of an Intel Xeon (family
/// 6, model 207), without a record, calls of 512 rows gain little by a second thread, which has to be woken.
const AT_ONCE: usize = 512;
const AT_ONCE_PER_THREAD: usize = 4096;
/// Numbers k that one transaction is searched for together where there are more transactions: a chunk. Not measured
/// apart.
const MOST_AT_ONCE: usize = 256;

/// The receiver's outputs in each of the transactions that have the first one, by row. At each k, the first output in
/// the transaction's order that one of the receiver's keys makes counts.
pub(crate) fn outputs_of(
    bulk: &Bulk,
    scanner: &Scanner,
    payments: Vec<FirstOutput>,
    rows: &[Row<'_>],
) -> Vec<(usize, Vec<OwnOutput>)> {
    let mut found = Vec::with_capacity(payments.len());
    let mut waiting = payments.into_iter().map(|first| Payment::new(first, scanner, rows));
    let mut open = Vec::new();
    let at_once = if bulk.threads() == 1 { AT_ONCE } else { AT_ONCE_PER_THREAD * bulk.threads() };
    loop {
        // Those that were searched before come first: their outputs are in a cache.
        let (mut searched, mut count) = (Vec::new(), 0);
        let most = (at_once / (open.len() + waiting.len()).max(1)).max(MOST_AT_ONCE) as u32;
        while count < at_once
            && let Some(payment) = open.pop().or_else(|| waiting.next())
        {
            count += payment.next(most).len();
            searched.push(payment);
        }
        if searched.is_empty() {
            return found;
        }
        let outputs: Vec<OutputRow<'_>> = searched.iter().flat_map(|payment| payment.next(most)).collect();
        let mut answers = bulk.silent_outputs(scanner.receiver(), &outputs).into_iter();
        for mut payment in searched {
            let count = payment.next(most).len();
            for candidates in answers.by_ref().take(count) {
                payment.take(scanner, candidates);
            }
            if payment.has_ended {
                found.push((payment.row, payment.found));
            } else {
                open.push(payment);
            }
        }
    }
}

/// A transaction that pays the receiver.
struct Payment<'o> {
    row: usize,
    shared: SharedPoint,
    outputs: SortedOutputs<'o>,
    found: Vec<OwnOutput>,
    /// Whether there are no more.
    has_ended: bool,
}

impl<'o> Payment<'o> {
    fn new(first: FirstOutput, scanner: &Scanner, rows: &[Row<'o>]) -> Payment<'o> {
        let FirstOutput { row, shared, candidates, .. } = first;
        let outputs = SortedOutputs::new(rows[row].outputs);
        let mut payment = Payment { row, shared, outputs, found: Vec::new(), has_ended: false };
        payment.take(scanner, candidates);
        payment
    }

    /// The next output.
    fn k(&self) -> u32 {
        self.found.len() as u32
    }

    /// The outputs to look for, up to this number: as many as have been found at most, so at most half are in vain.
    fn next(&self, most: u32) -> impl ExactSizeIterator<Item = OutputRow<'_>> {
        let count = if self.has_ended { 0 } else { self.k().clamp(1, most) };
        let end = MAX_OUTPUTS.min(self.k() + count);
        (self.k()..end).map(|k| OutputRow { shared: &self.shared, k, outputs: &self.outputs })
    }

    /// Takes the answer for output k. Where it is not there, the search has ended, and later answers do not count.
    fn take(&mut self, scanner: &Scanner, candidates: Option<Candidates>) {
        let own = if self.has_ended { None } else { candidates.and_then(|candidates| self.own(scanner, candidates)) };
        self.has_ended = own.is_none() || self.k() + 1 == MAX_OUTPUTS;
        self.found.extend(own);
    }

    fn own(&self, scanner: &Scanner, candidates: Candidates) -> Option<OwnOutput> {
        let output = |(spend_key, key): &(usize, [u8; 32])| Some((self.first(key)?, *spend_key, *key));
        let (output, spend_key, key) = candidates.keys().filter_map(output).min()?;
        let label = scanner.label(spend_key);
        // The sum is zero for a label whose tweak is the negative of a hash. Nobody knows one.
        let tweak = with_label(candidates.tweak, label.map(|(_, tweak)| tweak)).ok()?;
        Some(OwnOutput { output, k: self.k(), label: label.map(|(number, _)| number), key, tweak })
    }

    /// The first output with this x. Nobody knows an x that two k make, so it has not been found before.
    fn first(&self, x: &[u8; 32]) -> Option<usize> {
        let [a, b, c, d, e, f, g, h, ..] = *x;
        let alike = self.outputs.beginning(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
        alike.iter().copied().find(|output| self.outputs.is_key(*output, x))
    }
}

fn with_label(tweak: Box<SecretKey>, label: Option<&SecretKey>) -> Result<Box<SecretKey>, phalanx::Error> {
    match label {
        Some(label) => tweak.tweak_add(&Zeroizing::new(label.to_bytes())).map(Box::new),
        None => Ok(tweak),
    }
}
