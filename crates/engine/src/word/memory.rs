//! Rows in memory and references to them.

use super::LANES;

/// Eight words on a cache line of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct CacheLine(pub [u64; LANES]);

/// One of the rows of a memory, or its negative, whatever that means to who asks: 64 times the row's index, which is
/// where the row begins, and 1 for the negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct PointRef(u32);

/// Two references: an operation's two operands.
pub type PointPair = [PointRef; 2];

impl PointRef {
    const SHIFT: u32 = size_of::<CacheLine>().trailing_zeros();

    /// The number of rows that a memory may have.
    pub const LIMIT: usize = 1 << (u32::BITS - Self::SHIFT);

    /// A row, or its negative.
    #[inline(always)]
    pub const fn new(index: usize, negated: bool) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self((index as u32) << Self::SHIFT | negated as u32)
    }

    /// The row's index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 >> Self::SHIFT) as usize
    }

    /// Whether the negative is meant.
    #[inline(always)]
    pub const fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }
}
