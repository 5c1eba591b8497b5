//! Scans: many transactions for many receivers.

use std::fmt;

use phalanx::bindings::payments::{FirstOutput, Row};
use phalanx::{Bulk, SecretKey};

use crate::Scanner;
use crate::outputs_of::{OwnOutput, outputs_of};
use crate::wipe::{SCAN, cleared};

/// An output that is a receiver's.
pub struct Match {
    /// The number of the row.
    pub row: usize,
    /// The number of the receiver.
    pub scanner: usize,
    /// Which of the row's outputs.
    pub output: usize,
    /// Which of the receiver's outputs in the transaction, from 0.
    pub k: u32,
    /// The label that was paid to. Label 0 is change.
    pub label: Option<u32>,
    /// The x of the output's key.
    pub key: [u8; 32],
    /// What spends it, added to the spend secret: [`SecretKey::tweak_add`]. The sum's point has this x, and may have an
    /// odd y.
    pub tweak: Box<SecretKey>,
}

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("row", &self.row)
            .field("scanner", &self.scanner)
            .field("output", &self.output)
            .field("k", &self.k)
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// What a scan finds.
#[derive(Debug, Default)]
pub struct Scan {
    /// The outputs, ordered by row, receiver and k.
    pub matches: Vec<Match>,
    /// The rows whose tweak point is no point of the curve. They have no matches.
    pub bad_points: Vec<usize>,
}

/// The outputs of rows that are receivers'. Every row is computed for every receiver; reading its point, a third of
/// the work for compressed points, is shared.
///
/// Where a row has prefixes in place of keys, a match is as sure as eight bytes are. A transaction has at most
/// [`MAX_OUTPUTS`](crate::MAX_OUTPUTS) outputs of a receiver; those after them are not looked for, as BIP-352 says.
///
/// Constant time in scan secrets, shared points and tweaks. Which outputs are whose, time may tell, as the number of
/// [`Match`]es does.
///
/// ```
/// use phalanx::{Bulk, SecretKey};
/// use phalanx_silent::{OutPoint, Outputs, Row, Scanner, SendingKey, outputs, scan};
/// let (scan_secret, spend) = (SecretKey::random(), SecretKey::random());
/// let scanner = Scanner::new(&scan_secret, spend.public_key(), [])?;
///
/// let key = SecretKey::random();
/// let outpoint = OutPoint { txid: [1; 32], index: 0 };
/// let sent = outputs(&[SendingKey { key: &key, taproot: false }], &[outpoint], &[scanner.address(true); 2])?;
/// let keys: Vec<_> = sent.iter().map(|key| key.to_bytes()).collect();
///
/// // What an index holds for the transaction: `tweaks` computes it from inputs.
/// let point = phalanx_silent::tweak_point(&[key.public_key()], &[outpoint])?;
/// let row = Row { tweak_point: &point.to_bytes(), outputs: Outputs::Keys(&keys) };
/// let found = scan(&Bulk::new(), &[&scanner], &[row]);
/// assert_eq!(found.matches.len(), 2);
/// let spending = spend.tweak_add(&found.matches[1].tweak.to_bytes()).expect("a key");
/// assert_eq!(spending.public_key().x_only().0, sent[1]);
/// # Ok::<(), phalanx_silent::Error>(())
/// ```
pub fn scan(bulk: &Bulk, scanners: &[&Scanner], rows: &[Row<'_>]) -> Scan {
    cleared::<SCAN, _>(|| scan_uncleared(bulk, scanners, rows))
}

/// [`scan`] of rows of which some could not be read, and what is wrong with each of these. Returns the matches, and what is
/// wrong with rows, by their numbers: `bad_point` where the tweak point is no point of the curve.
pub fn scan_read<'a, E: Copy>(
    bulk: &Bulk,
    scanners: &[&Scanner],
    rows: impl IntoIterator<Item = Result<Row<'a>, E>>,
    bad_point: E,
) -> (Vec<Match>, Vec<(usize, E)>) {
    let (mut places, mut read, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for (place, row) in rows.into_iter().enumerate() {
        match row {
            Ok(row) => {
                places.push(place);
                read.push(row);
            }
            Err(why) => wrong.push((place, why)),
        }
    }
    let found = scan(bulk, scanners, &read);
    wrong.extend(found.bad_points.iter().map(|row| (places[*row], bad_point)));
    wrong.sort_unstable_by_key(|(place, _)| *place);
    let matches = found.matches.into_iter().map(|found| Match { row: places[found.row], ..found });
    (matches.collect(), wrong)
}

fn scan_uncleared(bulk: &Bulk, scanners: &[&Scanner], rows: &[Row<'_>]) -> Scan {
    let receivers: Vec<_> = scanners.iter().map(|scanner| scanner.receiver()).collect();
    let (payments, bad_points) = bulk.first_silent_outputs(&receivers, rows);
    let mut payments_of: Vec<Vec<FirstOutput>> = scanners.iter().map(|_| Vec::new()).collect();
    payments.into_iter().for_each(|payment| payments_of[payment.receiver].push(payment));
    let mut found: Vec<(usize, usize, Vec<OwnOutput>)> = Vec::new();
    for (scanner, payments) in payments_of.into_iter().enumerate() {
        let outputs = outputs_of(bulk, scanners[scanner], payments, rows);
        found.extend(outputs.into_iter().map(|(row, outputs)| (row, scanner, outputs)));
    }
    found.sort_unstable_by_key(|(row, scanner, _)| (*row, *scanner));
    let matches = found.into_iter().flat_map(|(row, scanner, outputs)| {
        let own =
            move |OwnOutput { output, k, label, key, tweak }| Match { row, scanner, output, k, label, key, tweak };
        outputs.into_iter().map(own)
    });
    Scan { matches: matches.collect(), bad_points }
}
