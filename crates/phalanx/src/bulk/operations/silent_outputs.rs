//! The outputs that a receiver looks for in transactions, by the shared points: the step that BIP-352 repeats for each
//! k. Outside the list of operations, because its rows have a receiver in common.

use crate::bulk::{
    Bulk,
    eight_lanes::{place, point},
    memory::{Lines, with_arena},
    operation::RowOperation,
};
use crate::tuning::{ROWS_OF_A_SCAN_ON_ONE_LANE, SPEND_KEYS_AT_ONCE};
use crate::{
    FieldElement, PublicKey, Scalar,
    declassify::declassify,
    group::{self, Jacobian, Secp256k1},
    hash::tags,
    lanes::{HashLanes, KeyTerms, Machine, U256x8, key_sums, output_tweaks},
    mul::{self, GeneratorDigits, Unit, mul_generator_rows_ct},
    payments::{Candidates, OutputRow, Receiver, ReceiverKeys, SharedPoint},
};
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_engine::{
    arena::Arena,
    word::{LANES, Mask, Mask8, NARROW_LANES},
};

/// The rows of a chunk as one receiver sees them. Known when it is compiled: Go's image has no tables of functions.
pub(super) trait Transactions {
    /// The number of the output that is looked for.
    fn k(&self, row: usize) -> u32;

    /// Whether an output of the row begins so.
    fn begins(&self, row: usize, with: u64) -> bool;

    /// Notes a spend key whose sum with the tweak of the row begins as an output does.
    fn note(&mut self, row: usize, key: usize, secrets: &RowSecrets, x: [u64; 4]);
}

/// What is secret of a row.
pub(in crate::bulk) struct RowSecrets {
    shared: [[u64; 4]; 2],
    tweak: Scalar,
}

impl RowSecrets {
    pub(super) fn shared_point(&self) -> SharedPoint {
        SharedPoint::new(&self.shared)
    }

    /// Notes a spend key, and the x of its sum with the tweak. A tweak of zero was refused before.
    pub(super) fn note(&self, candidates: &mut Option<Candidates>, key: usize, x: [u64; 4]) {
        match candidates {
            Some(candidates) => candidates.add(key, x),
            None => *candidates = Candidates::new(&self.tweak, key, x),
        }
    }
}

/// The search of one receiver among the rows of a chunk.
#[derive(Clone, Copy)]
pub(super) struct OutputSearch<'a> {
    pub(super) spend: &'a [crate::tables::Entry],
    pub(super) rows: usize,
}

impl OutputSearch<'_> {
    /// Notes the x of a sum where an output begins so. It is what a sender makes public by paying to it; it tells
    /// nothing of the scan secret, nor of the spend secret.
    fn compare(
        (row, key): (usize, usize),
        top: u64,
        x: impl FnOnce() -> [u64; 4],
        secrets: impl FnOnce() -> RowSecrets,
        found: &mut impl Transactions,
    ) {
        if found.begins(row, declassify(top)) {
            found.note(row, key, &secrets(), declassify(x()));
        }
    }

    /// By the coordinates of the shared points.
    pub(super) fn in_lanes<M: Machine>(
        self,
        machine: M,
        shared: &[[U256x8; 2]],
        found: &mut impl Transactions,
        arena: &mut Arena<'_, '_>,
    ) {
        let groups = shared.len();
        let mut tweaks = arena.filled(self.rows, Scalar::ONE);
        let mut alone = arena.filled(groups, Mask8::NONE);
        let mut points = arena.filled(groups, [U256x8::ZERO; 2]);
        with_arena(arena.spare(), |arena| {
            self.tweaks(machine, shared, found, &mut tweaks, &mut alone);
            let mut digits = arena.filled(groups, GeneratorDigits::of_one());
            for (row, tweak) in tweaks.iter().enumerate() {
                let (group, lane) = place(row);
                digits[group].set(lane, tweak);
            }
            mul_generator_rows_ct(machine, &digits, &mut points, arena.spare());
        });
        let secrets = |row: usize| {
            let (group, lane) = place(row);
            RowSecrets { shared: shared[group].map(|number| number.get(lane)), tweak: tweaks[row] }
        };
        let mut sums = arena.filled(groups * SPEND_KEYS_AT_ONCE, U256x8::ZERO);
        for (first, keys) in (0..).step_by(SPEND_KEYS_AT_ONCE).zip(self.spend.chunks(SPEND_KEYS_AT_ONCE)) {
            let sums = &mut sums[..groups * keys.len()];
            let exceptional = key_sums(machine, KeyTerms { points: &points, keys }, sums, arena.spare());
            // Only a spend key that was made from the tweak of a row has this, or the negative of such a key.
            let exceptional = declassify(exceptional);
            alone.iter_mut().for_each(|alone| *alone = alone.or(exceptional));
            for row in 0..self.rows {
                let (group, lane) = place(row);
                if alone[group].lane(lane) {
                    continue;
                }
                for key in 0..keys.len() {
                    let sum = &sums[groups * key + group];
                    let x = || sum.get(lane);
                    Self::compare((row, first + key), sum.0[3].0[lane], x, || secrets(row), found);
                }
            }
        }
        for row in (0..self.rows).filter(|row| alone[row / LANES].lane(row % LANES)) {
            with_arena(arena.spare(), |arena| self.alone(row..row + 1, |_| point(shared, row), found, arena));
        }
    }

    /// The tweaks of the rows, and the lanes whose hash is none.
    fn tweaks<M: Machine>(
        self,
        machine: M,
        shared: &[[U256x8; 2]],
        transactions: &impl Transactions,
        tweaks: &mut [Scalar],
        none: &mut [Mask8],
    ) {
        let mut batch = HashLanes::new();
        for first in (0..self.rows).step_by(NARROW_LANES) {
            let rows = first..self.rows.min(first + NARROW_LANES);
            for row in rows.clone() {
                let (group, lane) = place(row);
                let [x, y] = &shared[group];
                batch.set_point(row - first, x.get(lane), y.get(lane));
                batch.set(2, row - first, [transactions.k(row).into(), 0, 0, 0]);
            }
            output_tweaks(machine, &mut batch);
            for row in rows {
                let (group, lane) = place(row);
                match checked(Scalar::from_limbs(batch.get(row - first))) {
                    Some(tweak) => tweaks[row] = tweak,
                    None => none[group].0 |= 1 << lane,
                }
            }
        }
    }

    /// Some of the rows on one lane, by their shared points.
    pub(super) fn alone(
        self,
        rows: Range<usize>,
        shared: impl Fn(usize) -> PublicKey,
        found: &mut impl Transactions,
        arena: &mut Arena<'_, '_>,
    ) {
        // None where the hash is no tweak.
        let tweak = |row: usize| {
            let message = [&shared(row).to_bytes()[..], &found.k(row).to_be_bytes()];
            checked(Scalar::from_bytes(&tags::BIP352_SHARED_SECRET.hash_uncleared(&message)).ok())
        };
        let tweaks = arena.collect(rows.clone().map(tweak));
        let point = |tweak: &Option<Scalar>| tweak.map(|tweak| mul::mul_generator_ct(Unit::OneLane, &tweak));
        let points = arena.collect(tweaks.iter().map(point));
        let mut sums = arena.filled(points.len(), Jacobian::infinity());
        let mut inverses = arena.filled(points.len(), FieldElement::ZERO);
        for (number, key) in self.spend.iter().enumerate() {
            for (sum, point) in sums.iter_mut().zip(points.iter()) {
                *sum = point.map_or(Jacobian::infinity(), |point| point.add_mixed_any::<Secp256k1>(group::affine(key)));
            }
            let affine = group::to_affine_batch(&sums, &mut inverses);
            for (row, ((affine, sum), tweak)) in rows.clone().zip(affine.zip(sums.iter()).zip(tweaks.iter())) {
                // Only a spend key that was made from the tweak of the row has no sum.
                if let Some(tweak) = *tweak
                    && !declassify(sum.is_infinity().any())
                {
                    let secrets = || RowSecrets { shared: shared(row).coordinates(), tweak };
                    let x = affine.x.to_words();
                    Self::compare((row, number), x[3], || x, secrets, found);
                }
            }
        }
    }
}

