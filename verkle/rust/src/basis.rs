//! Bases: the elements that commitments are made over.

use crate::{Element, field::Fe, field::to_be_bytes, field::words_of_be_bytes, hash::sha256};
use alloc::{vec, vec::Vec};
use phalanx_engine::{field::FieldX1, lanes::INFINITY, word::CacheLine};

/// A list of elements to commit over, elsewhere called a common reference string (CRS), in the forms that single operations and the engine's sums read.
///
/// Any elements are allowed: a commitment binds only where nobody knows a relation between them, which the caller
/// answers for. [`Basis::verkle`] is the basis of Ethereum's Verkle trees.
#[derive(Clone)]
pub struct Basis {
    elements: Vec<Element>,
    rows: Vec<CacheLine>,
}

impl Basis {
    /// The number of elements of the Verkle basis.
    pub const VERKLE_LENGTH: usize = 256;
    /// The seed that the Verkle basis is drawn from.
    pub const VERKLE_SEED: &'static [u8] = b"eth_verkle_oct_2021";
    /// The SHA-256 hash of the encodings of the Verkle basis, one after another.
    pub const VERKLE_DIGEST: [u8; 32] = [
        0x1f, 0xca, 0xea, 0x10, 0xbf, 0x24, 0xf7, 0x50, 0x20, 0x0e, 0x06, 0xfa, 0x47, 0x3c, 0x76, 0xff, 0x04, 0x68,
        0x00, 0x72, 0x91, 0xfa, 0x54, 0x8e, 0x2d, 0x99, 0xf0, 0x9b, 0xa9, 0x25, 0x6f, 0xdb,
    ];

    /// The 256 elements of the basis of Ethereum's Verkle trees, drawn anew and checked against their published hash.
    /// Takes milliseconds; a program does it once.
    ///
    /// ```
    /// use phalanx_banderwagon::Basis;
    ///
    /// let basis = Basis::verkle();
    /// assert_eq!(basis.len(), 256);
    /// assert_eq!(basis.digest(), Basis::VERKLE_DIGEST);
    /// ```
    ///
    /// # Panics
    /// If the hash is another one. Then this machine miscomputes.
    pub fn verkle() -> Basis {
        let basis = Basis::draw(Self::VERKLE_SEED, Self::VERKLE_LENGTH);
        assert_eq!(basis.digest(), Self::VERKLE_DIGEST, "the Verkle basis has another hash than the published one");
        basis
    }

    /// The first `length` elements that decode from SHA-256(`seed` || i) modulo p, for i = 0, 1, 2 and so on in eight
    /// big-endian bytes: nobody knows a relation between them. Variable time.
    pub fn draw(seed: &[u8], length: usize) -> Basis {
        let candidate = |i: u64| {
            let digest = sha256(&[seed, &i.to_be_bytes()].concat());
            Element::from_bytes(&to_be_bytes(Fe::from_words(words_of_be_bytes(&digest)))).ok()
        };
        Basis::new((0..).filter_map(candidate).take(length).collect())
    }

    /// A basis of the caller's. Duplicates, negatives and the neutral element are allowed. Variable time.
    pub fn new(elements: Vec<Element>) -> Basis {
        let mut rows = vec![INFINITY; elements.len()];
        Element::write_rows(&elements, &mut rows);
        Basis { elements, rows }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The elements as rows for the engine's sums over [`Bandersnatch`](crate::Bandersnatch).
    pub fn rows(&self) -> &[CacheLine] {
        &self.rows
    }

    /// The SHA-256 hash of the encodings, one after another.
    pub fn digest(&self) -> [u8; 32] {
        let mut encodings = vec![[0; 32]; self.len()];
        Element::batch_to_bytes(&self.elements, &mut encodings);
        sha256(encodings.as_flattened())
    }
}
