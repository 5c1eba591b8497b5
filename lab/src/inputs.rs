//! Rows to measure with: fresh, distinct, and reproducible from a printed seed.
//!
//! Bytes come from ChaCha20; what needs the curve (keys, signatures, points) is computed by libsecp256k1 through its
//! peer, outside all timing.

use crate::{Failure, library::Library};
use clap::ValueEnum;
use lab_abi::{Inputs, Op, Request, op::Kind};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use sha2::{Digest, Sha256};
use std::thread;

/// What the rows of a verification are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// All valid.
    Valid,
    /// The equation does not hold: another digest.
    InvalidSignature,
    /// The same in one row of each group, wherever chance puts it.
    OneInvalidSignature,
    /// The key's x is on no point of the curve.
    BadPublicKey,
    /// s is not below the group order.
    OutOfRange,
    /// ECDSA's s negated, under a policy that wants it low.
    HighS,
}

/// Where the non-zero scalars of a vector are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Positions {
    /// The first ones
    First,
    /// One in each of as many equal parts, wherever chance puts it
    Spread,
}

/// The vectors of a sum over a fixed basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vectors {
    /// How many scalars are not zero.
    pub(crate) nonzero: usize,
    /// Where they are.
    pub(crate) positions: Positions,
}

/// The number of elements of the Verkle basis.
pub(crate) const BASIS: usize = 256;

/// The order of Bandersnatch's group.
const BANDERSNATCH_ORDER: [u8; 32] = [
    0x1c, 0xfb, 0x69, 0xd4, 0xca, 0x67, 0x5f, 0x52, 0x0c, 0xce, 0x76, 0x02, 0x02, 0x68, 0x76, 0x00, 0xff, 0x8f, 0x87,
    0x00, 0x74, 0x19, 0x04, 0x71, 0x74, 0xfd, 0x06, 0xb5, 0x28, 0x76, 0xe7, 0xe1,
];

/// The group order.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc,
    0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The number one.
const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};

/// A seed that no run had.
pub(crate) fn fresh_seed() -> Result<u64, Failure> {
    getrandom::u64().map_err(|error| Failure::Broken(format!("no randomness: {error}")))
}

/// A source of rows.
pub(crate) struct Generator<'a> {
    maker: &'a dyn Library,
    random: ChaCha20Rng,
    /// So many distinct keys, in turn, in the rows of a verification; without this each row has its own.
    pub(crate) keys: Option<usize>,
    /// Of sums over a fixed basis.
    pub(crate) vectors: Vectors,
}

impl<'a> Generator<'a> {
    /// Rows that follow from `seed`.
    pub(crate) fn new(maker: &'a dyn Library, seed: u64) -> Self {
        let vectors = Vectors { nonzero: BASIS, positions: Positions::First };
        Self { maker, random: ChaCha20Rng::seed_from_u64(seed), keys: None, vectors }
    }

