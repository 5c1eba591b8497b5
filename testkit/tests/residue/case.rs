//! What a child is told: inputs and needles, both masked, so that a secret stands in its memory only once it is used.

use crate::{needles::Needles, secrets::Row};
use phalanx_testkit::draws::Draws;
use serde::{Deserialize, Serialize};

/// A secret and what it was masked with; in the clear it is their exclusive or.
#[derive(Serialize, Deserialize)]
pub(crate) struct Masked {
    masked: Vec<u8>,
    mask: Vec<u8>,
}

impl Masked {
    fn new(secret: &[u8], draws: &mut Draws) -> Masked {
        let mask: Vec<u8> = secret.iter().map(|_| draws.byte()).collect();
        Masked { masked: secret.iter().zip(&mask).map(|(byte, mask)| byte ^ mask).collect(), mask }
    }

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
#[derive(Serialize, Deserialize)]
pub(crate) struct MaskedRow {
    pub(crate) key: Masked,
    pub(crate) tweak: Masked,
    pub(crate) digest: [u8; 32],
    pub(crate) aux: [u8; 32],
    pub(crate) public: Vec<u8>,
}

/// A needle whose words are masked by the case's pad.
#[derive(Serialize, Deserialize)]
pub(crate) struct MaskedNeedle {
    pub(crate) word: u64,
    pub(crate) rest: Vec<u64>,
    pub(crate) column: bool,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Case {
    /// What each word of a needle is masked with.
    pub(crate) pad: u64,
    pub(crate) rows: Vec<MaskedRow>,
    /// Text that holds the first row's key, or most of it.
    pub(crate) text: Masked,
    pub(crate) needles: Vec<MaskedNeedle>,
}

impl Case {
    pub(crate) fn new(rows: &[Row], text: &str, needles: &Needles) -> Case {
        let mut draws = Draws::new(1, "masks", u64::from(std::process::id()));
        let pad = u64::from_ne_bytes(std::array::from_fn(|_| draws.byte()));
        let row = |row: &Row| MaskedRow {
            key: Masked::new(&row.key, &mut draws),
            tweak: Masked::new(&row.tweak, &mut draws),
            digest: row.digest,
            aux: row.aux,
            public: row.public.to_bytes().to_vec(),
        };
        let rows = rows.iter().map(row).collect();
        let needles = needles.all.iter().map(|needle| MaskedNeedle {
            word: needle.word ^ pad,
            rest: needle.rest.iter().map(|word| word ^ pad).collect(),
            column: needle.column,
        });
        Case { pad, rows, text: Masked::new(text.as_bytes(), &mut draws), needles: needles.collect() }
    }
}
