//! Scans and products in lanes against single calls, on every machine there is.

use super::{FindSilentPayments, SilentOutputs, TweakMulPublic, tests::answers};
use crate::{
    Backend, Bulk, Error, PublicKey, Scalar, SecretKey,
    bulk::operation::RowOperation,
    hash::{TaggedHash, sha256},
    lanes::{
        HashLanes, Machine, output_tweaks,
        tests::{key, on_machines, scalar},
    },
    payments::{Candidates, OutputRow, Outputs, Receiver, Row, SharedPoint, SortedOutputs},
    tuning::LINES_OF_ONE_LANE,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{CacheLine, NARROW_LANES};

/// A tweak point's bytes, and outputs.
struct Paid {
    tweak_point: Vec<u8>,
    keys: Vec<[u8; 32]>,
    prefixes: Vec<i64>,
}

impl Paid {
    fn row(&self, whole: bool) -> Row<'_> {
        let outputs = if whole { Outputs::Keys(&self.keys) } else { Outputs::Prefixes(&self.prefixes) };
        Row { tweak_point: &self.tweak_point, outputs }
    }
}

fn secret(label: u64) -> SecretKey {
    SecretKey::from_bytes(&scalar(16 * label + 15).to_bytes()).unwrap()
}

/// The form in which libsecp256k1 keeps a point.
fn stored(point: &PublicKey) -> Vec<u8> {
    let full = point.to_bytes_uncompressed();
    full[1..33].iter().rev().chain(full[33..].iter().rev()).copied().collect()
}

fn tweak(point: &PublicKey, scan: &SecretKey) -> [u8; 32] {
    tweak_of(&point.tweak_mul(&scan.to_bytes()).unwrap(), 0)
}

/// The tweak of output k by the shared point.
fn tweak_of(shared: &PublicKey, k: u32) -> [u8; 32] {
    TaggedHash::new(b"BIP0352/SharedSecret").hash(&[&shared.to_bytes(), &k.to_be_bytes()])
}

/// The x of the keys that could be paid to: by single calls.
fn payable(point: &PublicKey, scan: &SecretKey, spend: &[PublicKey]) -> Vec<[u8; 32]> {
    let tweak = tweak(point, scan);
    spend.iter().filter_map(|key| key.tweak_add(&tweak).ok()).map(|key| key.x_bytes()).collect()
}

/// Which receivers the row pays: by single calls.
fn expected(paid: &Paid, receivers: &[(SecretKey, Vec<PublicKey>)]) -> Result<u64, Error> {
    let point = paid.row(true).point()?;
    let pays = |(scan, spend): &(SecretKey, Vec<PublicKey>)| {
        payable(&point, scan, spend).iter().any(|x| paid.keys.contains(x))
    };
    Ok(receivers.iter().enumerate().map(|(i, receiver)| u64::from(pays(receiver)) << i).sum())
}

/// Rows in all forms of which some pay, and some have no point.
fn rows(count: u64, receivers: &[(SecretKey, Vec<PublicKey>)]) -> Vec<Paid> {
    let row = |i: u64| {
        let point = secret(i + 9).public_key();
        let mut keys: Vec<_> = (0..i % 4).map(|output| sha256(&[i as u8, output as u8])).collect();
        // Each of the spend keys in turn, of each receiver in turn.
        let (scan, spend) = &receivers[i as usize / 3 % receivers.len()];
        if i.is_multiple_of(3) && !spend.is_empty() {
            keys.push(payable(&point, scan, &spend[i as usize % spend.len()..][..1])[0]);
        }
        // Another's output differs in a bit of the prefix.
        if i % 5 == 1 && !spend.is_empty() {
            let mut almost = payable(&point, scan, &spend[..1])[0];
            almost[(i % 8) as usize] ^= 1;
            keys.push(almost);
        }
        let mut tweak_point = match i % 3 {
            0 => point.to_bytes().to_vec(),
            1 => stored(&point),
            _ => point.to_bytes_uncompressed().to_vec(),
        };
        match i % 29 {
            4 => tweak_point.truncate(32),
            11 => tweak_point[5] ^= 1,
            17 => tweak_point.fill(0),
            23 => tweak_point.clear(),
            _ => {}
        }
        let prefixes = keys.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect();
        Paid { tweak_point, keys, prefixes }
    };
    (0..count).map(row).collect()
}