/// A tweak other than zero. BIP-352 has no other, and nobody knows an input whose hash is none.
fn checked(tweak: Option<Scalar>) -> Option<Scalar> {
    tweak.filter(|tweak| !bool::from(declassify(tweak.is_zero())))
}

/// What each output may be of those that one receiver looks for.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct SilentOutputs<'r>(pub(in crate::bulk) ReceiverKeys<'r>);

#[cfg(feature = "bindings")]
impl Bulk {
    /// The spend keys of a receiver that may have made output k of transactions. Constant time as
    /// [`Bulk::find_silent_payments`].
    pub fn silent_outputs(&self, receiver: &Receiver, rows: &[OutputRow<'_>]) -> Vec<Option<Candidates>> {
        self.answers(SilentOutputs(receiver.keys()), rows).expect("one slice")
    }
}

/// The outputs of a chunk, and what they may be.
struct Wanted<'a, 'o> {
    rows: &'a [OutputRow<'a>],
    out: &'o mut [Option<Candidates>],
}

impl Transactions for Wanted<'_, '_> {
    fn k(&self, row: usize) -> u32 {
        self.rows[row].k
    }

    fn begins(&self, row: usize, with: u64) -> bool {
        !self.rows[row].outputs.beginning(with).is_empty()
    }

    fn note(&mut self, row: usize, key: usize, secrets: &RowSecrets, x: [u64; 4]) {
        secrets.note(&mut self.out[row], key, x);
    }
}

impl RowOperation for SilentOutputs<'_> {
    type Rows<'a> = &'a [OutputRow<'a>];
    type Out = Option<Candidates>;

    const NONE: Self::Out = None;
    const SECRET: bool = true;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        let search = OutputSearch { spend: self.0.spend, rows: rows.len() };
        out.fill(None);
        let found = &mut Wanted { rows, out };
        for first in (0..rows.len()).step_by(ROWS_OF_A_SCAN_ON_ONE_LANE) {
            let part = first..rows.len().min(first + ROWS_OF_A_SCAN_ON_ONE_LANE);
            let shared = |row: usize| {
                let [x, y] = *rows[row].shared.coordinates();
                PublicKey::from_canonical(x, y)
            };
            with_arena(memory, |arena| search.alone(part, shared, found, arena));
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        let search = OutputSearch { spend: self.0.spend, rows: rows.len() };
        out.fill(None);
        let found = &mut Wanted { rows, out };
        with_arena(memory, |arena| {
            let mut shared = arena.filled(rows.len().div_ceil(LANES), [U256x8::ZERO; 2]);
            for (row, given) in rows.iter().enumerate() {
                let (group, lane) = place(row);
                for (numbers, number) in shared[group].iter_mut().zip(given.shared.coordinates()) {
                    numbers.set(lane, *number);
                }
            }
            search.in_lanes(machine, &shared, found, arena);
        });
    }
}
