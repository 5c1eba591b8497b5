//! How values for the parameters of a function are drawn.

use crate::{
    arena::Arena,
    callbacks::{self, address},
    kinds::{Drawn, Kind, Place},
    library::Library,
    pool::{Of, Pool},
    random::Random,
    scenario::Scenario,
    values::{at, at_mut, hostile_number, joined, reversed},
};

/// Arguments as they are drawn.
pub(crate) struct Draw<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) random: &'a mut Random,
    pub(crate) scenario: &'a Scenario,
    pub(crate) original: &'a Library,
    pub(crate) context: usize,
    /// The functions of the interface that are data: of the library that is called, so two for each.
    pub(crate) nonce_symbols: [usize; 2],
    /// Where structures come from, if not from the scenario.
    pub(crate) pool: Option<&'a Pool>,
    /// Whether all values belong to the scenario, so that a function with many parameters often succeeds.
    pub(crate) is_consistent: bool,
    pub(crate) drawn: Drawn,
}

impl Draw<'_> {
    pub(crate) fn word(&mut self, word: usize) {
        self.drawn.arguments.push([word; 2]);
    }

    fn word_of(&mut self, words: &[usize]) {
        let word = self.random.one_of(words);
        self.word(word);
    }

    fn word_below(&mut self, limit: usize) {
        let word = self.random.below(limit);
        self.word(word);
    }

    /// A pointer to bytes in the arena, or to a place of the same kind in the pool, with what it holds or with these
    /// bytes; now and then null.
    pub(crate) fn bytes(&mut self, kind: Kind, bytes: &[u8], size: usize) {
        let address = match self.pool {
            None => {
                let shift = self.random.below(9);
                self.arena.put(bytes, size, shift)
            }
            Some(pool) => pool.any(kind.of(), self.random),
        };
        if self.pool.is_some() && self.is_written(kind) {
            // As much of an encoding as a place has room for.
            let fitting = bytes.len().min(kind.of().size());
            self.arena.at_mut(address, fitting).copy_from_slice(&bytes[..fitting]);
        }
        if self.random.once_in(40) {
            return self.word(0);
        }
        self.drawn.places.push(Place { argument: self.drawn.arguments.len(), size, kind });
        self.word(address);
    }

    /// Whether a place of the pool gets the bytes that were drawn for it. The length of a room always does, since a
    /// function writes so many bytes. Others do so mostly: calls hardly ever leave an encoding of the length that the
    /// next call draws, or the message or x that it needs.
    fn is_written(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Room => true,
            Kind::EncodedKey | Kind::Der | Kind::Message | Kind::X => !self.random.once_in(4),
            _ => false,
        }
    }

    /// Mostly the value that belongs to the scenario.
    fn mostly<const N: usize>(&mut self, kind: Kind, value: [u8; N], other: impl FnOnce(&mut Self) -> [u8; N]) {
        let value = if !self.is_consistent && self.random.once_in(3) { other(self) } else { value };
        self.bytes(kind, &value, N);
    }

    fn numbers(&mut self) -> [u8; 64] {
        joined(reversed(hostile_number(self.random)), reversed(hostile_number(self.random)))
    }

    /// A key's structure: of another key, zeros, or any bytes.
    pub(crate) fn other_key(&mut self) -> [u8; 64] {
        match self.random.below(4) {
            0 => [0; 64],
            1 => self.random.bytes(),
            _ => {
                let (mut key, secret) = ([0; 64], self.random.bytes::<32>());
                self.original.answer("secp256k1_ec_pubkey_create", &[self.context, at_mut(&mut key), at(&secret)]);
                key
            }
        }
    }

    pub(crate) fn draw(&mut self, kind: Kind, contexts: [usize; 2]) {
        let scenario = self.scenario;
        match kind {
            Kind::Context => self.drawn.arguments.push(contexts),
            Kind::Output(of) => {
                let filler: [u8; 96] = self.random.bytes();
                self.bytes(kind, &filler[..of.size().min(96)], of.size());
            }
            Kind::Number => self.mostly(kind, scenario.secret, |draw| hostile_number(draw.random)),
            Kind::Tweak | Kind::Digest => self.mostly(kind, scenario.digest, |draw| hostile_number(draw.random)),
            Kind::Pubkey => self.mostly(kind, scenario.pubkey, |draw| draw.other_key()),
            Kind::Spend => self.mostly(kind, scenario.payment.spend, |draw| draw.other_key()),
            Kind::Xonly => self.mostly(kind, scenario.xonly, |draw| draw.other_key()),
            Kind::Keypair => self.mostly(kind, scenario.keypair, |draw| {
                let mut pair = scenario.keypair;
                match draw.random.below(4) {
                    0 => pair = [0; 96],
                    1 => pair[..32].copy_from_slice(&hostile_number(draw.random)),
                    2 => pair[32..].copy_from_slice(&draw.other_key()),
                    _ => pair = draw.random.bytes(),
                }
                pair
            }),
            Kind::Signature => self.mostly(kind, scenario.signature, |draw| {
                if draw.random.once_in(4) { scenario.high } else { draw.numbers() }
            }),
            Kind::Recoverable => self.mostly(kind, scenario.recoverable, |draw| {
                let mut bytes = scenario.recoverable;
                if draw.random.once_in(2) {
                    bytes[..64].copy_from_slice(&draw.numbers());
                }
                bytes[64] = draw.random.below(4) as u8;
                bytes
            }),
            Kind::Compact => {
                let bytes = joined(hostile_number(self.random), hostile_number(self.random));
                self.bytes(kind, &bytes, 64);
            }
            Kind::Schnorr => self.mostly(kind, scenario.schnorr, hostile_signature),
            Kind::EncodedKey => self.encoded_key(),
            Kind::Der => self.der(),
            Kind::Message => {
                let message = match self.pool {
                    Some(_) => &scenario.digest[..],
                    None if self.random.once_in(8) => &[],
                    None => &scenario.message,
                };
                self.bytes(kind, message, message.len());
                self.word(message.len());
            }
            Kind::X => {
                let key = self.random.one_of(&[scenario.xonly, scenario.tweaked, scenario.tweaked]);
                let x = reversed(key[..32].try_into().unwrap());
                self.mostly(kind, x, |draw| hostile_number(draw.random));
            }
            Kind::Parity => {
                let parity = usize::from(scenario.tweaked[32] & 1);
                self.word_of(&[parity, parity, parity, 0, 1, 2, usize::MAX]);
            }
            Kind::Room => {
                let room = self.random.one_of(&[0usize, 8, 32, 33, 64, 65, 66, 69, 70, 71, 72, 100]);
                self.bytes(kind, &room.to_le_bytes(), 8);
            }
            Kind::Flags => self.word_of(&[258, 258, 258, 2, 2, 0, 1, 257, 259, 514, 770]),
            Kind::Id => self.word_of(&[0, 1, 2, 3, 4, 0xffff_ffff, 27]),
            Kind::Nonces => {
                let custom = address(callbacks::nonce as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
                if self.function(custom, 5) {
                    self.draw(Kind::Data, [0; 2]);
                }
            }
            Kind::PointHash => {
                let custom = address(callbacks::point_hash as unsafe extern "C" fn(_, _, _, _) -> _);
                if self.function(custom, 4) {
                    self.word(0);
                }
            }
            Kind::Extra => self.extra(),
            Kind::Encoding => self.mostly(kind, scenario.encoding, |draw| {
                joined(hostile_number(draw.random), hostile_number(draw.random))
            }),
            Kind::Cache | Kind::CacheBytes => {
                self.mostly(kind, scenario.musig.cache, |draw| draw.disturbed(scenario.musig.cache));
            }
            Kind::SecretNonce => {
                self.mostly(kind, scenario.musig.secret_nonce, |draw| draw.disturbed(scenario.musig.secret_nonce));
            }
            Kind::PublicNonce => {
                self.mostly(kind, scenario.musig.public_nonce, |draw| draw.disturbed(scenario.musig.public_nonce));
            }
            Kind::AggregateNonce => {
                let nonce = scenario.musig.aggregate_nonce;
                self.mostly(kind, nonce, |draw| draw.disturbed(nonce));
            }
            Kind::Session => self.mostly(kind, scenario.musig.session, |draw| draw.disturbed(scenario.musig.session)),
            Kind::Partial => self.mostly(kind, scenario.musig.partial, |draw| draw.disturbed(scenario.musig.partial)),
            Kind::PublicNonces => self.list(Kind::PublicNonce, scenario.musig.public_nonce),
            Kind::Partials => self.list(Kind::Partial, scenario.musig.partial),
            Kind::EncodedNonce => self.encoded_nonce(),
            Kind::Counter => {
                let any = self.random.next() as usize;
                let counter = self.random.one_of(&[0, 1, usize::MAX, any]);
                self.word(counter);
            }
            Kind::Label => self.mostly(kind, scenario.payment.label, |draw| draw.disturbed(scenario.payment.label)),
            Kind::Summary => {
                self.mostly(kind, scenario.payment.summary, |draw| draw.disturbed(scenario.payment.summary));
            }
            Kind::Outpoint => self.bytes(kind, &scenario.payment.outpoint, 36),
            Kind::EncodedPoint => self.encoded_point(),
            Kind::XonlyList => self.optional(Of::Xonly, &[scenario.xonly, scenario.tweaked]),
            Kind::PubkeyList => self.optional(Of::Pubkey, &[scenario.pubkey, scenario.payment.spend]),
            Kind::KeypairList => self.optional(Of::Keypair, &[scenario.keypair]),
            Kind::SeckeyList => self.optional(Of::Scalar, &[scenario.secret, scenario.digest]),
            Kind::Recipients => self.recipients(),
            Kind::Outputs => self.outputs(),
            Kind::LabelLookup => self.lookup(),
            Kind::Party => self.word_of(&[0, 0, 1, 1, 2, usize::MAX]),
            Kind::Prefix => self.prefix(),
            Kind::XdhHash => {
                let custom = address(callbacks::x_hash as unsafe extern "C" fn(_, _, _, _, _) -> _);
                match self.random.below(8) {
                    0 => {
                        self.word(0);
                        self.word(0);
                    }
                    1..4 => {
                        self.word(custom);
                        self.word_below(4);
                    }
                    _ => {
                        self.drawn.arguments.push(self.nonce_symbols);
                        self.prefix();
                    }
                }
            }
            Kind::Data | Kind::Algorithm => {
                let bytes = self.random.bytes::<32>();
                let size = if kind == Kind::Data { 32 } else { 16 };
                if self.random.once_in(2) { self.word(0) } else { self.bytes(kind, &bytes[..size], size) }
            }
            Kind::Keys => self.keys(),
            Kind::NamedAlgorithm => {
                let name = self.random.one_of(&[
                    &b"BIP0340/nonce"[..],
                    b"BIP0340/nonc",
                    b"",
                    b"another name",
                    b"BIP0340/noncf",
                ]);
                self.bytes(kind, name, name.len());
                self.word(name.len());
            }
            Kind::Attempt => self.word_below(4),
        }
    }

    fn prefix(&mut self) {
        let bytes: [u8; 64] = self.random.bytes();
        let address = match self.pool {
            None => self.arena.put(&bytes, 64, 0),
            Some(pool) => pool.any(Of::Encoded, self.random),
        };
        self.drawn.places.push(Place { argument: self.drawn.arguments.len(), size: 64, kind: Kind::Prefix });
        self.word(address);
    }

    fn encoded_key(&mut self) {
        let (mut bytes, mut length) = ([0; 65], 65usize.to_le_bytes());
        let form = self.random.one_of(&[258, 2]);
        let key = self.scenario.pubkey;
        let arguments = [self.context, at_mut(&mut bytes), at_mut(&mut length), at(&key), form];
        assert_eq!(self.original.answer("secp256k1_ec_pubkey_serialize", &arguments), 1);
        let mut length = usize::from_le_bytes(length);
        match self.random.below(8) {
            0 => bytes[0] = self.random.below(9) as u8,
            1 => bytes[0] = 6 + (bytes[64] & 1),
            2 => bytes[1..33].copy_from_slice(&hostile_number(self.random)),
            3 => bytes[33..].copy_from_slice(&hostile_number(self.random)),
            4 => length = self.random.below(70),
            _ => {}
        }
        self.bytes(Kind::EncodedKey, &bytes, 72);
        self.word(length);
    }

    fn der(&mut self) {
        let (mut bytes, mut length) = ([0u8; 140], 140usize.to_le_bytes());
        let numbers = if self.random.once_in(3) { self.numbers() } else { self.scenario.signature };
        let arguments = [self.context, at_mut(&mut bytes), at_mut(&mut length), at(&numbers)];
        assert_eq!(self.original.answer("secp256k1_ecdsa_signature_serialize_der", &arguments), 1);
        let mut length = usize::from_le_bytes(length);
        for _ in 0..self.random.one_of(&[0, 0, 1, 1, 2]) {
            let place = self.random.below((length + 2).min(139));
            match self.random.below(6) {
                0 => length = self.random.below(140),
                1 => bytes[place] = self.random.one_of(&[0, 1, 2, 0x20, 0x21, 0x30, 0x7f, 0x80, 0x81, 0x82, 0xff]),
                // One byte more, with the sequence's length made to fit or not.
                2 => {
                    bytes.copy_within(place..139, place + 1);
                    bytes[place] = self.random.one_of(&[0, 0xff, 0x81, 2]);
                    length += 1;
                    bytes[1] = bytes[1].wrapping_add(self.random.below(2) as u8);
                }
                3 => bytes[1] = (length as u8).wrapping_sub(2),
                4 => bytes[3] = bytes[3].wrapping_add(self.random.below(3) as u8).wrapping_sub(1),
                _ => bytes[place] ^= 1 << self.random.below(8),
            }
        }
        // A long form that a sequence of 128 bytes or more needs.
        if self.random.once_in(12) {
            bytes = [0x11; 140];
            bytes[..6].copy_from_slice(&[0x30, 0x81, 0x87, 2, 0x81, 0x81]);
            bytes[135..].copy_from_slice(&[2, 1, 1, 2, 1]);
            length = self.random.one_of(&[137, 138, 138, 139]);
        }
        self.bytes(Kind::Der, &bytes, 140);
        self.word(length.min(140));
    }

    /// A function of ours, with data whose address says what it does; or none, or the library's own. Whether its data is
    /// still to be drawn.
    fn function(&mut self, custom: usize, ways: usize) -> bool {
        let is_ours = !self.random.once_in(3);
        if is_ours {
            self.word(custom);
            self.word_below(ways);
        } else {
            let own = self.random.once_in(2);
            self.drawn.arguments.push(if own { self.nonce_symbols } else { [0; 2] });
        }
        !is_ours
    }

    /// The structure has pointers, which differ between the libraries only where it names the library's own function:
    /// then each library gets a structure of its own.
    fn extra(&mut self) {
        if self.random.once_in(4) {
            return self.word(0);
        }
        let magic = if self.random.once_in(8) { self.random.bytes() } else { [0xda, 0x6f, 0xb3, 0x8c] };
        let data = self.random.bytes::<32>();
        let data = if self.random.once_in(2) { 0 } else { self.arena.put(&data, 32, 0) };
        let custom = address(callbacks::hardened_nonce as unsafe extern "C" fn(_, _, _, _, _, _, _, _) -> _);
        let ([theirs, ours], data) = match self.random.below(4) {
            0 => ([0; 2], data),
            1 => (self.nonce_symbols, data),
            _ => ([custom; 2], self.random.below(6)),
        };
        let structure = |function: usize| {
            let mut bytes = [0; 24];
            bytes[..4].copy_from_slice(&magic);
            bytes[8..16].copy_from_slice(&function.to_le_bytes());
            bytes[16..].copy_from_slice(&data.to_le_bytes());
            bytes
        };
        let places = [structure(theirs), structure(ours)].map(|bytes| self.arena.put(&bytes, 24, 0));
        self.drawn.arguments.push(places);
    }

    fn keys(&mut self) {
        let count = self.random.below(9);
        let mut keys = Vec::new();
        for _ in 0..count {
            keys.push(match (self.pool, self.random.below(8)) {
                _ if self.random.once_in(60) => 0,
                (Some(pool), _) => pool.any(Of::Pubkey, self.random),
                (None, choice) => {
                    let key = match choice {
                        0 => self.scenario.pubkey,
                        1 => self.negated(),
                        2 if !self.random.once_in(4) => self.scenario.xonly,
                        _ => self.other_key(),
                    };
                    self.arena.put(&key, 64, 0)
                }
            });
        }
        // Equal pointers too.
        if count > 2 && self.random.once_in(3) {
            keys[1] = keys[0];
        }
        self.array(Of::Pubkey, &keys);
    }

    /// An array of pointers to structures, and their number.
    pub(crate) fn array(&mut self, of: Of, pointers: &[usize]) {
        let elements = pointers.iter().filter(|pointer| **pointer != 0).map(|pointer| (of, *pointer));
        self.drawn.elements.extend(elements);
        self.pointers(pointers);
        self.word(pointers.len());
    }

    fn negated(&mut self) -> [u8; 64] {
        let mut key = self.scenario.pubkey;
        self.original.answer("secp256k1_ec_pubkey_negate", &[self.context, at_mut(&mut key)]);
        key
    }
}

fn hostile_signature(draw: &mut Draw) -> [u8; 64] {
    let mut bytes = draw.scenario.schnorr;
    match draw.random.below(3) {
        0 => bytes[..32].copy_from_slice(&hostile_number(draw.random)),
        1 => bytes[32..].copy_from_slice(&hostile_number(draw.random)),
        _ => bytes[draw.random.below(64)] ^= 1,
    }
    bytes
}
