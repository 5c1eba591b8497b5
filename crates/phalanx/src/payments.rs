//! What a scan for silent payments (BIP-352) takes: a receiver's keys, and rows of transactions.
//!
//! A transaction that pays silently has a *tweak point*, which anybody can compute from its inputs. The receiver
//! multiplies it by the scan secret, hashes the shared point to a tweak t, and looks for the outputs whose x is that of
//! a spend key plus t G. [`Bulk::find_silent_payments`](crate::Bulk::find_silent_payments) does this for many
//! transactions, and finds those that have the first output of a receiver. The crate `phalanx-silent` finds all of
//! them.

use crate::{
    Column, Error, PublicKey, Scalar, SecretKey,
    encoding::bytes_of_words,
    hash::{BuiltIn, Compression, tags},
    keys::RowKey,
    mul::PointDigits,
    tables::Entry,
    wipe::{GeneratorStack, ScalarStack, Secrets, wipe},
};
use alloc::{boxed::Box, vec, vec::Vec};
use core::{fmt, ops::Range};

/// A receiver's keys. The secret is wiped on drop.
pub struct Receiver {
    /// Where moves leave no copies, as the digits.
    scan: Box<SecretKey>,
    /// The scan secret's digits in every lane, in a list of one.
    digits: Secrets<PointDigits>,
    spend: Vec<Entry>,
}

impl Receiver {
    /// The keys of a receiver: the scan secret, and the spend keys, of which each label has one.
    ///
    /// ```
    /// use phalanx::{SecretKey, bindings::payments::Receiver};
    /// let receiver = Receiver::new(&SecretKey::random(), &[SecretKey::random().public_key()]);
    /// assert_eq!(format!("{receiver:?}"), "Receiver { spend_keys: 1, .. }");
    /// ```
    pub fn new(scan: &SecretKey, spend_keys: &[PublicKey]) -> Receiver {
        let (scan, digits) =
            GeneratorStack::cleared(|| (Box::new(scan.clone()), Secrets::filled(PointDigits::of(scan.scalar()), 1)));
        Receiver { scan, digits, spend: spend_keys.iter().map(PublicKey::entry).collect() }
    }

    /// The scan secret.
    pub fn scan(&self) -> &SecretKey {
        &self.scan
    }

    pub(crate) fn keys(&self) -> ReceiverKeys<'_> {
        ReceiverKeys { scan: &self.scan, digits: &self.digits[0], spend: &self.spend }
    }
}

/// What a scan takes of a receiver, wherever it lies.
#[derive(Clone, Copy)]
pub(crate) struct ReceiverKeys<'a> {
    pub(crate) scan: &'a SecretKey,
    /// The scan secret's digits in every lane.
    pub(crate) digits: &'a PointDigits,
    pub(crate) spend: &'a [Entry],
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").field("spend_keys", &self.spend.len()).finish_non_exhaustive()
    }
}

/// The most outputs of a transaction that are for addresses with the same scan key (BIP-352: K_max): as many as there
/// is room for in the largest transaction that nodes relay.
pub const MAX_OUTPUTS: u32 = 2_323;

/// The hash by which the keys of a transaction's inputs are multiplied, from the smallest outpoint and the sum of the
/// keys in compressed form.
pub fn input_hash(compression: impl Compression, outpoint: &[u8; 36], sum: &[u8; 33]) -> [u8; 32] {
    tags::BIP352_INPUTS.hash_by(compression, &[outpoint, sum])
}

/// What [`output_tweak`] reads. The caller clears the stack.
pub fn output_hash(compression: impl Compression, shared: &[u8; 33], k: u32) -> [u8; 32] {
    tags::BIP352_SHARED_SECRET.hash_by(compression, &[shared, &k.to_be_bytes()])
}

/// What [`label_tweak`] reads. The caller clears the stack.
pub fn label_hash(compression: impl Compression, scan: &[u8; 32], label: u32) -> [u8; 32] {
    tags::BIP352_LABEL.hash_by(compression, &[scan, &label.to_be_bytes()])
}

/// The tweak of a receiver's output k in a transaction, by the shared point in compressed form. Constant time.
///
/// # Errors
/// [`Error::BadTweak`] if the hash is zero or not below the group order. Nobody knows such a point.
pub fn output_tweak(shared: &[u8; 33], k: u32) -> Result<SecretKey, Error> {
    tweak_of(ScalarStack::cleared(|| output_hash(BuiltIn, shared, k)))
}

/// The tweak of a receiver's label. Constant time in the scan secret.
///
/// # Errors
/// As [`output_tweak`].
pub fn label_tweak(scan: &SecretKey, label: u32) -> Result<SecretKey, Error> {
    let mut scan = scan.to_bytes();
    let hash = ScalarStack::cleared(|| label_hash(BuiltIn, &scan, label));
    wipe(&mut scan);
    tweak_of(hash)
}

