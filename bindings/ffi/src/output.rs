//! Room for an answer of each row.

use crate::status::{PHALANX_BAD_COLUMN, PHALANX_NULL_POINTER};

/// Room for an answer of each row, which threads write to row by row.
#[derive(Clone, Copy)]
pub struct Output {
    pub(crate) data: *mut u8,
    stride: usize,
    width: usize,
    pub(crate) rows: usize,
}

// SAFETY: the memory is the caller's, lent for the call, and threads write to different rows of it.
unsafe impl Send for Output {}
// SAFETY: as above.
unsafe impl Sync for Output {}

impl Output {
    /// Room for so many rows.
    ///
    /// # Safety
    /// The pointer is NULL, or good for the rows for as long as there is such an output.
    pub unsafe fn new(data: *mut u8, stride: usize, width: usize, rows: usize) -> Self {
        Output { data, stride, width, rows }
    }

    /// The bytes of an answer.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes a byte to all places.
    ///
    /// # Safety
    /// Nobody else uses them, and they are there.
    pub unsafe fn fill(&self, byte: u8) {
        if self.stride == self.width {
            // SAFETY: places without gaps, which are there.
            return unsafe { self.data.write_bytes(byte, self.width * self.rows) };
        }
        for row in 0..self.rows {
            // SAFETY: the row's place, which is there.
            unsafe { self.data.add(row * self.stride).write_bytes(byte, self.width) };
        }
    }

    /// Writes the value of a row.
    ///
    /// # Safety
    /// No other thread writes to the row.
    ///
    /// # Errors
    /// PHALANX_BAD_COLUMN if there is no such row, or the value has another width, or rows overlap;
    /// PHALANX_NULL_POINTER.
    pub unsafe fn try_write(&self, row: usize, value: &[u8]) -> Result<(), i32> {
        if value.len() != self.width || row >= self.rows || (self.rows > 1 && self.stride < self.width) {
            return Err(PHALANX_BAD_COLUMN);
        }
        if self.data.is_null() {
            return Err(PHALANX_NULL_POINTER);
        }
        // SAFETY: the row's place, whose bytes are not those of `value`: memory of the library.
        unsafe { self.data.add(row * self.stride).copy_from_nonoverlapping(value.as_ptr(), value.len()) };
        Ok(())
    }

    /// Writes the value of a row.
    ///
    /// # Safety
    /// No other thread writes to the row.
    ///
    /// # Panics
    /// Where [`Output::try_write`] fails.
    pub unsafe fn write(&self, row: usize, value: &[u8]) {
        // SAFETY: the caller's promise.
        assert!(unsafe { self.try_write(row, value) }.is_ok(), "a value of the output's width");
    }
}

/// An output that one thread has for itself.
pub struct Writer(pub(crate) Output);

impl Writer {
    /// Writes the value of a row.
    ///
    /// # Panics
    /// As [`Output::write`].
    pub fn write(&mut self, row: usize, value: &[u8]) {
        // SAFETY: no other thread has the output.
        unsafe { self.0.write(row, value) };
    }
}
