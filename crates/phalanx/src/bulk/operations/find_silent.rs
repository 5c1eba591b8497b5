//! The rows that pay receivers silently: BIP-352's scan for the first output of each. It is not in the list of
//! operations, because its rows have receivers in common.

use crate::bulk::{
    Bulk,
    eight_lanes::{KeyPoints, place},
    memory::{Lines, with_arena},
    one_lane::normalize,
    operation::RowOperation,
};
use crate::tuning::{ROWS_OF_A_SCAN_ON_ONE_LANE, SPEND_KEYS_AT_ONCE};
use crate::{
    Error, FieldElement, OneThread, PublicKey, Scalar, SecretKey,
    declassify::declassify,
    group::{self, Jacobian, Secp256k1},
    hash::TaggedHash,
    keys::RowKey,
    lanes::{AffineLanes, HashLanes, JacobianX8, KeyTerms, LaneWords, Machine, U256x8, key_sums, output_tweaks},
    mul::{self, GeneratorDigits, PointDigits, Unit, mul_generator_rows_ct, mul_point_rows_ct},
    silent::{Found, Receiver, ReceiverKeys, Row},
    tables::Entry,
    wipe::{GeneratorStack, Zero},
};
use alloc::vec::Vec;
use phalanx_engine::{
    arena::Arena,
    word::{CacheLine, LANES, Mask, Mask8, NARROW_LANES},
};

/// Receivers whose answers are the bits of a word.
const RECEIVERS: usize = 64;
/// Rows whose answers stand on the stack at a time: those of an inversion in eight lanes.
const ROWS_AT_ONCE: usize = 128;

/// Which of at most [`RECEIVERS`] receivers a row pays, by bits.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct FindSilentPayments<'r>(pub(in crate::bulk) &'r [ReceiverKeys<'r>]);

impl Bulk {
    /// The rows that have the first output (k = 0) of a receiver, as far as the first eight bytes of keys tell: a false
    /// one is as rare as a collision of 64 bits.
    ///
    /// Constant time in scan secrets and in what comes of them, up to the keys that a sender would pay to. How these
    /// compare with the outputs, and so which rows pay, time may tell. It grows with the number of outputs times that
    /// of spend keys. Without receivers no row is read.
    ///
    /// ```
    /// use phalanx::{Bulk, SecretKey, silent::{Outputs, Receiver, Row, output_tweak}};
    /// let (scan, spend) = (SecretKey::random(), SecretKey::random().public_key());
    /// let tweak_point = SecretKey::random().public_key();
    ///
    /// // What a sender pays to.
    /// let shared = tweak_point.tweak_mul(&scan.to_bytes())?;
    /// let tweak = output_tweak(&shared.to_bytes(), 0)?;
    /// let keys = [[7; 32], spend.tweak_add(&tweak.to_bytes())?.x_only().0.to_bytes()];
    ///
    /// let receiver = Receiver::new(&scan, &[spend]);
    /// let row = Row { tweak_point: &tweak_point.to_bytes(), outputs: Outputs::Keys(&keys) };
    /// let other = Row { outputs: Outputs::Keys(&keys[..1]), ..row };
    /// let none = Row { tweak_point: &[0; 33], ..row };
    /// let found = Bulk::new().find_silent_payments(&[&receiver], &[other, row, none]);
    /// assert_eq!((found.payments, found.bad_points), (vec![(1, 0)], vec![2]));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn find_silent_payments(&self, receivers: &[&Receiver], rows: &[Row<'_>]) -> Found {
        let mut found = Found::default();
        for (first, receivers) in (0..).step_by(RECEIVERS).zip(receivers.chunks(RECEIVERS)) {
            let keys: Vec<_> = receivers.iter().map(|receiver| receiver.keys()).collect();
            let answers = self.answers(FindSilentPayments(&keys), rows).expect("one slice");
            for (row, answer) in answers.into_iter().enumerate() {
                match answer {
                    Ok(0) => {}
                    Ok(bits) => {
                        let paid = (0..receivers.len()).filter(|receiver| bits >> receiver & 1 == 1);
                        found.payments.extend(paid.map(|receiver| (row, first + receiver)));
                    }
                    Err(_) if first == 0 => found.bad_points.push(row),
                    Err(_) => {}
                }
            }
        }
        found.payments.sort_unstable();
        found
    }
}

