//! Values of one kind in a caller's memory, one per row.

use crate::Error;

/// A column: the value of row `i` is the `width` bytes from byte `stride i` on.
///
/// This is how Arrow, NumPy, C and Go hold columns, and how a field of records is found in an array of them. A stride
/// smaller than the width lets values overlap, and with a stride of zero all rows have the same value.
///
/// ```
/// use phalanx::{Error, bindings::Column};
/// // Records of six bytes, of which the middle four are a column.
/// let records = b"<abcd><efgh>";
/// let column = Column::new(&records[1..], 6, 4, 2)?;
/// assert_eq!((column.get(0), column.get(1)), (&b"abcd"[..], &b"efgh"[..]));
/// assert_eq!(Column::new(records, 6, 4, 3), Err(Error::BadColumn));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column<'a> {
    bytes: &'a [u8],
    stride: usize,
    width: usize,
    rows: usize,
}

impl<'a> Column<'a> {
    /// The column of `rows` values in these bytes.
    ///
    /// # Errors
    /// [`Error::BadColumn`] if a value does not lie within the bytes.
    pub fn new(bytes: &'a [u8], stride: usize, width: usize, rows: usize) -> Result<Self, Error> {
        let end = match rows.checked_sub(1) {
            None => Some(0),
            Some(last) => last.checked_mul(stride).and_then(|last| last.checked_add(width)),
        };
        match end {
            Some(end) if end <= bytes.len() => Ok(Column { bytes, stride, width, rows }),
            _ => Err(Error::BadColumn),
        }
    }

    /// The column of these values.
    ///
    /// ```
    /// # use phalanx::bindings::Column;
    /// assert_eq!(Column::of(&[[1; 32], [2; 32]]).get(1), [2; 32]);
    /// ```
    pub fn of<const N: usize>(values: &'a [[u8; N]]) -> Self {
        Column { bytes: values.as_flattened(), stride: N, width: N, rows: values.len() }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The number of bytes of a value.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The column of some of the rows.
    ///
    /// # Panics
    /// If there are no such rows.
    #[must_use]
    pub fn part(&self, rows: core::ops::Range<usize>) -> Self {
        assert!(rows.start <= rows.end && rows.end <= self.rows, "rows {rows:?} of {}", self.rows);
        let bytes = if rows.is_empty() { &[] } else { &self.bytes[rows.start * self.stride..] };
        Column { bytes, rows: rows.len(), ..*self }
    }

    /// The value of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> &'a [u8] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        &self.bytes[row * self.stride..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_within_the_bytes() {
        let bytes: [u8; 100] = core::array::from_fn(|i| i as u8);
        for rows in 0..8 {
            for stride in 0..20 {
                for width in 0..20 {
                    let inside = rows == 0 || (rows - 1) * stride + width <= 100;
                    let column = Column::new(&bytes, stride, width, rows);
                    assert_eq!(column.is_ok(), inside);
                    let Ok(column) = column else { continue };
                    assert_eq!((column.len(), column.is_empty()), (rows, rows == 0));
                    for row in 0..=rows {
                        let part = column.part(row..rows);
                        assert_eq!(part.len(), rows - row);
                        assert!((0..rows - row).all(|i| part.get(i) == column.get(row + i)));
                    }
                    for row in 0..rows {
                        assert_eq!(column.get(row), &bytes[row * stride..row * stride + width]);
                    }
                }
            }
        }
        for (stride, width, rows) in
            [(usize::MAX, 1, 2), (1, usize::MAX, 2), (usize::MAX, usize::MAX, usize::MAX), (0, 101, 1), (1 << 63, 1, 3)]
        {
            assert_eq!(Column::new(&bytes, stride, width, rows), Err(Error::BadColumn));
        }
        assert!(Column::new(&bytes, usize::MAX, usize::MAX, 0).is_ok() && Column::new(&[], 0, 0, usize::MAX).is_ok());
    }

    #[test]
    #[should_panic = "row 2 of 2"]
    fn rows_that_are_not_there_panic() {
        Column::of(&[[1u8; 4]; 2]).get(2);
    }
}
