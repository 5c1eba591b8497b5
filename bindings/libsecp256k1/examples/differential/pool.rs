//! The structures of a sequence: some places for each kind, at the same addresses for both libraries.

use crate::{
    arena::Arena,
    random::Random,
    scenario::Scenario,
    values::{hostile_number, reversed},
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
    Cache,
    SecretNonce,
    PublicNonce,
    AggregateNonce,
    Session,
    Partial,
    /// 66 bytes of an encoding.
    EncodedNonce,
    Label,
    Summary,
    /// 33 bytes of an encoding.
    EncodedPoint,
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
            Of::Cache => 197,
            Of::SecretNonce | Of::PublicNonce | Of::AggregateNonce => 132,
            Of::Session => 133,
            Of::Partial => 36,
            Of::EncodedNonce => 66,
            Of::Label => 68,
            Of::Summary => 101,
            Of::EncodedPoint => 33,
        }
    }

    /// The first bytes of a structure that has such, by which functions know it.
    pub(crate) fn magic(self) -> Option<[u8; 4]> {
        match self {
            Of::Cache => Some([0xf4, 0xad, 0xbb, 0xdf]),
            Of::PublicNonce => Some([0xf5, 0x7a, 0x3d, 0xa0]),
            Of::AggregateNonce => Some([0xa8, 0xb7, 0xe4, 0x67]),
            Of::Label => Some([0x27, 0x9d, 0x44, 0xba]),
            Of::Summary => Some([0xa7, 0x1c, 0xd3, 0x5e]),
            _ => None,
        }
    }

    /// Where a structure with first bytes has points, and whether they may be infinity.
    pub(crate) fn points(self) -> &'static [(usize, bool)] {
        match self {
            // The second point is only compared.
            Of::Cache => &[(4, false)],
            Of::PublicNonce => &[(4, false), (68, false)],
            Of::AggregateNonce => &[(4, true), (68, true)],
            Of::Label => &[(4, false)],
            Of::Summary => &[(5, false)],
            _ => &[],
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
const PLACES: [(Of, usize); 20] = [
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
    (Of::Cache, 3),
    (Of::SecretNonce, 3),
    (Of::PublicNonce, 3),
    (Of::AggregateNonce, 3),
    (Of::Session, 3),
    (Of::Partial, 3),
    (Of::EncodedNonce, 2),
    (Of::Label, 3),
    (Of::Summary, 3),
    (Of::EncodedPoint, 2),
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
        Of::Pubkey => &random.one_of(&[scenario.pubkey, scenario.pubkey, scenario.payment.spend])[..],
        Of::Xonly => &random.one_of(&[scenario.xonly, scenario.tweaked])[..],
        Of::Keypair => &scenario.keypair,
        Of::Signature => &random.one_of(&[scenario.signature, scenario.signature, scenario.high])[..],
        Of::Recoverable => &scenario.recoverable,
        Of::Encoded => &random.one_of(&[scenario.schnorr, scenario.encoding])[..],
        Of::Cache => &scenario.musig.cache,
        Of::SecretNonce => &scenario.musig.secret_nonce,
        Of::PublicNonce => &scenario.musig.public_nonce,
        Of::AggregateNonce => &scenario.musig.aggregate_nonce,
        Of::Session => &scenario.musig.session,
        Of::Partial => &scenario.musig.partial,
        Of::EncodedNonce => &scenario.musig.encoded_nonce,
        Of::Label => &scenario.payment.label,
        Of::Summary => &scenario.payment.summary,
        Of::EncodedPoint => &scenario.payment.encoded_label,
        Of::Room | Of::Length | Of::Number => return,
    };
    place.copy_from_slice(value);
}