fn tweak_of(mut hash: [u8; 32]) -> Result<SecretKey, Error> {
    let tweak = SecretKey::from_bytes(&hash).map_err(|_| Error::BadTweak);
    wipe(&mut hash);
    tweak
}

/// A transaction as a scan reads it.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The tweak point: 33 or 65 bytes of SEC 1, or the 64 bytes in which libsecp256k1 keeps a point, which are x and y
    /// with the least significant byte first.
    pub tweak_point: &'a [u8],
    /// The outputs of taproot.
    pub outputs: Outputs<'a>,
}

impl Row<'_> {
    /// The tweak point. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if the bytes are none of a point of the curve.
    pub fn point(&self) -> Result<PublicKey, Error> {
        RowKey::read_stored_bytes(self.tweak_point).and_then(RowKey::point)
    }
}

/// The outputs of a transaction.
#[derive(Debug, Clone, Copy)]
pub enum Outputs<'a> {
    /// Their keys of 32 bytes.
    Keys(&'a [[u8; 32]]),
    /// The first eight bytes of each key as a big-endian number with a sign, as indexes keep them.
    Prefixes(&'a [i64]),
}

impl Outputs<'_> {
    /// The number of outputs.
    pub const fn len(&self) -> usize {
        match self {
            Outputs::Keys(keys) => keys.len(),
            Outputs::Prefixes(prefixes) => prefixes.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first eight bytes of a key.
    pub fn prefix(&self, output: usize) -> u64 {
        match self {
            Outputs::Keys(keys) => prefix(&keys[output]),
            Outputs::Prefixes(prefixes) => prefixes[output].cast_unsigned(),
        }
    }

    /// Whether some output begins so.
    pub(crate) fn any_begins(&self, with: u64) -> bool {
        match self {
            Outputs::Keys(keys) => keys.iter().any(|key| prefix(key) == with),
            Outputs::Prefixes(prefixes) => prefixes.contains(&with.cast_signed()),
        }
    }
}

/// The outputs of many transactions, one behind the other, and where those of each begin and the last ones end.
#[derive(Debug, Clone, Copy)]
pub struct OutputLists<'a> {
    all: Outputs<'a>,
    offsets: Column<'a>,
}

impl<'a> OutputLists<'a> {
    /// Offsets are numbers of 4 or 8 bytes, in the order of this machine. There is one more than there are rows.
    ///
    /// # Errors
    /// [`Error::BadColumn`] for offsets of another width, or that fall, or are more than there are outputs.
    pub fn new(all: Outputs<'a>, offsets: Column<'a>) -> Result<Self, Error> {
        let lists = OutputLists { all, offsets };
        let is_list = |row: usize| lists.range(row).is_some();
        if (1..offsets.len()).all(|end| is_list(end - 1)) { Ok(lists) } else { Err(Error::BadColumn) }
    }

    fn range(&self, row: usize) -> Option<Range<usize>> {
        let offset = |row| {
            let bytes = self.offsets.get(row);
            let four = bytes.try_into().map(|four| u64::from(u32::from_ne_bytes(four)));
            four.or_else(|_| bytes.try_into().map(u64::from_ne_bytes)).ok()?.try_into().ok()
        };
        let range: Range<usize> = offset(row)?..offset(row + 1)?;
        (range.start <= range.end && range.end <= self.all.len()).then_some(range)
    }

    /// The outputs of a row.
    pub fn get(&self, row: usize) -> Outputs<'a> {
        let range = self.range(row).unwrap_or(0..0);
        match self.all {
            Outputs::Keys(keys) => Outputs::Keys(&keys[range]),
            Outputs::Prefixes(prefixes) => Outputs::Prefixes(&prefixes[range]),
        }
    }
}

/// The first eight bytes of a key, as a number.
fn prefix(key: &[u8; 32]) -> u64 {
    let (words, _) = key.as_chunks::<8>();
    u64::from_be_bytes(words[0])
}

/// The outputs of a transaction in order of their first eight bytes, for many look-ups. To make it takes as long as to
/// sort them.
#[derive(Debug)]
pub struct SortedOutputs<'a> {
    outputs: Outputs<'a>,
    /// The numbers of the outputs, by their first eight bytes, equal ones in order.
    order: Vec<usize>,
    /// Where the outputs of each beginning of the eight bytes start in that order. There are about as many beginnings
    /// as outputs, so most have none or one.
    starts: Vec<usize>,
    /// The bits behind a beginning.
    shift: u32,
    /// A bit for each beginning that is four bits longer, set where an output has it. Most look-ups end here, in memory
    /// that is small enough for the first cache.
    filter: Vec<u16>,
}

