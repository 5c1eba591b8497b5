//! All outputs of one receiver in one transaction, in the order of k.
//!
//! A transaction of 1 MB has about 23,000 outputs, of which the first 2,323 of a receiver count. Each k is looked up in
//! a table by its first eight bytes, so the time grows with the outputs plus the matches, not with their product.

use std::collections::HashMap;

use phalanx::msm::Msm;
use phalanx::silent::Outputs;
use phalanx::{Bulk, PublicKey, SecretKey, declassify};
use zeroize::Zeroizing;

use crate::{MAX_OUTPUTS, Scanner, hash};

/// An output of a receiver.
pub(crate) struct OwnOutput {
    pub(crate) output: usize,
    pub(crate) k: u32,
    pub(crate) label: Option<u32>,
    pub(crate) key: [u8; 32],
    /// Where a list of matches that grows leaves no copies.
    pub(crate) tweak: Box<SecretKey>,
}

/// Numbers k that are computed together at most. As many are as have matched before, so at most half are in vain.
const MOST_AT_ONCE: usize = 64;
/// The same times the spend keys, beyond which the sums leave the caches.
const MOST_SUMS: usize = 1024;

/// Calls `found` with the receiver's outputs. At each k, it is the first output in the transaction's order that is left
/// and that one of the receiver's keys makes.
pub(crate) fn outputs_of(
    bulk: &Bulk,
    scanner: &Scanner,
    point: &PublicKey,
    outputs: &Outputs<'_>,
    mut found: impl FnMut(OwnOutput),
) {
    let shared = hash::shared_point(point, scanner.scan());
    let (mut left, msm, mut k) = (Left::of(outputs), Msm::with(bulk), 0);
    let most = (MOST_SUMS / scanner.keys().len()).clamp(1, MOST_AT_ONCE);
    while k < MAX_OUTPUTS {
        let end = MAX_OUTPUTS.min(k + k.clamp(1, most as u32));
        let mut tweaks = Vec::with_capacity(most);
        // The first hash that is no scalar ends the list, and the search.
        tweaks.extend((k..end).map_while(|k| hash::output_tweak(&shared, k).ok()));
        // These points count as public, as the public key of a single tweak does: whoever sees an output knows its point.
        let repeated = |point: PublicKey| std::iter::repeat_n(declassify(point), scanner.keys().len());
        let tweak_points: Vec<_> = bulk.public_keys(&tweaks).into_iter().flat_map(repeated).collect();
        let sums = msm.add_pairs(&tweak_points, &scanner.keys().repeat(tweaks.len())).expect("as many points as keys");
        for (tweak, sums) in tweaks.into_iter().zip(sums.chunks(scanner.keys().len())) {
            let candidate = |(spend_key, sum): (usize, &Option<PublicKey>)| {
                let key = x_of(sum.as_ref()?);
                Some((left.first(&key)?, spend_key, key))
            };
            let Some((output, spend_key, key)) = sums.iter().enumerate().filter_map(candidate).min() else { return };
            left.remove(output);
            let label = scanner.label(spend_key);
            // The sum is zero for a label whose tweak is the negative of a hash. Nobody knows one.
            let Ok(tweak) = with_label(tweak, label.map(|(_, tweak)| tweak)) else { return };
            found(OwnOutput { output, k, label: label.map(|(number, _)| number), key, tweak: Box::new(tweak) });
            k += 1;
        }
        if k < end {
            return;
        }
    }
}

fn with_label(tweak: SecretKey, label: Option<&SecretKey>) -> Result<SecretKey, phalanx::Error> {
    match label {
        Some(label) => tweak.tweak_add(&Zeroizing::new(label.to_bytes())),
        None => Ok(tweak),
    }
}

/// The x of a point.
fn x_of(point: &PublicKey) -> [u8; 32] {
    let [_, x @ ..] = point.to_bytes();
    x
}

/// The outputs that have not been found yet.
struct Left<'o> {
    outputs: &'o Outputs<'o>,
    /// By their first eight bytes; the first one stands last.
    by_prefix: HashMap<u64, Vec<usize>>,
}

impl<'o> Left<'o> {
    fn of(outputs: &'o Outputs<'o>) -> Left<'o> {
        let mut by_prefix: HashMap<u64, Vec<usize>> = HashMap::with_capacity(outputs.len());
        for output in (0..outputs.len()).rev() {
            by_prefix.entry(outputs.prefix(output)).or_default().push(output);
        }
        Left { outputs, by_prefix }
    }

    /// The first output with this x.
    fn first(&self, x: &[u8; 32]) -> Option<usize> {
        let [a, b, c, d, e, f, g, h, ..] = *x;
        let alike = self.by_prefix.get(&u64::from_be_bytes([a, b, c, d, e, f, g, h]))?;
        let whole = |output: &&usize| match self.outputs {
            Outputs::Keys(keys) => keys[**output] == *x,
            Outputs::Prefixes(_) => true,
        };
        alike.iter().rev().find(whole).copied()
    }

    fn remove(&mut self, output: usize) {
        if let Some(alike) = self.by_prefix.get_mut(&self.outputs.prefix(output))
            && let Some(at) = alike.iter().rposition(|other| *other == output)
        {
            alike.remove(at);
        }
    }
}
