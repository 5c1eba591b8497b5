//! The entries that a vector of scalars adds up, by columns.

use super::scalar::{deal, plain, shorter, signed_digits, signs};
use super::scheme::{Layout, MAX_COLUMNS, MAX_WINDOW, Scheme, Window};

/// An entry to add to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lookup {
    /// The column c, which counts 2^c.
    pub(super) column: usize,
    /// The row of the entry, from the first of the table.
    pub(super) row: usize,
    /// Whether it is taken away.
    pub(super) negated: bool,
}

/// A place and its scalar, which is below the order and not zero.
pub(super) type PlacedScalar = (usize, [u64; 4]);

impl Layout {
    /// Finds the entries for these terms, whose places rise.
    #[inline]
    pub(super) fn lookups(
        &self,
        order: &[u64; 4],
        terms: impl Iterator<Item = PlacedScalar>,
        mut found: impl FnMut(Lookup),
    ) {
        match self.scheme {
            Scheme::Subsets { b, .. } => self.subsets(b as usize, terms, found),
            Scheme::SignedWindows { b } => {
                let elements = self.elements();
                for (place, scalar) in terms {
                    let (scalar, negated) = shorter(&scalar, order);
                    signed_digits(&scalar, b, |window, digit| {
                        let row = ((place * elements + window) << (b - 1)) + digit.unsigned_abs() as usize - 1;
                        found(Lookup { column: 0, row, negated: negated != (digit < 0) });
                    });
                }
            }
            Scheme::SignedComb { .. } => self.comb(order, terms, found),
        }
    }

    fn subsets(&self, b: usize, terms: impl Iterator<Item = PlacedScalar>, mut found: impl FnMut(Lookup)) {
        let (elements, mut columns, mut open) = (self.elements(), [0; MAX_COLUMNS as usize], None);
        let columns = &mut columns[..self.columns()];
        let mut close = |window: usize, columns: &mut [u32]| {
            for (column, index) in columns.iter_mut().enumerate() {
                if *index != 0 {
                    found(Lookup { column, row: (window << b) + *index as usize, negated: false });
                    *index = 0;
                }
            }
        };
        for (place, scalar) in terms {
            let bits = plain(&scalar);
            let (start, end) = (place * elements, (place + 1) * elements);
            let mut element = start;
            while element < end {
                let window = element / b;
                if let Some(before) = open.replace(window).filter(|before| *before != window) {
                    close(before, columns);
                }
                let count = (end - element).min((window + 1) * b - element);
                let mut rows = [(&bits, 0); MAX_WINDOW as usize];
                for (index, row) in rows[..count].iter_mut().enumerate() {
                    row.1 = (element - start + index) * columns.len();
                }
                deal(&rows[..count], element - window * b, columns);
                element += count;
            }
        }
        if let Some(window) = open {
            close(window, columns);
        }
    }

    fn comb(&self, order: &[u64; 4], terms: impl Iterator<Item = PlacedScalar>, mut found: impl FnMut(Lookup)) {
        let mut terms = terms.peekable();
        while let Some((place, _)) = terms.peek() {
            let group = self.group_at(self.group_of(*place));
            let length = self.elements() * self.columns();
            // Zeros that stand beside other scalars of the group.
            let zero = signs(&[0; 4], order, length);
            let mut numbers = [zero; super::scheme::MAX_GROUP as usize];
            while let Some((place, scalar)) = terms.next_if(|(place, _)| group.contains(place)) {
                numbers[place - group.start] = signs(&scalar, order, length);
            }
            let first = group.start * self.elements();
            for window in self.group_windows(group) {
                self.comb_window(first, &numbers, window, &mut found);
            }
        }
    }

    #[inline(always)]
    fn comb_window(
        &self,
        first: usize,
        numbers: &[super::scalar::Bits],
        window: Window,
        found: &mut impl FnMut(Lookup),
    ) {
        let (elements, mut columns) = (self.elements(), [0; MAX_COLUMNS as usize]);
        let columns = &mut columns[..self.columns()];
        let (begin, size) = (window.element - first, window.size as usize);
        let mut rows = [(&numbers[0], 0); MAX_WINDOW as usize];
        for (index, row) in rows[..size].iter_mut().enumerate() {
            let element = begin + index;
            *row = (&numbers[element / elements], element % elements * columns.len());
        }
        deal(&rows[..size], 0, columns);
        let low = (1u32 << (size - 1)) - 1;
        for (column, signs) in columns.iter().enumerate() {
            // The last element's sign is taken out.
            let negated = signs >> (size - 1) == 0;
            let index = if negated { !signs } else { *signs } & low;
            found(Lookup { column, row: window.row + index as usize, negated });
        }
    }
}
