//! Memory of a sequence: some places for each kind of structure, at the same addresses for both libraries.
#![allow(unsafe_code)]

use crate::random::Random;

/// What a pool holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// 32 bytes: keys, tweaks, digests, coordinates.
    Scalar,
    Pubkey,
    Xonly,
    Keypair,
    Signature,
    Recoverable,
    /// 64 bytes of an encoding.
    Encoded,
    /// Room for encodings of any length.
    Room,
    Length,
    Number,
}

impl Of {
    /// Whether a structure has a public key, and where.
    pub(crate) fn key(self) -> Option<usize> {
        match self {
            Of::Pubkey | Of::Xonly => Some(0),
            Of::Keypair => Some(32),
            _ => None,
        }
    }
}

/// The pools: what they hold, bytes of a value, and their number.
const POOLS: [(Of, usize, usize); 10] = [
    (Of::Scalar, 32, 6),
    (Of::Pubkey, 64, 5),
    (Of::Xonly, 64, 4),
    (Of::Keypair, 96, 3),
    (Of::Signature, 64, 3),
    (Of::Recoverable, 65, 3),
    (Of::Encoded, 64, 4),
    (Of::Room, 100, 3),
    (Of::Length, 8, 2),
    (Of::Number, 4, 2),
];
/// Bytes from one value to the next.
const APART: usize = 128;
const PLACES: usize = 35;
/// Where the array of pointers stands.
const POINTERS: usize = PLACES * APART;
const SIZE: usize = POINTERS + 8 * 8;

pub(crate) struct Memory {
    words: Vec<u64>,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        assert_eq!(POOLS.iter().map(|pool| pool.2).sum::<usize>(), PLACES);
        Memory { words: vec![0; SIZE / 8] }
    }

    pub(crate) fn address(&self) -> usize {
        self.words.as_ptr().expose_provenance()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: integers are bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), SIZE) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: integers are bytes, and any bytes are integers.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), SIZE) }
    }

    /// All places: what they hold, where, and bytes.
    pub(crate) fn places() -> impl Iterator<Item = (Of, usize, usize)> {
        let each = POOLS.iter().flat_map(|(of, size, count)| (0..*count).map(move |_| (*of, *size)));
        each.enumerate().map(|(i, (of, size))| (of, i * APART, size))
    }

    /// One of the places of a pool.
    pub(crate) fn any(&self, of: Of, random: &mut Random) -> usize {
        let places: Vec<usize> = Memory::places().filter(|place| place.0 == of).map(|place| place.1).collect();
        random.one_of(&places)
    }

    /// Writes an array of pointers to places; its address.
    pub(crate) fn put_pointers(&mut self, places: &[usize]) -> usize {
        let address = self.address();
        for (i, place) in places.iter().enumerate() {
            self.bytes_mut()[POINTERS + 8 * i..][..8].copy_from_slice(&(address + place).to_le_bytes());
        }
        address + POINTERS
    }
}