    /// `count` rows of `op`, in groups of `group`. With a group of two, a sum's first point is the generator, as in a
    /// verification.
    pub(crate) fn rows(&mut self, op: Op, count: usize, group: usize, rows: Rows) -> Result<Vec<u8>, String> {
        let verdict = matches!(op, Op::VerifyEcdsa | Op::VerifySchnorr) || op.kind() == Kind::Group;
        if rows != Rows::Valid && (!verdict || matches!(op, Op::Msm | Op::MsmNaive | Op::AffineAdd)) {
            return Err(format!("{} has no invalid rows", op.name()));
        }
        if self.keys.is_some() && !matches!(op, Op::VerifyEcdsa | Op::VerifySchnorr) {
            return Err(format!("{} has no repeated keys", op.name()));
        }
        let mut made = match op {
            Op::VerifyEcdsa => {
                let (digests, secrets) = (self.random(count), self.secrets(count));
                let keys = self.make(Op::PublicKey, count, secrets.clone())?;
                let signatures = self.make(Op::SignEcdsa, count, zip(&[(&digests, 32), (&secrets, 32)]))?;
                zip(&[(&digests, 32), (&signatures, 64), (&keys, 33)])
            }
            Op::VerifySchnorr | Op::BatchSchnorr | Op::BatchSchnorrLifted => {
                let (messages, secrets, auxiliary) = (self.random(count), self.secrets(count), self.random(count));
                let keys = self.make(Op::PublicKey, count, secrets.clone())?;
                let keys: Vec<u8> = keys.chunks_exact(33).flat_map(|key| &key[1..]).copied().collect();
                let asked = zip(&[(&messages, 32), (&secrets, 32), (&auxiliary, 32)]);
                let signatures = self.make(Op::SignSchnorr, count, asked)?;
                zip(&[(&messages, 32), (&signatures, 64), (&keys, 32)])
            }
            // The id is a parity but for a chance of 2^-127.
            Op::Recover | Op::Senders => {
                let (digests, secrets) = (self.random(count), self.random(count));
                let signatures = self.make(Op::MakeRecoverable, count, zip(&[(&digests, 32), (&secrets, 32)]))?;
                zip(&[(&digests, 32), (&signatures, 65)])
            }
            Op::Derive => {
                let (secret, chain_code) = (self.random(1), self.random(1));
                let key = self.make(Op::PublicKey, 1, secret)?;
                (0..count as u32).flat_map(|index| [&key[..], &chain_code, &index.to_be_bytes()].concat()).collect()
            }
            Op::Scan => self.scanned(count)?,
            Op::BatchEcdsa => {
                let (digests, secrets) = (self.random(count), self.random(count));
                let keys = self.make(Op::PublicKey, count, secrets.clone())?;
                let signatures = self.make(Op::MakeRecoverable, count, zip(&[(&digests, 32), (&secrets, 32)]))?;
                let (compact, ids) = split(&signatures, 65, 64);
                zip(&[(&digests, 32), (&compact, 64), (&keys, 33), (&ids, 1)])
            }
            Op::FrostAggregate => {
                let (shares, hiding, binding) = (self.random(count), self.random(count), self.random(count));
                zip(&[(&vec![0; count * 32], 32), (&shares, 32), (&hiding, 32), (&binding, 32)])
            }
            Op::Ecdh => {
                let (theirs, secrets) = (self.random(count), self.random(count));
                let keys = self.make(Op::PublicKey, count, theirs)?;
                zip(&[(&keys, 33), (&secrets, 32)])
            }
            Op::Double => self.jacobian(count)?,
            Op::AddMixed => {
                let (left, right) = (self.jacobian(count)?, self.points(count)?);
                zip(&[(&left, 96), (&right, 64)])
            }
            Op::Msm | Op::MsmNaive => {
                let (scalars, mut points) = (self.random(count), self.points(count)?);
                if group == 2 {
                    let generator = self.make(Op::MakePoint, 1, ONE.into())?;
                    points.chunks_exact_mut(128).for_each(|pair| pair[..64].copy_from_slice(&generator));
                }
                zip(&[(&scalars, 32), (&points, 64)])
            }
            Op::AffineAdd => {
                let (left, right) = (self.points(count)?, self.points(count)?);
                zip(&[(&left, 64), (&right, 64)])
            }
            Op::MsmFixed | Op::TableBuild => (0..count).flat_map(|_| self.vector()).collect(),
            // Integers below the modulus but for a chance of 2^-127.
            _ => self.random(count * op.row_bytes() / 32),
        };
        self.spoil(op, rows, group, &mut made)?;
        Ok(made)
    }

