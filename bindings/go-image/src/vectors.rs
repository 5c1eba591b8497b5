//! Vectors of terms, one behind the other, as they cross the interface.

use crate::{call::MISUSED, ffi::Given};

/// The bytes of a term: a place in the basis, in a word, and a scalar.
pub const TERM: usize = 40;

/// A term.
pub type Term = [u8; TERM];

/// The vectors of a call.
#[derive(Clone, Copy)]
pub struct Vectors<'a> {
    terms: &'a [Term],
    ends: &'a [[u8; 8]],
}

impl<'a> Vectors<'a> {
    /// As many vectors as the call has rows: input 1 is their terms, input 2 the number of terms up to the end of each, in
    /// words. Places are below `places`.
    ///
    /// # Errors
    /// [`MISUSED`] for what cannot be.
    pub fn of(given: Given<'a>, places: usize) -> Result<Self, u32> {
        let ((terms, rest), (ends, more)) = (given.bytes(1)?.as_chunks(), given.bytes(2)?.as_chunks());
        if !rest.is_empty() || !more.is_empty() || ends.len() != given.call().rows {
            return Err(MISUSED);
        }
        let mut last = 0;
        for end in ends.iter().map(number) {
            if end < last {
                return Err(MISUSED);
            }
            last = end;
        }
        if last != terms.len() || terms.iter().any(|term| place(term) >= places) {
            return Err(MISUSED);
        }
        Ok(Vectors { terms, ends })
    }

    /// The terms of all vectors.
    pub fn terms(self) -> &'a [Term] {
        self.terms
    }

    /// The terms of a vector.
    pub fn vector(self, i: usize) -> &'a [Term] {
        let end = |i: usize| number(&self.ends[i]);
        &self.terms[if i == 0 { 0 } else { end(i - 1) }..end(i)]
    }

    /// The number of terms of the longest vector.
    pub fn longest(self) -> usize {
        (0..self.ends.len()).map(|i| self.vector(i).len()).max().unwrap_or(0)
    }
}

/// The place of a term.
pub fn place(term: &Term) -> usize {
    number(&term.as_chunks().0[0])
}

fn number(bytes: &[u8; 8]) -> usize {
    usize::try_from(u64::from_le_bytes(*bytes)).unwrap_or(usize::MAX)
}