fn receivers(spend_keys: &[usize]) -> Vec<(SecretKey, Vec<PublicKey>)> {
    let of = |(i, count): (usize, &usize)| {
        (secret(100 + i as u64), (0..*count).map(|j| secret((200 + 32 * i + j) as u64).public_key()).collect())
    };
    spend_keys.iter().enumerate().map(of).collect()
}

/// The rows pay whom single calls say, in lanes and on one lane, by whole keys and by prefixes.
fn agree<M: Machine>(machine: M, rows: &[Paid], receivers: &[(SecretKey, Vec<PublicKey>)]) -> u32 {
    let alone: Vec<_> = rows.iter().map(|row| expected(row, receivers)).collect();
    let keys: Vec<_> = receivers.iter().map(|(scan, spend)| Receiver::new(scan, spend)).collect();
    let keys: Vec<_> = keys.iter().map(Receiver::keys).collect();
    for whole in [true, false] {
        let rows: Vec<_> = rows.iter().map(|row| row.row(whole)).collect();
        let operation = FindSilentPayments::<u64>::of(&keys);
        assert_eq!(answers(machine, operation, &rows), alone);
        let mut out = vec![FindSilentPayments::<u64>::NONE; rows.len()];
        operation.one_lane(&rows, &mut out, &mut vec![CacheLine([7; 8]); LINES_OF_ONE_LANE]);
        assert_eq!(out, alone);
    }
    alone.iter().flatten().map(|bits| bits.count_ones()).sum()
}