    /// So many random 32-byte integers.
    fn random(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count * 32];
        self.random.fill_bytes(&mut bytes);
        bytes
    }

    /// The scalars of a vector, zeros and others, which are below the order of Bandersnatch's group.
    fn vector(&mut self) -> Vec<u8> {
        let Vectors { nonzero, positions } = self.vectors;
        let mut vector = vec![0; BASIS * 32];
        for index in 0..nonzero {
            let (from, to) = (index * BASIS / nonzero, (index + 1) * BASIS / nonzero);
            let place = match positions {
                Positions::First => index,
                Positions::Spread => from + self.random.next_u64() as usize % (to - from),
            };
            let scalar = &mut vector[32 * place..][..32];
            while scalar.iter().all(|byte| *byte == 0) || *scalar >= BANDERSNATCH_ORDER[..] {
                self.random.fill_bytes(scalar);
                scalar[0] &= 0x1f;
            }
        }
        vector
    }

    /// The secret keys of so many rows.
    fn secrets(&mut self, count: usize) -> Vec<u8> {
        let distinct = self.random(self.keys.unwrap_or(count).min(count));
        distinct.iter().copied().cycle().take(count * 32).collect()
    }

    /// Rows of [`Op::Scan`]: the tweak points G, 2 G, ..., so that a scan secret's products with them are public keys of its
    /// multiples. One output of 64 pays the receiver, and one its label.
    fn scanned(&mut self, count: usize) -> Result<Vec<u8>, String> {
        let (scan, spend, prefixes) = (self.random(1), self.random(1), self.random(count));
        let (mut numbers, mut products) = (vec![0; 32], vec![0; 32]);
        for row in 0..count {
            numbers.extend(added(&numbers[32 * row..], &ONE));
            products.extend(added(&products[32 * row..], &scan));
        }
        let points = self.make(Op::PublicKey, count, numbers.split_off(32))?;
        let shared = self.make(Op::PublicKey, count, products.split_off(32))?;
        let labelled = added(&spend, &tagged(b"BIP0352/Label", &[&scan, &[0; 4]]));
        let secrets = shared.chunks_exact(33).enumerate().flat_map(|(row, shared)| {
            let spend = if row % 64 == 5 { &labelled[..] } else { &spend };
            added(spend, &tagged(b"BIP0352/SharedSecret", &[shared, &[0; 4]]))
        });
        let outputs = self.make(Op::PublicKey, count, secrets.collect())?;
        let key = self.make(Op::PublicKey, 1, spend.clone())?;
        let row = |row: usize| {
            let pays = matches!(row % 64, 5 | 33);
            let output = if pays { &outputs[33 * row + 1..][..8] } else { &prefixes[32 * row..][..8] };
            [&points[33 * row..][..33], output, &scan, &key].concat()
        };
        Ok((0..count).flat_map(row).collect())
    }

    fn make(&self, op: Op, rows: usize, input: Vec<u8>) -> Result<Vec<u8>, String> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let request = Request { threads, inputs: Inputs::Encoded, ..Request::new(op, rows) };
        let mut job = self.maker.prepare(&request, &input)?;
        job.run(0..rows, 1)?;
        job.output()
    }

    /// Whether these are signatures of the rows of [`Op::SignEcdsa`], as the maker verifies them. Of the two values of s it
    /// takes the lower; `with_either_s` has it given that one.
    pub(crate) fn signatures_hold(&self, rows: &[u8], signatures: &[u8], with_either_s: bool) -> Result<bool, String> {
        let (digests, secrets) = split(rows, 64, 32);
        let count = digests.len() / 32;
        if signatures.len() != count * 64 {
            return Ok(false);
        }
        let mut signatures = signatures.to_vec();
        for signature in signatures.chunks_exact_mut(64).filter(|_| with_either_s) {
            let s = &mut signature[32..];
            let mut other = s.to_vec();
            negate(&mut other);
            s.copy_from_slice(&other.min(s.to_vec()));
        }
        let keys = self.make(Op::PublicKey, count, secrets)?;
        let asked = zip(&[(&digests, 32), (&signatures, 64), (&keys, 33)]);
        Ok(self.make(Op::VerifyEcdsa, count, asked)?.iter().all(|verdict| *verdict == 1))
    }

    /// Random affine points.
    fn points(&mut self, count: usize) -> Result<Vec<u8>, String> {
        let secrets = self.random(count);
        self.make(Op::MakePoint, count, secrets)
    }

    /// Random affine points, each with a random z to make Jacobian coordinates from.
    fn jacobian(&mut self, count: usize) -> Result<Vec<u8>, String> {
        let (points, z) = (self.points(count)?, self.random(count));
        Ok(zip(&[(&points, 64), (&z, 32)]))
    }

    /// Makes valid rows invalid in one way.
    fn spoil(&mut self, op: Op, rows: Rows, group: usize, made: &mut [u8]) -> Result<(), String> {
        let schnorr = matches!(op, Op::VerifySchnorr | Op::BatchSchnorr | Op::BatchSchnorrLifted);
        if rows == Rows::OneInvalidSignature {
            for group in made.chunks_exact_mut(group * op.row_bytes()) {
                let row = self.random.next_u64() as usize % (group.len() / op.row_bytes());
                group[row * op.row_bytes() + 31] ^= 1;
            }
            return Ok(());
        }
        let made = made.chunks_exact_mut(op.row_bytes());
        match rows {
            Rows::Valid | Rows::OneInvalidSignature => {}
            _ if op == Op::FrostAggregate && rows != Rows::InvalidSignature => {
                return Err(format!("{} has no such rows", op.name()));
            }
            Rows::InvalidSignature => made.for_each(|row| row[31] ^= 1),
            Rows::OutOfRange => made.for_each(|row| row[64..96].fill(0xff)),
            Rows::HighS if schnorr => return Err(format!("{} has no high s", op.name())),
            Rows::HighS => made.for_each(|row| negate(&mut row[64..96])),
            Rows::BadPublicKey => {
                let keys = self.keys_off_the_curve(made.len())?;
                for (row, key) in made.zip(keys) {
                    let at = if schnorr { 96 } else { 97 };
                    row[at..at + 32].copy_from_slice(&key);
                }
            }
        }
        Ok(())
    }

    /// Distinct x that are on no point. Half of all are, which the maker's key parser tells.
    fn keys_off_the_curve(&mut self, count: usize) -> Result<Vec<[u8; 32]>, String> {
        let mut keys = Vec::new();
        while keys.len() < count {
            let candidates = self.random(count);
            let asked = zip(&[(&vec![2; count], 1), (&candidates, 32), (&ONE.repeat(count), 32)]);
            let shared = self.make(Op::Ecdh, count, asked)?;
            let (found, _) = shared.as_chunks::<32>();
            let (candidates, _) = candidates.as_chunks::<32>();
            let off = candidates.iter().zip(found).filter(|(_, shared)| **shared == [0; 32]);
            keys.extend(off.map(|(candidate, _)| *candidate));
        }
        keys.truncate(count);
        Ok(keys)
    }
}

