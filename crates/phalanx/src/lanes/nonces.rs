//! The nonces of signatures, sixteen rows at a time. Constant time.

use super::{
    memory::Machine,
    sha256::{EightWords, HashLanes, combine, compress, move_down, padding, rest_of_moved, splat},
};
use crate::hash::{INITIAL, ZERO_KEY, tags};

/// The nonces of BIP-340's default signing for sixteen rows, not yet reduced: number 0 is the secret key of the even
/// point, 1 the auxiliary randomness, 2 the key's x, 3 the message.
pub(crate) fn bip340_nonces<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [secret, aux, key, message], output: state, scratch: [mask, ..] } = batch;
    *mask = splat(tags::BIP340_AUX.state());
    compress(machine, mask, aux, const { &padding(96) });
    combine(mask, secret, |mask, secret| mask ^ secret);
    *state = splat(tags::BIP340_NONCE.state());
    compress(machine, state, mask, key);
    compress(machine, state, message, const { &padding(160) });
}

/// The first candidates of RFC 6979 (section 3.2) for sixteen rows: number 0 is the secret key, 1 the digest modulo the
/// order.
pub(crate) fn rfc6979_candidates<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [secret, digest, ..], output: value, scratch } = batch;
    let [moved_secret, moved_digest, rest, inner, outer, hash] = scratch;
    // One byte stands before the two, so that they are moved by eight bits.
    move_down(moved_secret, &splat([0; 8])[0], secret);
    move_down(moved_digest, &secret[7], digest);
    rest_of_moved(rest, digest, 64 + 97);

    (*inner, *outer) = (splat(ZERO_KEY[0]), splat(ZERO_KEY[1]));
    *value = splat([0x0101_0101; 8]);
    for byte in 0..2 {
        combine(&mut moved_secret[..1], &splat([byte << 24; 8])[..1], |word, byte| word | byte);
        *hash = *inner;
        compress(machine, hash, value, moved_secret);
        compress(machine, hash, moved_digest, rest);
        compress(machine, outer, hash, const { &padding(96) });
        // The new key of the HMAC is now in `outer`.
        *hash = *outer;
        begin(machine, inner, hash, INNER_PAD, const { &splat([INNER_PAD; 8]) });
        begin(machine, outer, hash, INNER_PAD ^ OUTER_PAD, const { &splat([OUTER_PAD; 8]) });
        mac(machine, [inner, outer], value, hash);
    }
    mac(machine, [inner, outer], value, hash);
}

/// What changes the words of a key block of HMAC (RFC 2104).
const INNER_PAD: u32 = 0x3636_3636;
const OUTER_PAD: u32 = 0x5c5c_5c5c;

/// Sets `state` to the one after a key block: the key, whose words are changed by `change` and stay so, and then `pad`.
fn begin<M: Machine>(machine: M, state: &mut EightWords, key: &mut EightWords, change: u32, pad: &EightWords) {
    for line in &mut *key {
        line.0.iter_mut().for_each(|word| *word ^= change);
    }
    *state = splat(INITIAL);
    compress(machine, state, key, pad);
}

/// Replaces a message of 32 bytes by its HMAC, whose key is given by the states after its two blocks.
fn mac<M: Machine>(machine: M, [inner, outer]: [&EightWords; 2], message: &mut EightWords, hash: &mut EightWords) {
    *hash = *inner;
    compress(machine, hash, message, const { &padding(96) });
    *message = *outer;
    compress(machine, message, hash, const { &padding(96) });
}
