//! The rows that pay receivers silently: BIP-352's scan for the first output of each. It is not in the list of
//! operations, because its rows have receivers in common.

use super::silent_outputs::{OutputSearch, RowSecrets, Transactions};
use crate::bulk::{
    Bulk,
    eight_lanes::KeyPoints,
    memory::{Lines, with_arena},
    one_lane::normalize,
    operation::RowOperation,
};
use crate::tuning::ROWS_OF_A_SCAN_ON_ONE_LANE;
use crate::{
    Error, OneThread, PublicKey, SecretKey,
    keys::RowKey,
    lanes::{JacobianX8, Machine, U256x8},
    mul::{self, PointDigits, Unit, mul_point_rows_ct},
    payments::{FirstOutput, Found, Receiver, ReceiverKeys, Row},
    tables::Entry,
    wipe::{GeneratorStack, Zero},
};
use alloc::vec::Vec;
use core::marker::PhantomData;
use phalanx_engine::{
    arena::{Arena, List},
    word::CacheLine,
};

/// Receivers whose answers are the bits of a word.
const RECEIVERS: usize = 64;
/// Rows whose answers stand on the stack at a time: those of an inversion in eight lanes.
const ROWS_AT_ONCE: usize = 128;

/// Which of at most [`RECEIVERS`] receivers a row pays: an answer of this type for each row.
pub(in crate::bulk) struct FindSilentPayments<'r, A> {
    receivers: &'r [ReceiverKeys<'r>],
    answer: PhantomData<fn() -> A>,
}

impl<A> Clone for FindSilentPayments<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for FindSilentPayments<'_, A> {}

/// Which receivers a row pays.
pub(in crate::bulk) trait PaidReceivers: Clone + Send {
    const NOBODY: Self;

    /// Notes a spend key of a receiver whose first output may be there.
    fn note(&mut self, receiver: usize, key: usize, secrets: &RowSecrets, x: [u64; 4]);
}

/// By bits.
impl PaidReceivers for u64 {
    const NOBODY: u64 = 0;

    fn note(&mut self, receiver: usize, _: usize, _: &RowSecrets, _: [u64; 4]) {
        *self |= 1 << receiver;
    }
}

/// With what it takes to go on. The number of the row is not known here.
impl PaidReceivers for Vec<FirstOutput> {
    const NOBODY: Self = Vec::new();

    fn note(&mut self, receiver: usize, key: usize, secrets: &RowSecrets, x: [u64; 4]) {
        if self.last().is_none_or(|last| last.receiver != receiver) {
            self.push(FirstOutput { row: 0, receiver, shared: secrets.shared_point(), candidates: None });
        }
        if let Some(last) = self.last_mut() {
            secrets.note(&mut last.candidates, key, x);
        }
    }
}

