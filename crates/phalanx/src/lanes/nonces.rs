//! The nonces of signatures, sixteen rows at a time.

use super::{
    memory::Machine,
    sha256::{EightWords, HashLanes, moved, padding, splat8},
};
use crate::hash::{INITIAL, TaggedHash, ZERO_KEY};
use phalanx_engine::word::{Narrow, Op, Word};

/// The first candidates of RFC 6979 (section 3.2) for sixteen rows: number 0 is the secret key, 1 the digest modulo the
/// order.
pub(crate) fn rfc6979_candidates<M: Machine>(machine: M, batch: &mut HashLanes) {
    machine.run(Rfc6979(batch));
}

/// The nonces of BIP-340's default signing for sixteen rows, not yet reduced: number 0 is the secret key of the even
/// point, 1 the auxiliary randomness, 2 the key's x, 3 the message.
pub(crate) fn bip340_nonces<M: Machine>(machine: M, batch: &mut HashLanes) {
    machine.run(Bip340(batch));
}

struct Bip340<'a>(&'a mut HashLanes);

impl Op for Bip340<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let batch = self.0;
        let [aux, key, message] = [batch.number(1), batch.number(2), batch.number(3)];
        let mask = batch.compress::<W>(splat8(TaggedHash::BIP340_AUX.state()), aux, padding(96));
        let seed = xor(batch.number(0), mask);
        let state = batch.compress::<W>(splat8(TaggedHash::BIP340_NONCE.state()), seed, key);
        let nonce = batch.compress::<W>(state, message, padding(160));
        batch.finish(nonce);
    }
}

struct Rfc6979<'a>(&'a mut HashLanes);

impl Op for Rfc6979<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let batch = self.0;
        let (secret, digest): (EightWords<W::Narrow>, EightWords<W::Narrow>) = (batch.number(0), batch.number(1));
        // A byte stands before the two, so that they are moved by eight bits.
        let moved_secret = moved(W::Narrow::splat(0), secret);
        let moved_digest = moved(secret[7], digest);
        let rest = digest[7].shl::<24>().or(W::Narrow::splat(0x80 << 16));
        let zero = W::Narrow::splat(0);
        let rest = [rest, zero, zero, zero, zero, zero, zero, W::Narrow::splat(8 * (64 + 97))];

        let mut key = Key::<W> { inner: splat8(ZERO_KEY[0]), outer: splat8(ZERO_KEY[1]) };
        let mut value = splat8([0x0101_0101; 8]);
        for round in 0..2 {
            let mut first = moved_secret;
            first[0] = first[0].or(W::Narrow::splat(round << 24));
            let state = batch.compress::<W>(key.inner, value, first);
            let hash = batch.compress::<W>(state, moved_digest, rest);
            let hash = batch.compress::<W>(key.outer, hash, padding(96));
            key = Key::new(batch, hash);
            value = key.mac(batch, value);
        }
        let candidate = key.mac(batch, value);
        batch.finish(candidate);
    }
}

/// The key of an HMAC (RFC 2104) as the states after the inner and the outer key block.
struct Key<W: Word> {
    inner: EightWords<W::Narrow>,
    outer: EightWords<W::Narrow>,
}

impl<W: Word> Key<W> {
    #[inline(always)]
    fn new(batch: &mut HashLanes, key: EightWords<W::Narrow>) -> Self {
        let (inner, outer) = (splat8([0x3636_3636; 8]), splat8([0x5c5c_5c5c; 8]));
        Key {
            inner: batch.compress::<W>(splat8(INITIAL), xor(key, inner), inner),
            outer: batch.compress::<W>(splat8(INITIAL), xor(key, outer), outer),
        }
    }

    /// The code of a message of 32 bytes.
    #[inline(always)]
    fn mac(&self, batch: &mut HashLanes, message: EightWords<W::Narrow>) -> EightWords<W::Narrow> {
        let hash = batch.compress::<W>(self.inner, message, padding(96));
        batch.compress::<W>(self.outer, hash, padding(96))
    }
}

#[inline(always)]
fn xor<N: Narrow>(a: EightWords<N>, b: EightWords<N>) -> EightWords<N> {
    let [a0, a1, a2, a3, a4, a5, a6, a7] = a;
    let [b0, b1, b2, b3, b4, b5, b6, b7] = b;
    [a0.xor(b0), a1.xor(b1), a2.xor(b2), a3.xor(b3), a4.xor(b4), a5.xor(b5), a6.xor(b6), a7.xor(b7)]
}
