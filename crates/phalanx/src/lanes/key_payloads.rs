//! What scripts hold of public keys, sixteen keys at a time: HASH160 of the key, HASH160 of the script that holds that
//! one, and the tweak of a taproot key.

use super::{
    memory::Machine,
    ripemd160::{WORDS, ripemd160},
    sha256::{HashLanes, combine, compress, compressed_points, padding, splat},
};
use crate::hash::{INITIAL, tags};

impl HashLanes {
    /// The HASH160 of a row.
    pub(crate) fn get_hash160(&self, row: usize) -> [u8; 4 * WORDS] {
        let mut hash = [0; 4 * WORDS];
        for (bytes, line) in hash.as_chunks_mut::<4>().0.iter_mut().zip(&self.output) {
            *bytes = line.0[row].to_be_bytes();
        }
        hash
    }
}

/// HASH160, which is RIPEMD-160 of SHA-256, of sixteen compressed points: number 0 is x, number 1 the parity of y.
pub(crate) fn key_hashes<M: Machine>(machine: M, batch: &mut HashLanes) {
    compressed_points(machine, batch);
    ripemd160(machine, &mut batch.output);
}

/// HASH160 of the scripts `0 <HASH160 of the key>` (BIP-141) of sixteen compressed points, given as to [`key_hashes`].
pub(crate) fn script_hashes<M: Machine>(machine: M, batch: &mut HashLanes) {
    key_hashes(machine, batch);
    let HashLanes { output: state, scratch: [script, ..], .. } = batch;
    // Two bytes come before the hash, and the padding comes after it.
    *script = splat([0x0014, 0, 0, 0, 0, 0x8000, 0, 0]);
    script[0].0.iter_mut().for_each(|word| *word <<= 16);
    combine(&mut script[..WORDS], &state[..WORDS], |word, hash| word | hash >> 16);
    combine(&mut script[1..=WORDS], &state[..WORDS], |word, hash| word | hash << 16);
    *state = splat(INITIAL);
    compress(machine, state, script, const { &splat([0, 0, 0, 0, 0, 0, 0, 8 * 22]) });
    ripemd160(machine, state);
}

/// The tweaks of sixteen taproot keys without a tree of scripts (BIP-341): number 0 is x.
pub(crate) fn taproot_tweaks<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [x, ..], output: state, .. } = batch;
    *state = splat(tags::TAP_TWEAK.state());
    compress(machine, state, x, const { &padding(96) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        encoding::words,
        lanes::tests::{key, on_machines, scalar},
    };
    use phalanx_engine::word::NARROW_LANES;
    use ripemd::{Digest, Ripemd160};

    fn hash160(bytes: &[u8]) -> [u8; 20] {
        Ripemd160::digest(crate::hash::sha256(bytes)).into()
    }

    on_machines! {
        fn sixteen_keys_have_the_payloads_of_each(machine) {
            for set in 0..3 {
                let keys: [_; NARROW_LANES] = core::array::from_fn(|i| {
                    key(scalar(16 * (NARROW_LANES as u64 * set + i as u64) + 7))
                });
                let batch = || {
                    let mut batch = HashLanes::new();
                    for (row, key) in keys.iter().enumerate() {
                        batch.set(0, row, key.x_words());
                        batch.set(1, row, [u64::from(key.y_is_odd()), 0, 0, 0]);
                    }
                    batch
                };
                let [mut of_keys, mut of_scripts, mut tweaks] = [batch(), batch(), batch()];
                key_hashes(machine, &mut of_keys);
                script_hashes(machine, &mut of_scripts);
                taproot_tweaks(machine, &mut tweaks);
                for (row, key) in keys.iter().enumerate() {
                    let hash = hash160(&key.to_bytes());
                    assert_eq!(of_keys.get_hash160(row), hash);
                    assert_eq!(of_scripts.get_hash160(row), hash160(&[&[0, 20], &hash[..]].concat()));
                    let tweak = tags::TAP_TWEAK.hash(&[&key.x_only().0.to_bytes()]);
                    assert_eq!(tweaks.get(row), words(&tweak));
                }
            }
        }
    }
}
