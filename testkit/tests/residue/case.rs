//! What a child is told: inputs and needles, both masked, so that a secret stands in its memory only once it is used.

use crate::{needles::Needles, secrets::Row};
use phalanx_testkit::draws::Draws;

/// A secret and what it was masked with; in the clear it is their exclusive or.
pub(crate) struct Masked {
    masked: Vec<u8>,
    mask: Vec<u8>,
}

impl Masked {
    pub(crate) fn len(&self) -> usize {
        self.masked.len()
    }

    /// Writes the secret where it is to be, and nowhere else.
    pub(crate) fn unmask_into(&self, place: &mut [u8]) {
        for (byte, (masked, mask)) in place.iter_mut().zip(self.masked.iter().zip(&self.mask)) {
            *byte = masked ^ mask;
        }
    }
}

/// A row as a child gets it.
pub(crate) struct MaskedRow {
    pub(crate) key: Masked,
    pub(crate) tweak: Masked,
    pub(crate) digest: [u8; 32],
    pub(crate) aux: [u8; 32],
    pub(crate) public: [u8; 33],
}

/// A needle whose words are masked by the case's pad.
pub(crate) struct MaskedNeedle {
    pub(crate) word: u64,
    pub(crate) rest: Vec<u64>,
    pub(crate) column: bool,
}

pub(crate) struct Case {
    /// What each word of a needle is masked with.
    pub(crate) pad: u64,
    pub(crate) rows: Vec<MaskedRow>,
    /// Text that holds the first row's key, or most of it.
    pub(crate) text: Masked,
    pub(crate) needles: Vec<MaskedNeedle>,
}

/// What [`Case::read`] reads.
pub(crate) fn written(rows: &[Row], text: &str, needles: &Needles) -> Vec<u8> {
    let mut draws = Draws::new(1, "masks", u64::from(std::process::id()));
    let [pad, ..] =
        draws.uniform().as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect::<Vec<_>>()[..]
    else {
        panic!("32 bytes are words")
    };
    let mut out = Vec::new();
    let number = |out: &mut Vec<u8>, number: u64| out.extend(number.to_ne_bytes());
    let mut secret = |out: &mut Vec<u8>, secret: &[u8]| {
        let mask: Vec<u8> = secret.iter().map(|_| draws.byte()).collect();
        number(out, secret.len() as u64);
        out.extend(secret.iter().zip(&mask).map(|(byte, mask)| byte ^ mask));
        out.extend(mask);
    };
    number(&mut out, pad);
    number(&mut out, rows.len() as u64);
    for row in rows {
        secret(&mut out, &row.key);
        secret(&mut out, &row.tweak);
        out.extend([row.digest, row.aux].concat());
        out.extend(row.public.to_bytes());
    }
    secret(&mut out, text.as_bytes());
    number(&mut out, needles.0.len() as u64);
    for needle in &needles.0 {
        number(&mut out, needle.word ^ pad);
        number(&mut out, u64::from(needle.column));
        number(&mut out, needle.rest.len() as u64);
        needle.rest.iter().for_each(|word| number(&mut out, word ^ pad));
    }
    out
}

/// The bytes that are still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().expect("as many as were asked for")
    }

    fn number(&mut self) -> u64 {
        u64::from_ne_bytes(self.array())
    }

    fn secret(&mut self) -> Masked {
        let length = self.number() as usize;
        Masked { masked: self.take(length).to_vec(), mask: self.take(length).to_vec() }
    }

    fn row(&mut self) -> MaskedRow {
        let (key, tweak) = (self.secret(), self.secret());
        MaskedRow { key, tweak, digest: self.array(), aux: self.array(), public: self.array() }
    }

    fn needle(&mut self) -> MaskedNeedle {
        let (word, column, length) = (self.number(), self.number() != 0, self.number());
        MaskedNeedle { word, column, rest: (0..length).map(|_| self.number()).collect() }
    }
}

impl Case {
    pub(crate) fn read(bytes: &[u8]) -> Case {
        let mut rest = Rest(bytes);
        let (pad, rows) = (rest.number(), rest.number());
        let rows = (0..rows).map(|_| rest.row()).collect();
        let text = rest.secret();
        let count = rest.number();
        Case { pad, rows, text, needles: (0..count).map(|_| rest.needle()).collect() }
    }
}
