//! The structures of a sequence: some places for each kind, at the same addresses for both libraries.

use crate::{
    arena::Arena,
    random::Random,
    values::{Scenario, hostile_number, reversed},
};

/// What is at a place.
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
    /// The bytes of a value.
    pub(crate) fn size(self) -> usize {
        match self {
            Of::Scalar => 32,
            Of::Pubkey | Of::Xonly | Of::Signature | Of::Encoded => 64,
            Of::Keypair => 96,
            Of::Recoverable => 65,
            Of::Room => 100,
            Of::Length => 8,
            Of::Number => 4,
        }
    }

    /// Whether a structure has a public key, and where.
    pub(crate) fn key(self) -> Option<usize> {
        match self {
            Of::Pubkey | Of::Xonly => Some(0),
            Of::Keypair => Some(32),
            _ => None,
        }
    }
}

/// How many places there are for each.
const PLACES: [(Of, usize); 10] = [
    (Of::Scalar, 6),
    (Of::Pubkey, 5),
    (Of::Xonly, 4),
    (Of::Keypair, 3),
    (Of::Signature, 3),
    (Of::Recoverable, 3),
    (Of::Encoded, 4),
    (Of::Room, 3),
    (Of::Length, 2),
    (Of::Number, 2),
];

pub(crate) struct Pool {
    /// What is where.
    pub(crate) places: Vec<(Of, usize)>,
}

impl Pool {
    /// Places at the beginning of the arena.
    pub(crate) fn new(arena: &mut Arena) -> Pool {
        let each = PLACES.iter().flat_map(|(of, count)| std::iter::repeat_n(*of, *count));
        Pool { places: each.map(|of| (of, arena.put(&[], of.size(), 0))).collect() }
    }

    /// One of the places of this kind.
    pub(crate) fn any(&self, of: Of, random: &mut Random) -> usize {
        let places: Vec<usize> = self.places.iter().filter(|place| place.0 == of).map(|place| place.1).collect();
        random.one_of(&places)
    }

    /// Fresh values at some places of each kind, zeros at the others.
    pub(crate) fn fill(&self, arena: &mut Arena, scenario: &Scenario, random: &mut Random) {
        for (of, address) in &self.places {
            arena.at_mut(*address, of.size()).fill(0);
            if !random.once_in(4) {
                renew(arena.at_mut(*address, of.size()), *of, scenario, random);
            }
        }
    }

    /// Now and then zeroes a structure, writes a part of one over another, or a fresh one.
    pub(crate) fn disturb(&self, arena: &mut Arena, scenario: &Scenario, random: &mut Random) {
        let (of, address) = random.one_of(&self.places);
        match random.below(24) {
            0 => arena.at_mut(address, of.size()).fill(0),
            1 => {
                let (from, part) = (self.any(of, random), random.below(of.size() + 1));
                let bytes = arena.at(from, part).to_vec();
                arena.at_mut(address, part).copy_from_slice(&bytes);
            }
            2..6 => renew(arena.at_mut(address, of.size()), of, scenario, random),
            _ => {}
        }
    }
}

fn renew(place: &mut [u8], of: Of, scenario: &Scenario, random: &mut Random) {
    let (hostile, tweaked) = (hostile_number(random), reversed(scenario.tweaked[..32].try_into().unwrap()));
    let value = match of {
        Of::Scalar => &random.one_of(&[scenario.secret, scenario.digest, scenario.digest, tweaked, hostile])[..],
        Of::Pubkey => &scenario.pubkey[..],
        Of::Xonly => &random.one_of(&[scenario.xonly, scenario.tweaked])[..],
        Of::Keypair => &scenario.keypair,
        Of::Signature => &random.one_of(&[scenario.signature, scenario.signature, scenario.high])[..],
        Of::Recoverable => &scenario.recoverable,
        Of::Encoded => &random.one_of(&[scenario.schnorr, scenario.encoding])[..],
        Of::Room | Of::Length | Of::Number => return,
    };
    place.copy_from_slice(value);
}