#[cfg(feature = "bindings")]
impl Bulk {
    /// The rows that have the first output (k = 0) of a receiver, as far as the first eight bytes of keys tell: a false
    /// one is as rare as a collision of 64 bits.
    ///
    /// Constant time in scan secrets and in what comes of them, up to the keys that a sender would pay to. How these
    /// compare with the outputs, and so which rows pay, time may tell. It grows with the number of outputs times that
    /// of spend keys. Without receivers no row is read.
    ///
    /// ```
    /// use phalanx::{Bulk, SecretKey, bindings::payments::{Outputs, Receiver, Row, output_tweak}};
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
        found.bad_points = self.first_receivers(receivers, rows, |row, first, bits: u64| {
            let paid = (0..RECEIVERS).filter(|receiver| bits >> receiver & 1 == 1);
            found.payments.extend(paid.map(|receiver| (row, first + receiver)));
        });
        found.payments.sort_unstable();
        found
    }

    /// The payments of [`Bulk::find_silent_payments`] with what it takes to go on, in the order of rows, and the rows
    /// whose tweak point is none.
    pub fn first_silent_outputs(&self, receivers: &[&Receiver], rows: &[Row<'_>]) -> (Vec<FirstOutput>, Vec<usize>) {
        let mut payments = Vec::new();
        let bad_points = self.first_receivers(receivers, rows, |row, first, outputs: Vec<FirstOutput>| {
            let placed = |output: FirstOutput| FirstOutput { row, receiver: first + output.receiver, ..output };
            payments.extend(outputs.into_iter().map(placed));
        });
        payments.sort_unstable_by_key(|payment| (payment.row, payment.receiver));
        (payments, bad_points)
    }

    /// Calls `paid` with the answer of each row for [`RECEIVERS`] receivers at a time, and the number of the first of
    /// them. Returns the rows whose tweak point is none.
    fn first_receivers<A: PaidReceivers>(
        &self,
        receivers: &[&Receiver],
        rows: &[Row<'_>],
        mut paid: impl FnMut(usize, usize, A),
    ) -> Vec<usize> {
        let mut bad_points = Vec::new();
        for (first, receivers) in (0..).step_by(RECEIVERS).zip(receivers.chunks(RECEIVERS)) {
            let keys: Vec<_> = receivers.iter().map(|receiver| receiver.keys()).collect();
            let answers = self.answers(FindSilentPayments::of(&keys), rows).expect("one slice");
            for (row, answer) in answers.into_iter().enumerate() {
                match answer {
                    Ok(answer) => paid(row, first, answer),
                    Err(_) if first == 0 => bad_points.push(row),
                    Err(_) => {}
                }
            }
        }
        bad_points
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
                let found = &mut [FindSilentPayments::<u64>::NONE; ROWS_AT_ONCE][..rows.len()];
                self.lanes().run(FindSilentPayments::of(&[receiver]), rows, found, arena.spare());
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

impl<'r, A: PaidReceivers> FindSilentPayments<'r, A> {
    pub(in crate::bulk) fn of(receivers: &'r [ReceiverKeys<'r>]) -> Self {
        assert!(receivers.len() <= RECEIVERS, "a bit for each receiver");
        FindSilentPayments { receivers, answer: PhantomData }
    }
}

/// The first outputs of one receiver in the rows of a chunk.
struct FirstOutputs<'a, 'o, A> {
    receiver: usize,
    rows: &'a [Row<'a>],
    out: &'o mut [Result<A, Error>],
}

impl<A: PaidReceivers> Transactions for FirstOutputs<'_, '_, A> {
    fn k(&self, _: usize) -> u32 {
        0
    }

    fn begins(&self, row: usize, with: u64) -> bool {
        self.rows[row].outputs.any_begins(with)
    }

    fn note(&mut self, row: usize, key: usize, secrets: &RowSecrets, x: [u64; 4]) {
        if let Ok(answer) = &mut self.out[row] {
            answer.note(self.receiver, key, secrets, x);
        }
    }
}

impl<A: PaidReceivers> RowOperation for FindSilentPayments<'_, A> {
    type Rows<'a> = &'a [Row<'a>];
    type Out = Result<A, Error>;

    const NONE: Self::Out = Err(Error::BadPublicKey);
    const SECRET: bool = true;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        let parts = rows.chunks(ROWS_OF_A_SCAN_ON_ONE_LANE).zip(out.chunks_mut(ROWS_OF_A_SCAN_ON_ONE_LANE));
        for (rows, out) in parts {
            with_arena(memory, |arena| {
                let mut points = arena.filled(rows.len(), PublicKey::GENERATOR);
                for ((row, point), out) in rows.iter().zip(points.iter_mut()).zip(out.iter_mut()) {
                    *out = row.point().map(|read| *point = read).map(|()| A::NOBODY);
                }
                for (receiver, keys) in self.receivers.iter().enumerate() {
                    let found = &mut FirstOutputs { receiver, rows, out: &mut *out };
                    with_arena(arena.spare(), |arena| {
                        let shared = shared_alone(*keys, &points, arena);
                        let search = OutputSearch { spend: keys.spend, rows: rows.len() };
                        search.alone(0..rows.len(), |row| shared[row], found, arena);
                    });
                }
            });
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        with_arena(memory, |arena| {
            let mut points = KeyPoints::new(rows.len(), arena);
            for (i, (row, out)) in rows.iter().zip(out.iter_mut()).enumerate() {
                *out = RowKey::read_stored_bytes(row.tweak_point).map(|key| points.set(i, &key)).map(|()| A::NOBODY);
            }
            points.lift(machine);
            for (i, out) in out.iter_mut().enumerate().filter(|(_, out)| out.is_ok()) {
                *out = points.check(i).map(|()| A::NOBODY);
            }
            for (receiver, keys) in self.receivers.iter().enumerate() {
                let found = &mut FirstOutputs { receiver, rows, out: &mut *out };
                with_arena(arena.spare(), |arena| {
                    let groups = points.groups.len();
                    let mut shared = arena.filled(groups, [U256x8::ZERO; 2]);
                    with_arena(arena.spare(), |arena| {
                        let digits = arena.filled(groups, *keys.digits);
                        let mut sums = arena.filled(groups, JacobianX8::ZERO);
                        mul_point_rows_ct(machine, &points.groups, &digits, &mut sums, &mut shared, arena.spare());
                    });
                    OutputSearch { spend: keys.spend, rows: rows.len() }.in_lanes(machine, &shared, found, arena);
                });
            }
        });
    }
}

/// The shared points of a receiver, on one lane.
fn shared_alone<'a>(keys: ReceiverKeys<'_>, points: &[PublicKey], arena: &mut Arena<'a, '_>) -> List<'a, PublicKey> {
    let mut shared = arena.filled(points.len(), PublicKey::GENERATOR);
    let product = |point: &PublicKey| mul::mul_point_ct(Unit::OneLane, &point.affine(), keys.scan.scalar());
    normalize(points.iter().map(product), &mut shared, arena);
    shared
}
