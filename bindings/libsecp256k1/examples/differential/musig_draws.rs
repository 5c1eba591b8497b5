//! How structures of MuSig2 are drawn: consistent ones, and hostile ones.

use crate::{kinds::Kind, parameters::Draw, values::hostile_number};

impl Draw<'_> {
    /// A structure with something else in it: nothing, other first bytes, another number or point, infinity.
    pub(crate) fn disturbed<const N: usize>(&mut self, mut bytes: [u8; N]) -> [u8; N] {
        let width = if N < 68 { 32 } else { self.random.one_of(&[1, 32, 64]) };
        // Numbers and points stand one after the other behind the first four bytes, in a session behind five.
        let first = 4 + self.random.below(2) * usize::from(N == 133);
        let place = first + width.max(32) * self.random.below((N - first) / width.max(32));
        match self.random.below(7) {
            0 => bytes = [0; N],
            1 => bytes[self.random.below(4)] ^= 1,
            2 => bytes[place..place + width].fill(0),
            3 if width == 64 => bytes[place..place + width].copy_from_slice(&self.other_key()),
            3 | 4 => {
                let number: [u8; 32] = hostile_number(self.random);
                let width = width.min(32);
                bytes[place..place + width].copy_from_slice(&number[..width]);
            }
            5 => bytes[self.random.below(N)] ^= 1 << self.random.below(8),
            _ => bytes[4..].copy_from_slice(&self.random.bytes::<N>()[4..]),
        }
        bytes
    }

    /// An array of pointers to structures of a kind.
    pub(crate) fn list<const N: usize>(&mut self, kind: Kind, value: [u8; N]) {
        let mut pointers = Vec::new();
        for _ in 0..self.random.below(5) {
            let other = self.random.once_in(12);
            pointers.push(match self.pool {
                _ if self.random.once_in(60) => 0,
                Some(pool) => pool.any(kind.of(), self.random),
                None => {
                    let bytes = if other { self.disturbed(value) } else { value };
                    self.arena.put(&bytes, N, 0)
                }
            });
        }
        self.array(kind.of(), &pointers);
    }

    /// Two encoded points; some are infinity, and some are none.
    pub(crate) fn encoded_nonce(&mut self) {
        let mut bytes = self.scenario.musig.encoded_nonce;
        let half = 33 * self.random.below(2);
        match self.random.below(8) {
            0 => bytes[half] = self.random.below(9) as u8,
            1 => bytes[half..half + 33].fill(0),
            2 => bytes[half + 1..half + 33].copy_from_slice(&hostile_number(self.random)),
            3 => bytes = [0; 66],
            4 => bytes[half + 1 + self.random.below(32)] ^= 1,
            _ => {}
        }
        self.bytes(Kind::EncodedNonce, &bytes, 66);
    }
}