impl OneThread {
    /// Whether each row has the first output of the receiver with this scan secret and these spend keys, as
    /// [`Bulk::find_silent_payments`] finds it; an error where the tweak point is none. The workspace is of
    /// [`OneThread::lines_to_find_silent_payments`]. Constant time in the scan secret; time may tell which rows pay.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many places as rows, [`Error::WorkspaceTooSmall`] for a smaller
    /// workspace.
    pub fn find_silent_payments(
        self,
        scan: &SecretKey,
        spend_keys: impl ExactSizeIterator<Item = PublicKey>,
        rows: &[Row<'_>],
        out: &mut [Result<bool, Error>],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(rows.len(), out.len())?;
        let (needed, given) = (self.lines_to_find_silent_payments(spend_keys.len()), workspace.len());
        let memory = workspace.get_mut(..needed).ok_or(Error::WorkspaceTooSmall { needed, given })?;
        with_arena(memory, |arena| {
            let digits = GeneratorStack::cleared(|| arena.filled(1, PointDigits::of(scan.scalar())));
            let spend = arena.collect(spend_keys.map(|key| key.entry()));
            let receiver = ReceiverKeys { scan, digits: &digits[0], spend: &spend };
            for (rows, out) in rows.chunks(ROWS_AT_ONCE).zip(out.chunks_mut(ROWS_AT_ONCE)) {
                let found = &mut [FindSilentPayments::NONE; ROWS_AT_ONCE][..rows.len()];
                self.lanes().run(FindSilentPayments(&[receiver]), rows, found, arena.spare());
                out.iter_mut().zip(found).for_each(|(out, found)| *out = found.map(|bits| bits != 0));
            }
        });
        Ok(())
    }

    /// The cache lines of workspace that [`OneThread::find_silent_payments`] takes for any number of rows.
    pub fn lines_to_find_silent_payments(self, spend_keys: usize) -> usize {
        let own = Arena::count(|arena| {
            arena.filled(1, PointDigits::ZERO);
            arena.list::<Entry>(spend_keys);
        });
        self.workspace_lines().saturating_add(own)
    }
}

impl FindSilentPayments<'_> {
    /// Every receiver with its bit.
    fn receivers(&self) -> impl Iterator<Item = (u64, ReceiverKeys<'_>)> {
        debug_assert!(self.0.len() <= RECEIVERS);
        self.0.iter().enumerate().map(|(number, receiver)| (1 << number, *receiver))
    }
}

impl RowOperation for FindSilentPayments<'_> {
    type Rows<'a> = &'a [Row<'a>];
    type Out = Result<u64, Error>;

    const NONE: Self::Out = Err(Error::BadPublicKey);
    const SECRET: bool = true;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        let parts = rows.chunks(ROWS_OF_A_SCAN_ON_ONE_LANE).zip(out.chunks_mut(ROWS_OF_A_SCAN_ON_ONE_LANE));
        for (rows, out) in parts {
            with_arena(memory, |arena| {
                let mut points = arena.filled(rows.len(), PublicKey::GENERATOR);
                for ((row, point), out) in rows.iter().zip(points.iter_mut()).zip(out.iter_mut()) {
                    *out = row.point().map(|read| *point = read).map(|()| 0);
                }
                for (bit, receiver) in self.receivers() {
                    with_arena(arena.spare(), |arena| OneReceiver { bit, receiver, rows }.alone(&points, out, arena));
                }
            });
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        with_arena(memory, |arena| {
            let mut points = KeyPoints::new(rows.len(), arena);
            for (i, (row, out)) in rows.iter().zip(out.iter_mut()).enumerate() {
                *out = RowKey::read_stored_bytes(row.tweak_point).map(|key| points.set(i, &key)).map(|()| 0);
            }
            points.lift(machine);
            for (i, out) in out.iter_mut().enumerate().filter(|(_, out)| out.is_ok()) {
                *out = points.check(i).map(|()| 0);
            }
            for (bit, receiver) in self.receivers() {
                with_arena(arena.spare(), |arena| {
                    OneReceiver { bit, receiver, rows }.in_lanes(machine, &points, out, arena);
                });
            }
        });
    }
}

/// The rows of a chunk for one receiver.
struct OneReceiver<'a> {
    bit: u64,
    receiver: ReceiverKeys<'a>,
    rows: &'a [Row<'a>],
}

