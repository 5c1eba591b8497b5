//! Deterministic nonces: RFC 6979 section 3.2 with HMAC-SHA-256, for any group order of exactly 256 bits.

use super::{BuiltIn, hmac::HmacKey};
use crate::{
    declassify::declassify,
    encoding::{bytes_of_words, words},
    wipe::{ScalarStack, wipe},
};
use core::fmt;
use phalanx_engine::limbs::{less, reduce_once};

/// The sequence of nonces that RFC 6979 derives from a secret key and a message digest.
///
/// The group order is a parameter, so that the RFC's own vectors, which are for other curves, can be run against this
/// code. Signing takes the first nonce; the next ones exist for the case, never yet seen, that it leads to r = 0 or
/// s = 0.
///
/// Constant time in secret key and digest, except for the number of candidates drawn, which is independent of the nonce
/// that is returned. State is wiped on drop.
///
/// ```
/// use phalanx::hash::NonceGenerator;
/// // secp256k1's order.
/// let mut order = [0xff; 32];
/// order[15] = 0xfe;
/// order[16..].copy_from_slice(&0xbaaedce6af48a03bbfd25e8cd0364141u128.to_be_bytes());
/// let mut nonce = [0; 32];
/// NonceGenerator::new(&order, &[1; 32], &[2; 32], &[]).fill(&mut nonce);
/// assert_ne!(nonce, [0; 32]);
/// ```
pub struct NonceGenerator {
    order: [u64; 4],
    key: HmacKey,
    value: [u8; 32],
    drawn: bool,
}

impl NonceGenerator {
    /// Seeds the generator.
    ///
    /// * `order`: the group order q, big-endian, 2^255 < q < 2^256;
    /// * `secret`: the secret key, big-endian, in [1, q - 1];
    /// * `digest`: the message digest; it is reduced modulo q here, as `bits2octets` demands;
    /// * `extra`: additional data k' of section 3.6, empty for none. libsecp256k1's 32 bytes of `ndata` go here.
    ///
    /// ```
    /// # use phalanx::hash::NonceGenerator;
    /// let (order, mut nonce) = ([0xff; 32], [0; 32]);
    /// NonceGenerator::new(&order, &[1; 32], &[2; 32], b"extra").fill(&mut nonce);
    /// ```
    pub fn new(order: &[u8; 32], secret: &[u8; 32], digest: &[u8; 32], extra: &[u8]) -> Self {
        ScalarStack::cleared(|| Self::seeded(order, secret, digest, extra))
    }

    /// As [`new`](Self::new), for callers that clear the stack.
    pub(crate) fn seeded(order: &[u8; 32], secret: &[u8; 32], digest: &[u8; 32], extra: &[u8]) -> Self {
        let order = words(order);
        // One subtraction suffices, because the digest is below 2^256 and the order above 2^255.
        let mut digest = bytes_of_words(&reduce_once(&words(digest), &order).0);
        let mut generator = NonceGenerator { order, key: HmacKey::zero(), value: [1; 32], drawn: false };
        generator.absorb(0, &[secret, &digest, extra]);
        generator.absorb(1, &[secret, &digest, extra]);
        wipe(&mut digest);
        generator
    }

    /// Steps d and e, or f and g, of section 3.2; with no data, the update between candidates of step h.
    fn absorb(&mut self, round: u8, data: &[&[u8]; 3]) {
        let mut key = self.key.mac(&[&self.value, &[round], data[0], data[1], data[2]]);
        self.key = HmacKey::new(BuiltIn, &key);
        self.value = self.key.mac_32(&self.value);
        wipe(&mut key);
    }

    /// Writes the next nonce, big-endian, in [1, q - 1].
    ///
    /// ```
    /// # use phalanx::hash::NonceGenerator;
    /// let mut generator = NonceGenerator::new(&[0xff; 32], &[1; 32], &[2; 32], &[]);
    /// let (mut first, mut second) = ([0; 32], [0; 32]);
    /// generator.fill(&mut first);
    /// generator.fill(&mut second);
    /// assert_ne!(first, second);
    /// ```
    pub fn fill(&mut self, nonce: &mut [u8; 32]) {
        ScalarStack::cleared(|| self.draw(nonce));
    }