impl<'a> SortedOutputs<'a> {
    /// Sorts them.
    pub fn new(outputs: Outputs<'a>) -> Self {
        let mut order: Vec<usize> = (0..outputs.len()).collect();
        order.sort_unstable_by_key(|output| (outputs.prefix(*output), *output));
        let beginnings = order.len().next_power_of_two().max(2);
        let (mut starts, mut filter) = (Vec::with_capacity(beginnings + 1), vec![0; beginnings]);
        let shift = 64 - beginnings.ilog2();
        for (place, output) in order.iter().enumerate() {
            let (beginning, bit) = split(outputs.prefix(*output), shift);
            starts.resize(starts.len().max(beginning + 1), place);
            filter[beginning] |= bit;
        }
        starts.resize(beginnings + 1, order.len());
        SortedOutputs { outputs, order, starts, shift, filter }
    }

    /// The outputs that begin so, in order.
    pub fn beginning(&self, with: u64) -> &[usize] {
        let (beginning, bit) = split(with, self.shift);
        if self.filter[beginning] & bit == 0 {
            return &[];
        }
        let alike = &self.order[self.starts[beginning]..self.starts[beginning + 1]];
        let prefix = |output: &usize| self.outputs.prefix(*output);
        let from = alike.partition_point(|output| prefix(output) < with);
        let equal = &alike[from..];
        &equal[..equal.partition_point(|output| prefix(output) == with)]
    }

    /// Whether an output has this x, as far as it is known.
    pub fn is_key(&self, output: usize, x: &[u8; 32]) -> bool {
        match self.outputs {
            Outputs::Keys(keys) => keys[output] == *x,
            Outputs::Prefixes(prefixes) => prefixes[output].cast_unsigned() == prefix(x),
        }
    }
}

/// The beginning of a prefix, and a bit for the four bits behind it.
fn split(prefix: u64, shift: u32) -> (usize, u16) {
    ((prefix >> shift) as usize, 1 << ((prefix >> (shift - 4)) % 16))
}

/// The product of a tweak point and a scan secret. Where moves leave no copies; wiped on drop.
#[derive(Clone)]
pub struct SharedPoint(Box<[[u64; 4]; 2]>);

impl SharedPoint {
    pub(crate) fn new(coordinates: &[[u64; 4]; 2]) -> Self {
        SharedPoint(Box::new(*coordinates))
    }

    /// x and y.
    pub(crate) fn coordinates(&self) -> &[[u64; 4]; 2] {
        &self.0
    }
}

impl Drop for SharedPoint {
    fn drop(&mut self) {
        wipe(&mut *self.0);
    }
}

/// What a receiver's output k in a transaction may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    /// The hash of the shared point and k. Where moves leave no copies.
    pub tweak: Box<SecretKey>,
    first: (usize, [u8; 32]),
    /// Seldom any, so they take no memory.
    more: Vec<(usize, [u8; 32])>,
}

impl Candidates {
    /// None for a tweak of zero.
    pub(crate) fn new(tweak: &Scalar, key: usize, x: [u64; 4]) -> Option<Self> {
        let tweak = Box::new(SecretKey::from_scalar(*tweak)?);
        Some(Candidates { tweak, first: (key, bytes_of_words(&x)), more: Vec::new() })
    }

    /// The spend keys, by number, whose sum with the tweak begins as an output does, and the x of the sum.
    pub fn keys(&self) -> impl Iterator<Item = &(usize, [u8; 32])> {
        core::iter::once(&self.first).chain(&self.more)
    }

    /// Adds a key. They come in order, those before an exceptional one twice.
    pub(crate) fn add(&mut self, key: usize, x: [u64; 4]) {
        if self.more.last().unwrap_or(&self.first).0 < key {
            self.more.push((key, bytes_of_words(&x)));
        }
    }
}

/// A transaction that has the first output of a receiver.
#[derive(Clone)]
pub struct FirstOutput {
    /// The number of the row.
    pub row: usize,
    /// The number of the receiver.
    pub receiver: usize,
    /// What both sides know.
    pub shared: SharedPoint,
    /// What the output may be.
    pub candidates: Option<Candidates>,
}

/// An output that is looked for in a transaction.
#[derive(Clone, Copy)]
pub struct OutputRow<'a> {
    /// What both sides know.
    pub shared: &'a SharedPoint,
    /// The number of the output among the receiver's.
    pub k: u32,
    /// The transaction's outputs.
    pub outputs: &'a SortedOutputs<'a>,
}

/// What a scan finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The row and the receiver of each first output that was found, ordered by rows.
    pub payments: Vec<(usize, usize)>,
    /// The rows whose tweak point is none.
    pub bad_points: Vec<usize>,
}