on_machines! {
    fn scans_find_what_single_calls_find(machine) {
        for spend_keys in [&[1][..], &[2, 9, 0, 4], &[]] {
            let receivers = receivers(spend_keys);
            for count in [0, 1, 8, 17, 60] {
                let rows = if receivers.is_empty() { Vec::new() } else { rows(count, &receivers) };
                let found = agree(machine, &rows, &receivers);
                assert!(count < 60 || receivers.is_empty() || found > 10, "{found} payments");
            }
        }
    }

    /// A spend key that is the row's own tweak times G, or the negative of that: the sum is twice a point, or infinity.
    fn sums_without_a_chord_are_found_too(machine) {
        for lane in [0, 3, 7, 12, 16] {
            let point = secret(lane + 9).public_key();
            let scan = secret(100);
            let tweak_point = SecretKey::from_bytes(&tweak(&point, &scan)).unwrap().public_key();
            for spend in [tweak_point, tweak_point.negate()] {
                let receivers = [(scan.clone(), vec![secret(200).public_key(), spend]), receivers(&[1]).remove(0)];
                let mut rows = rows(17, &receivers);
                rows[lane as usize].keys.extend(payable(&point, &scan, &[spend]));
                rows[lane as usize].tweak_point = stored(&point);
                for row in &mut rows {
                    row.prefixes = row.keys.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect();
                }
                assert!(agree(machine, &rows, &receivers) > 1);
            }
        }
    }

    /// Each row is asked for another k, and has some of the keys that the receiver would look for, or none.
    fn outputs_of_any_k_are_those_of_single_calls(machine) {
        let scan = secret(100);
        for count in [0, 1, 8, 17, 60] {
            let shared: Vec<_> = (0..count).map(|i| secret(i + 9).public_key()).collect();
            // The last spend key has no chord with the tweak of row 3 for its k, or is its negative.
            let made = shared.get(3).map(|shared| PublicKey::GENERATOR.tweak_mul(&tweak_of(shared, 3)).unwrap());
            for last in [made, made.map(|made| made.negate())] {
                let spend: Vec<_> = (0..5).map(|i| secret(200 + i).public_key()).chain(last).collect();
                let sums = |row: usize| {
                    let tweak = tweak_of(&shared[row], row as u32);
                    let x = move |spend: &PublicKey| spend.tweak_add(&tweak).ok().map(|sum| sum.x_bytes());
                    spend.iter().enumerate().filter_map(move |(key, spend)| Some((key, x(spend)?)))
                };
                let keys = |row: usize| -> Vec<[u8; 32]> {
                    let is_there = |key: usize| !row.is_multiple_of(4) && (key + row).is_multiple_of(row % 4 + 1);
                    let own = sums(row).filter(|(key, _)| is_there(*key));
                    own.map(|(_, x)| x).chain([[7; 32]]).collect()
                };
                let keys: Vec<_> = (0..shared.len()).map(keys).collect();
                let found = |row: usize| -> Vec<_> { sums(row).filter(|(_, x)| keys[row].contains(x)).collect() };
                let alone: Vec<_> = (0..shared.len()).map(found).collect();

                let points: Vec<_> = shared.iter().map(|shared| SharedPoint::new(&shared.coordinates())).collect();
                let outputs: Vec<_> = keys.iter().map(|keys| SortedOutputs::new(Outputs::Keys(keys))).collect();
                let row = |row: usize| OutputRow { shared: &points[row], k: row as u32, outputs: &outputs[row] };
                let rows: Vec<_> = (0..shared.len()).map(row).collect();
                let receiver = Receiver::new(&scan, &spend);
                let operation = SilentOutputs(receiver.keys());
                let in_lanes = answers(machine, operation, &rows);
                let mut out = vec![None; rows.len()];
                operation.one_lane(&rows, &mut out, &mut vec![CacheLine([7; 8]); LINES_OF_ONE_LANE]);
                for out in [in_lanes, out] {
                    let tweaks = out.iter().enumerate().filter_map(|(row, out)| Some((row, out.as_ref()?)));
                    for (row, out) in tweaks {
                        assert_eq!(out.tweak.to_bytes(), tweak_of(&shared[row], row as u32));
                    }
                    let keys = |out: &Option<Candidates>| -> Vec<_> {
                        out.iter().flat_map(Candidates::keys).copied().collect()
                    };
                    let found: Vec<_> = out.iter().map(keys).collect();
                    assert_eq!(found, alone);
                }
            }
        }
    }

    fn tweaks_are_hashes_under_their_tag(machine) {
        let points: Vec<_> = (0..NARROW_LANES as u64).map(|i| key(scalar(16 * i + 9))).collect();
        for k in [0, 1, 0x80, 0xff00, 0x0102_0304, u32::MAX] {
            let mut batch = HashLanes::new();
            for (row, point) in points.iter().enumerate() {
                batch.set_point(row, point.x_words(), [u64::from(point.y_is_odd()), 0, 0, 0]);
                batch.set(2, row, [k.into(), 0, 0, 0]);
            }
            output_tweaks(machine, &mut batch);
            for (row, point) in points.iter().enumerate() {
                let hash = TaggedHash::new(b"BIP0352/SharedSecret").hash(&[&point.to_bytes(), &k.to_be_bytes()]);
                assert_eq!(crate::encoding::bytes_of_words(&batch.get(row)), hash, "{k}");
            }
        }
    }

    fn multiples_are_those_of_single_calls(machine) {
        for rows in [0, 1, 8, 17, 40] {
            let tweak = |i: u64| match i % 7 {
                3 => [0; 32],
                5 => [0xff; 32],
                6 => (-Scalar::ONE).to_bytes(),
                _ => scalar(i).to_bytes(),
            };
            let keys: Vec<_> = (0..rows).map(|i| secret(i).public_key()).collect();
            let tweaks: Vec<_> = (0..rows).map(tweak).collect();
            let alone: Vec<_> = keys.iter().zip(&tweaks).map(|(key, tweak)| key.tweak_mul(tweak)).collect();
            assert_eq!(answers(machine, TweakMulPublic, (&keys, &tweaks)), alone);
            let mut out = vec![TweakMulPublic::NONE; keys.len()];
            TweakMulPublic.one_lane((&keys, &tweaks), &mut out, &mut vec![CacheLine([7; 8]); LINES_OF_ONE_LANE]);
            assert_eq!(out, alone);
        }
    }
}

