//! Answers to checks, by bulk calls.

use phalanx::{Batch, LowS, Verdict, ecdsa, schnorr};

use crate::check::Check;

/// From this number on, Schnorr signatures are verified by one sum, which is faster if all hold. The crate
/// `phalanx-rows` has the same threshold.
const SUMMED: usize = 256;

/// The answer to each check. Where no call gives one, it is no.
pub(crate) fn answer(batch: &Batch, checks: &[Check]) -> Vec<bool> {
    let mut answers = vec![false; checks.len()];
    let mut write = |places: &[usize], verdicts: Vec<Verdict>| {
        assert_eq!(places.len(), verdicts.len(), "one verdict for each check");
        places.iter().zip(verdicts).for_each(|(place, verdict)| answers[*place] = verdict.is_valid());
    };
    let rows = checks.iter().enumerate();
    let (places, rows): (Vec<usize>, Vec<ecdsa::Row<'_>>) =
        rows.filter_map(|(place, check)| Some((place, check.ecdsa_row()?))).unzip();
    if !rows.is_empty() {
        write(&places, batch.bulk().verify_ecdsa(&rows, LowS::Allow));
    }
    let rows = checks.iter().enumerate();
    let (places, rows): (Vec<usize>, Vec<schnorr::Row<'_>>) =
        rows.filter_map(|(place, check)| Some((place, check.schnorr_row()?))).unzip();
    if rows.len() >= SUMMED {
        write(&places, batch.verify_schnorr(&rows));
    } else if !rows.is_empty() {
        write(&places, batch.bulk().verify_schnorr(&rows));
    }
    verify_commitments(batch, checks, &mut answers);
    answers
}

/// Answers the checks that are commitments.
fn verify_commitments(batch: &Batch, checks: &[Check], answers: &mut [bool]) {
    let (mut places, mut encoded) = (Vec::new(), Vec::new());
    for (place, check) in checks.iter().enumerate() {
        if let Check::Commitment { tweak, internal, output, odd } = check {
            places.push((place, *tweak, [&[2 + u8::from(*odd)], &output[..]].concat()));
            encoded.push([&[2], &internal[..]].concat());
        }
    }
    if places.is_empty() {
        return;
    }
    let encoded: Vec<&[u8]> = encoded.iter().map(Vec::as_slice).collect();
    let found = batch.bulk().decompress(&encoded);
    // An internal key that is none leaves its answer at no.
    let with_key = places.iter().zip(found).filter_map(|(place, key)| Some((place, key.ok()?)));
    let (places, keys): (Vec<_>, Vec<_>) = with_key.unzip();
    let tweaks: Vec<[u8; 32]> = places.iter().map(|(_, tweak, _)| *tweak).collect();
    let Ok(sums) = batch.bulk().tweak_add_public(&keys, &tweaks) else { return };
    for ((place, _, output), sum) in places.into_iter().zip(sums) {
        answers[*place] = sum.is_ok_and(|sum| sum.to_bytes()[..] == output[..]);
    }
}