/// Joins columns of the given widths into rows.
fn zip(columns: &[(&Vec<u8>, usize)]) -> Vec<u8> {
    let rows = columns[0].0.len() / columns[0].1;
    let mut joined = Vec::with_capacity(columns.iter().map(|(bytes, _)| bytes.len()).sum());
    for row in 0..rows {
        for (bytes, width) in columns {
            joined.extend_from_slice(&bytes[row * width..(row + 1) * width]);
        }
    }
    joined
}

/// Splits rows of `width` bytes into two columns at `at`.
fn split(rows: &[u8], width: usize, at: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for row in rows.chunks_exact(width) {
        left.extend_from_slice(&row[..at]);
        right.extend_from_slice(&row[at..]);
    }
    (left, right)
}

/// The sum modulo the group order of two numbers below 2^256, the second below the order.
fn added(a: &[u8], b: &[u8]) -> [u8; 32] {
    let (mut sum, mut carry) = ([0; 32], 0);
    for digit in (0..32).rev() {
        let total = u16::from(a[digit]) + u16::from(b[digit]) + carry;
        (sum[digit], carry) = (total as u8, total >> 8);
    }
    while carry > 0 || sum >= ORDER {
        let (rest, borrow) = difference(&sum, &ORDER);
        (sum, carry) = (rest, carry - u16::from(borrow));
    }
    sum
}

/// A number less another, and whether that goes below zero.
fn difference(a: &[u8; 32], b: &[u8]) -> ([u8; 32], bool) {
    let (mut rest, mut borrow) = ([0; 32], false);
    for digit in (0..32).rev() {
        let (less, first) = a[digit].overflowing_sub(b[digit]);
        let (less, second) = less.overflowing_sub(borrow.into());
        (rest[digit], borrow) = (less, first || second);
    }
    (rest, borrow)
}

/// BIP-340's hash of a message under a tag.
fn tagged(tag: &[u8], message: &[&[u8]]) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let hash = Sha256::new().chain_update(tag).chain_update(tag);
    message.iter().fold(hash, |hash, part| hash.chain_update(part)).finalize().into()
}

/// `s` becomes the group order less `s`.
fn negate(s: &mut [u8]) {
    let (rest, _) = difference(&ORDER, s);
    s.copy_from_slice(&rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negating_twice_is_nothing_and_one_becomes_the_last() {
        let mut s = ONE;
        negate(&mut s);
        assert_eq!((s[31], s[0], s[15]), (0x40, 0xff, 0xfe));
        negate(&mut s);
        assert_eq!(s, ONE);
    }

    #[test]
    fn columns_join_and_split() {
        let rows = zip(&[(&vec![1, 2, 3, 4], 2), (&vec![9, 8], 1)]);
        assert_eq!(rows, [1, 2, 9, 3, 4, 8]);
        assert_eq!(split(&rows, 3, 2), (vec![1, 2, 3, 4], vec![9, 8]));
    }
}
