//! The generator of RFC 6979 section 3.2, seeded with bytes of any length.

use crate::{callbacks::Compression, wipe::wipe};
use phalanx::bindings::HmacKey;

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

    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        HmacKey::new(self.compression, &self.key).mac(parts)
    }

    fn absorb(&mut self, round: u8, [a, b, c, d]: &[&[u8]; 4]) {
        self.key = self.mac(&[&self.value, &[round], a, b, c, d]);
        self.value = self.mac(&[&self.value]);
    }

    /// Step h: the next value, in range or not.
    pub(crate) fn draw(&mut self) -> [u8; 32] {
        if self.drawn {
            self.key = self.mac(&[&self.value, &[0]]);
            self.value = self.mac(&[&self.value]);
        }
        self.drawn = true;
        self.value = self.mac(&[&self.value]);
        self.value
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        wipe(&mut self.key);
        wipe(&mut self.value);
    }
}
