//! One column of a table, borrowed where its values are. The layouts are those of Arrow's columnar format.

/// A column of a table.
#[derive(Clone, Debug)]
pub struct ValueColumn<'a> {
    /// How many rows the column has.
    pub rows: usize,
    /// The values, those of null rows included.
    pub values: Values<'a>,
    /// Which rows are null.
    pub nulls: Nulls<'a>,
}

/// The values of a column by their type.
#[derive(Clone, Debug)]
pub enum Values<'a> {
    /// No row has a value.
    Null,
    /// Bytes.
    Binary(Bytes<'a>),
    /// UTF-8 text.
    Text(Bytes<'a>),
    /// A bit per row, the least significant of each byte first, from the bit of this number on.
    Boolean(&'a [u8], usize),
    /// Integers of 8 bits with a sign.
    Int8(&'a [i8]),
    /// Integers of 16 bits with a sign.
    Int16(&'a [i16]),
    /// Integers of 32 bits with a sign.
    Int32(&'a [i32]),
    /// Integers of 64 bits with a sign.
    Int64(&'a [i64]),
    /// Integers of 8 bits.
    UInt8(&'a [u8]),
    /// Integers of 16 bits.
    UInt16(&'a [u16]),
    /// Integers of 32 bits.
    UInt32(&'a [u32]),
    /// Integers of 64 bits.
    UInt64(&'a [u64]),
    /// Floating-point numbers of 32 bits.
    Float32(&'a [f32]),
    /// Floating-point numbers of 64 bits.
    Float64(&'a [f64]),
    /// Integers, each divided by ten to the power of the scale.
    Decimal128(&'a [i128], i8),
    /// The same with integers of 256 bits, least significant byte first, with a sign.
    Decimal256(&'a [[u8; 32]], i8),
    /// Values of any other type: no role can be read from them.
    Other,
}

/// Values of bytes in one of Arrow's layouts.
#[derive(Clone, Debug)]
pub enum Bytes<'a> {
    /// Values of the same width, one after the other.
    Fixed {
        /// All values.
        values: &'a [u8],
        /// The bytes of each.
        width: usize,
    },
    /// Values one after the other, and where they begin and end: one offset more than there are rows.
    Offsets32 {
        /// All values.
        values: &'a [u8],
        /// The beginning of each value, which is the end of the one before.
        offsets: &'a [i32],
    },
    /// The same with longer offsets.
    Offsets64 {
        /// All values.
        values: &'a [u8],
        /// The beginning of each value, which is the end of the one before.
        offsets: &'a [i64],
    },
    /// A view per row: the length in four bytes, then the value if it has at most twelve bytes, else its first four
    /// bytes, the number of its buffer, and where in the buffer it begins. Numbers are in the machine's order of bytes.
    Views {
        /// The views.
        views: &'a [[u8; 16]],
        /// What long values stand in.
        buffers: Vec<&'a [u8]>,
    },
}

impl<'a> Bytes<'a> {
    /// The value in a row.
    ///
    /// # Panics
    /// Where offsets or views lead outside the values, which Arrow does not allow.
    #[inline]
    pub fn get(&self, row: usize) -> &'a [u8] {
        match self {
            Bytes::Fixed { values, width } => &values[row * width..(row + 1) * width],
            Bytes::Offsets32 { values, offsets } => &values[offsets[row] as usize..offsets[row + 1] as usize],
            Bytes::Offsets64 { values, offsets } => &values[offsets[row] as usize..offsets[row + 1] as usize],
            Bytes::Views { views, buffers } => {
                let view = &views[row];
                let number =
                    |at: usize| u32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize;
                let length = number(0);
                if length <= 12 { &view[4..4 + length] } else { &buffers[number(8)][number(12)..][..length] }
            }
        }
    }

    /// Whether there is a value for each of `rows` rows.
    pub(crate) fn covers(&self, rows: usize) -> bool {
        match self {
            Bytes::Fixed { values, width } => rows.checked_mul(*width).is_some_and(|bytes| bytes <= values.len()),
            Bytes::Offsets32 { offsets, .. } => offsets.len() > rows,
            Bytes::Offsets64 { offsets, .. } => offsets.len() > rows,
            Bytes::Views { views, .. } => views.len() >= rows,
        }
    }
}

/// Which rows of a column are null: none, or those whose bit is zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nulls<'a> {
    bits: Option<(&'a [u8], usize)>,
}

impl<'a> Nulls<'a> {
    /// A bit per row, the least significant of each byte first, from the bit of this number on; set where there is a
    /// value.
    pub fn bits(bits: &'a [u8], first: usize) -> Nulls<'a> {
        Nulls { bits: Some((bits, first)) }
    }

    /// Whether a row is null.
    ///
    /// # Panics
    /// Where there are bits, but none for the row.
    #[inline]
    pub fn is_null(&self, row: usize) -> bool {
        self.bits.is_some_and(|(bits, first)| !bit(bits, first + row))
    }
}

/// A bit of some bytes, counted from the least significant bit of the first byte.
pub(crate) fn bit(bits: &[u8], place: usize) -> bool {
    bits[place / 8] >> (place % 8) & 1 == 1
}
