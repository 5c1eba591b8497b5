//! Columns and outputs as C passes them. C's header has them by the same names.
#![allow(non_camel_case_types)]

/// Values of one kind, one a row: that of row i is the `width` bytes from `data + i * stride` on. The values may lie
/// anywhere, in an array of their own or as a field of an array of structures. A stride of 0 gives all rows one
/// value. `data` may be NULL where there are no rows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct phalanx_column {
    /// The value of row 0.
    pub data: *const u8,
    /// Bytes from the value of a row to that of the next one.
    pub stride: usize,
    /// Bytes of a value.
    pub width: usize,
}

/// Room for values of one kind, one a row, as in a column. The stride must not be smaller than the width.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct phalanx_output {
    /// The place of row 0.
    pub data: *mut u8,
    /// Bytes from the place of a row to that of the next one.
    pub stride: usize,
    /// Bytes of a value.
    pub width: usize,
}