impl OneReceiver<'_> {
    /// Notes the receiver's bit where an output begins so. The x of a key that could be paid to is what a sender makes
    /// public by paying to it; it tells nothing of the scan secret, nor of the spend secret.
    fn compare(&self, row: usize, top: u64, out: &mut Result<u64, Error>) {
        let top = declassify(top);
        if let Ok(found) = out
            && self.rows[row].outputs.any_begins(top)
        {
            *found |= self.bit;
        }
    }

    fn in_lanes<M: Machine>(
        &self,
        machine: M,
        points: &KeyPoints<'_>,
        out: &mut [Result<u64, Error>],
        arena: &mut Arena<'_, '_>,
    ) {
        let groups = points.groups.len();
        let mut tweaks = arena.filled(groups, GeneratorDigits::of_one());
        let mut alone = arena.filled(groups, Mask8::NONE);
        with_arena(arena.spare(), |arena| self.tweaks(machine, &points.groups, &mut tweaks, &mut alone, arena));
        let mut tweak_points = arena.filled(groups, [U256x8::ZERO; 2]);
        mul_generator_rows_ct(machine, &tweaks, &mut tweak_points, arena.spare());
        let mut tops = arena.filled(groups * SPEND_KEYS_AT_ONCE, LaneWords::ZERO);
        for keys in self.receiver.spend.chunks(SPEND_KEYS_AT_ONCE) {
            let tops = &mut tops[..groups * keys.len()];
            let exceptional = key_sums(machine, KeyTerms { points: &tweak_points, keys }, tops, arena.spare());
            // Only a spend key that was made from the tweak of a row has this, or the negative of such a key.
            let exceptional = declassify(exceptional);
            alone.iter_mut().for_each(|alone| *alone = alone.or(exceptional));
            for (row, out) in out.iter_mut().enumerate() {
                let (group, lane) = place(row);
                if !alone[group].lane(lane) {
                    (0..keys.len()).for_each(|key| self.compare(row, tops[groups * key + group].0[lane], out));
                }
            }
        }
        for (row, out) in out.iter_mut().enumerate().filter(|(row, _)| alone[row / LANES].lane(row % LANES)) {
            let one = OneReceiver { rows: &self.rows[row..][..1], ..*self };
            with_arena(arena.spare(), |arena| one.alone(&[points.get(row)], core::slice::from_mut(out), arena));
        }
    }

    /// The tweaks of the rows, and the lanes whose hash is none.
    fn tweaks<M: Machine>(
        &self,
        machine: M,
        points: &[AffineLanes],
        tweaks: &mut [GeneratorDigits],
        none: &mut [Mask8],
        arena: &mut Arena<'_, '_>,
    ) {
        let digits = arena.filled(points.len(), *self.receiver.digits);
        let mut sums = arena.filled(points.len(), JacobianX8::ZERO);
        let mut shared = arena.filled(points.len(), [U256x8::ZERO; 2]);
        mul_point_rows_ct(machine, points, &digits, &mut sums, &mut shared, arena.spare());
        // Number 2 stays zero, which is k.
        let mut batch = HashLanes::new();
        for first in (0..self.rows.len()).step_by(NARROW_LANES) {
            let rows = first..self.rows.len().min(first + NARROW_LANES);
            for row in rows.clone() {
                let (group, lane) = place(row);
                let [x, y] = &shared[group];
                batch.set_point(row - first, x.get(lane), y.get(lane));
            }
            output_tweaks(machine, &mut batch);
            for row in rows {
                let (group, lane) = place(row);
                match checked(Scalar::from_limbs(batch.get(row - first))) {
                    Some(tweak) => tweaks[group].set(lane, &tweak),
                    None => none[group].0 |= 1 << lane,
                }
            }
        }
    }

    /// On one lane.
    fn alone(&self, points: &[PublicKey], out: &mut [Result<u64, Error>], arena: &mut Arena<'_, '_>) {
        let mut shared = arena.filled(points.len(), PublicKey::GENERATOR);
        let scan = self.receiver.scan.scalar();
        let product = |point: &PublicKey| mul::mul_point_ct(Unit::OneLane, &point.affine(), scan);
        normalize(points.iter().map(product), &mut shared, arena);
        // Infinity where the hash is no tweak.
        let tweak_point = |shared: &PublicKey| {
            let hash = TaggedHash::BIP352_SHARED_SECRET.hash_uncleared(&[&shared.to_bytes(), &[0; 4]]);
            checked(Scalar::from_bytes(&hash)).map(|tweak| mul::mul_generator_ct(Unit::OneLane, &tweak))
        };
        let tweak_points = arena.collect(shared.iter().map(tweak_point));
        let mut sums = arena.filled(points.len(), Jacobian::infinity());
        let mut inverses = arena.filled(points.len(), FieldElement::ZERO);
        for key in self.receiver.spend {
            for (sum, point) in sums.iter_mut().zip(tweak_points.iter()) {
                *sum = point.map_or(Jacobian::infinity(), |point| point.add_mixed_any::<Secp256k1>(group::affine(key)));
            }
            let affine = group::to_affine_batch(&sums, &mut inverses);
            for (row, ((affine, sum), out)) in affine.zip(sums.iter()).zip(out.iter_mut()).enumerate() {
                // Only a spend key that was made from the tweak of the row has this.
                if !declassify(sum.is_infinity().any()) {
                    self.compare(row, affine.x.to_words()[3], out);
                }
            }
        }
    }
}

/// A tweak other than zero. BIP-352 has no other, and nobody knows an input whose hash is none.
fn checked(tweak: Option<Scalar>) -> Option<Scalar> {
    tweak.filter(|tweak| !bool::from(declassify(tweak.is_zero())))
}