    /// As [`fill`](Self::fill), for callers that clear the stack.
    pub(crate) fn draw(&mut self, nonce: &mut [u8; 32]) {
        loop {
            if self.drawn {
                self.absorb(0, &[&[], &[], &[]]);
            }
            self.drawn = true;
            self.value = self.key.mac_32(&self.value);
            // Whether a candidate is refused says nothing about the one that is accepted.
            let candidate = words(&self.value);
            let (below, zero) = (less(&candidate, &self.order), less(&candidate, &[1, 0, 0, 0]));
            if declassify(below & !zero) {
                *nonce = self.value;
                return;
            }
        }
    }
}

impl fmt::Debug for NonceGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NonceGenerator(..)")
    }
}

impl Drop for NonceGenerator {
    fn drop(&mut self) {
        wipe(&mut self.value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;
    use hex_literal::hex;

    const P256_ORDER: [u8; 32] = hex!("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    const SECP256K1_ORDER: [u8; 32] = hex!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

    #[test]
    fn nonces_of_rfc_6979_appendix_a_2_5() {
        // P-256 with SHA-256, the only rows there whose order and hash are both 256 bits.
        let secret = hex!("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
        for (message, nonce) in [
            ("sample", hex!("a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60")),
            ("test", hex!("d16b6ae827f17175e040871a1c7ec3500192c4c92677336ec2537acaee0008e0")),
        ] {
            let mut computed = [0; 32];
            NonceGenerator::new(&P256_ORDER, &secret, &sha256(message.as_bytes()), &[]).fill(&mut computed);
            assert_eq!(computed, nonce, "{message}");
        }
    }

    #[test]
    fn digests_are_reduced_and_values_compared_correctly() {
        let order = SECP256K1_ORDER;
        let mut above = order;
        above[31] += 5;
        let mut five = [0; 32];
        five[31] = 5;
        let reduced = |bytes| reduce_once(&words(bytes), &words(&order)).0;
        assert_eq!(reduced(&above), [5, 0, 0, 0]);
        assert_eq!(reduced(&order), [0; 4]);
        assert_eq!(reduced(&five), [5, 0, 0, 0]);
        let first = |digest| {
            let mut nonce = [0; 32];
            NonceGenerator::new(&order, &[7; 32], digest, &[]).fill(&mut nonce);
            nonce
        };
        assert_eq!(first(&above), first(&five));
    }

    #[test]
    fn candidates_out_of_range_are_passed_over() {
        // An order just above 2^255 refuses about half of the candidates, which a real one never does.
        let mut order = [0; 32];
        order[0] = 0x80;
        order[31] = 1;
        let mut wide = NonceGenerator::new(&[0xff; 32], &[7; 32], &[0; 32], &[]);
        let mut narrow = NonceGenerator::new(&order, &[7; 32], &[0; 32], &[]);
        let (mut refused, mut from_narrow) = (0, [0; 32]);
        for _ in 0..64 {
            narrow.fill(&mut from_narrow);
            assert!(from_narrow <= order);
            let mut from_wide = [0; 32];
            wide.fill(&mut from_wide);
            while from_wide != from_narrow {
                assert!(from_wide >= order);
                refused += 1;
                wide.fill(&mut from_wide);
            }
        }
        assert!(refused > 20);
    }

    #[test]
    fn extra_data_changes_the_nonce() {
        let nonce = |extra: &[u8]| {
            let mut nonce = [0; 32];
            NonceGenerator::new(&SECP256K1_ORDER, &[7; 32], &[8; 32], extra).fill(&mut nonce);
            nonce
        };
        assert_ne!(nonce(&[]), nonce(&[0; 32]));
        assert_ne!(nonce(&[1; 32]), nonce(&[0; 32]));
    }
}