/// One receiver's rows on the calling thread, in the caller's memory.
#[test]
fn one_thread_finds_what_bulk_finds() {
    let receivers = receivers(&[5, 2]);
    let paid = rows(300, &receivers);
    for backend in Backend::available() {
        let bulk = Bulk::builder().backend(*backend).threads(1).build().unwrap();
        let one = bulk.one_thread();
        for (scan, spend) in &receivers {
            let rows: Vec<_> = paid.iter().map(|row| row.row(true)).collect();
            let found = bulk.find_silent_payments(&[&Receiver::new(scan, spend)], &rows);
            let lines = one.lines_to_find_silent_payments(spend.len());
            let (mut out, mut memory) = (vec![Ok(true); rows.len()], vec![CacheLine([7; 8]); lines]);
            let keys = spend.iter().copied();
            one.find_silent_payments(scan, keys.clone(), &rows, &mut out, &mut memory).unwrap();
            let paying: Vec<_> = (0..rows.len()).filter(|row| out[*row] == Ok(true)).map(|row| (row, 0)).collect();
            assert_eq!(paying, found.payments);
            assert!(paying.len() > 20);
            let bad: Vec<_> = (0..rows.len()).filter(|row| out[*row].is_err()).collect();
            assert_eq!(bad, found.bad_points);
            let few = one.find_silent_payments(scan, keys.clone(), &rows, &mut out, &mut memory[1..]);
            assert_eq!(few, Err(Error::WorkspaceTooSmall { needed: lines, given: lines - 1 }));
            let short = one.find_silent_payments(scan, keys, &rows, &mut out[1..], &mut memory);
            assert_eq!(short, Err(Error::LengthMismatch { left: rows.len(), right: rows.len() - 1 }));
        }
    }
}

/// Look-ups find every output by its first eight bytes, and nothing else.
#[test]
fn sorted_outputs_are_found_by_their_beginnings() {
    for count in [0usize, 1, 2, 5, 70, 3000] {
        let mut prefixes: Vec<i64> = (0..count as u64)
            .map(|i| i64::from_be_bytes(sha256(&(i / 2).to_be_bytes())[..8].try_into().unwrap()))
            .collect();
        prefixes.extend([0, -1, i64::MIN, -1]);
        let keys: Vec<[u8; 32]> = prefixes
            .iter()
            .enumerate()
            .map(|(i, prefix)| [prefix.to_be_bytes(), [i as u8; 8], [0; 8], [1; 8]].concat().try_into().unwrap())
            .collect();
        for outputs in [Outputs::Prefixes(&prefixes), Outputs::Keys(&keys)] {
            let sorted = SortedOutputs::new(outputs);
            let others = [1, -2, i64::MAX].map(|prefix| (0..9).map(move |i| prefix ^ (i << 40))).into_iter().flatten();
            for prefix in prefixes.iter().copied().chain(others) {
                let expected: Vec<_> = (0..prefixes.len()).filter(|output| prefixes[*output] == prefix).collect();
                assert_eq!(sorted.beginning(prefix.cast_unsigned()), expected, "{prefix} of {count}");
            }
            assert!(sorted.is_key(count / 2, &keys[count / 2]));
            let mut other = keys[count / 2];
            other[31] ^= 1;
            assert_eq!(sorted.is_key(count / 2, &other), matches!(outputs, Outputs::Prefixes(_)));
            other[7] ^= 1;
            assert!(!sorted.is_key(count / 2, &other));
        }
    }
}
