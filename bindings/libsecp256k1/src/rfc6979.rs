//! HMAC-SHA-256 (RFC 2104), and the generator of RFC 6979 section 3.2 over it, seeded with bytes of any length.

use crate::{callbacks::Compression, sha256::Sha256, wipe::wipe};

/// HMAC-SHA-256 of parts under a key of 32 bytes.
fn mac(compression: Compression, key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut pad = [0x36; 64];
    for (pad, key) in pad.iter_mut().zip(key) {
        *pad ^= key;
    }
    let mut inner = Sha256::by(compression);
    inner.update_uncleared(&pad);
    for byte in &mut pad {
        *byte ^= 0x36 ^ 0x5c;
    }
    let mut outer = Sha256::by(compression);
    outer.update_uncleared(&pad);
    wipe(&mut pad);
    parts.iter().for_each(|part| inner.update_uncleared(part));
    let mut digest = inner.finish_uncleared();
    outer.update_uncleared(&digest);
    wipe(&mut digest);
    outer.finish_uncleared()
}

/// A sequence of 32-byte values that depends on a seed alone. Wiped on drop.
pub(crate) struct Generator {
    compression: Compression,
    key: [u8; 32],
    value: [u8; 32],
    drawn: bool,
}

impl Generator {
    /// Steps b to g, with the parts in the place of key, digest and additional data.
    pub(crate) fn new(compression: Compression, seed: &[&[u8]; 4]) -> Generator {
        let mut generator = Generator { compression, key: [0; 32], value: [1; 32], drawn: false };
        generator.absorb(0, seed);
        generator.absorb(1, seed);
        generator
    }

    fn absorb(&mut self, round: u8, [a, b, c, d]: &[&[u8]; 4]) {
        self.key = mac(self.compression, &self.key, &[&self.value, &[round], a, b, c, d]);
        self.value = mac(self.compression, &self.key, &[&self.value]);
    }

    /// Step h: the next value, in range or not.
    pub(crate) fn draw(&mut self) -> [u8; 32] {
        if self.drawn {
            self.key = mac(self.compression, &self.key, &[&self.value, &[0]]);
            self.value = mac(self.compression, &self.key, &[&self.value]);
        }
        self.drawn = true;
        self.value = mac(self.compression, &self.key, &[&self.value]);
        self.value
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        wipe(&mut self.key);
        wipe(&mut self.value);
    }
}
