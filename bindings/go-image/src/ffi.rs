//! From pointers to slices, checked.
//!
//! Go's side has checked every length. What is checked here again is what the types of this side must hold: widths, and
//! that no pointer is null where a byte is read. That the memory is there is Go's promise.
#![allow(unsafe_code)]

use crate::call::{Call, Input, MISUSED, Output};
use core::slice;
#[cfg(feature = "signatures")]
use phalanx::{Column, Verdict};
use phalanx_engine::word::CacheLine;

/// A call whose pointers are good: what this type is made of is its caller's promise.
#[derive(Clone, Copy)]
pub struct Given<'a>(&'a Call);

impl<'a> Given<'a> {
    /// The call.
    ///
    /// # Safety
    /// Each pointer of the call is null, or good for as many values as the operation takes; nobody else writes to what
    /// it reads, and what it writes is nothing else's, for as long as `'a`.
    pub unsafe fn new(call: &'a Call) -> Self {
        Given(call)
    }

    /// What was asked.
    pub fn call(self) -> &'a Call {
        self.0
    }

    /// The value of an input of one row.
    ///
    /// # Errors
    /// [`MISUSED`], here as elsewhere, for what cannot be.
    pub fn bytes(self, input: usize) -> Result<&'a [u8], u32> {
        let Input { data, width, .. } = self.0.inputs[input];
        // SAFETY: the promise of `new`.
        unsafe { bytes(data, width) }
    }

    /// The same, of a width that is known.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn array<const N: usize>(self, input: usize) -> Result<&'a [u8; N], u32> {
        self.bytes(input)?.try_into().map_err(|_| MISUSED)
    }

    #[cfg(feature = "signatures")]
    /// An input of many rows, whose width must be one of `widths` if there are any.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn column(self, input: usize, widths: &[usize]) -> Result<Column<'a>, u32> {
        let Input { data, stride, width } = self.0.inputs[input];
        if !widths.is_empty() && !widths.contains(&width) {
            return Err(MISUSED);
        }
        // SAFETY: the promise of `new`.
        let bytes = unsafe { bytes(data, extent(stride, width, self.0.rows)?) }?;
        Column::new(bytes, stride, width, self.0.rows).map_err(|_| MISUSED)
    }

    /// The value of each row of an input whose values have so many bytes.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn values<const N: usize>(self, input: usize) -> Result<impl Fn(usize) -> &'a [u8; N] + Copy, u32> {
        let Input { data, stride, width } = self.0.inputs[input];
        if width != N {
            return Err(MISUSED);
        }
        // SAFETY: the promise of `new`.
        let bytes = unsafe { bytes(data, extent(stride, width, self.0.rows)?) }?;
        Ok(move |row: usize| bytes[row * stride..].first_chunk().unwrap_or(&[0; N]))
    }

    /// An input of whole lines: as many bytes as its width says, aligned.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn lines(self, input: usize) -> Result<&'a [CacheLine], u32> {
        let Input { data, width, .. } = self.0.inputs[input];
        let lines = data.cast::<CacheLine>();
        if data.is_null() || !lines.is_aligned() || width % size_of::<CacheLine>() != 0 {
            return Err(MISUSED);
        }
        // SAFETY: so many bytes are there, by the promise of `new`, and any words are a line.
        Ok(unsafe { slice::from_raw_parts(lines, width / size_of::<CacheLine>()) })
    }

    /// An output of whole lines: as many bytes as its width says, aligned.
    ///
    /// # Safety
    /// Called once for an output of a call.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub unsafe fn lines_to_write(self, output: usize) -> Result<&'a mut [CacheLine], u32> {
        let Output { data, width, .. } = self.0.outputs[output];
        let lines = data.cast::<CacheLine>();
        if data.is_null() || !lines.is_aligned() || width % size_of::<CacheLine>() != 0 {
            return Err(MISUSED);
        }
        // SAFETY: so many bytes are there, by the promises of `new` and of this function, and any words are a line.
        Ok(unsafe { slice::from_raw_parts_mut(lines, width / size_of::<CacheLine>()) })
    }

    /// Writes the value of a row of an output.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn write(self, output: usize, row: usize, value: &[u8]) -> Result<(), u32> {
        let Output { data, stride, width } = self.0.outputs[output];
        let rows = self.0.rows.max(1);
        if value.len() != width || row >= rows || data.is_null() || (rows > 1 && stride < width) {
            return Err(MISUSED);
        }
        // SAFETY: the row's place, by the promise of `new`; `value` is memory of this side, which is none of Go's.
        unsafe { data.add(row * stride).copy_from_nonoverlapping(value.as_ptr(), width) };
        Ok(())
    }

    /// The width of an output.
    pub fn width(self, output: usize) -> usize {
        self.0.outputs[output].width
    }

    /// The workspace.
    ///
    /// # Safety
    /// Called once for a call, and not beside what gives verdicts.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub unsafe fn workspace(self) -> Result<&'a mut [CacheLine], u32> {
        let Call { workspace, lines, .. } = *self.0;
        if workspace.is_null() || !workspace.is_aligned() {
            return Err(MISUSED);
        }
        // SAFETY: so many lines of any words are there, by the promises of `new` and of this function.
        Ok(unsafe { slice::from_raw_parts_mut(workspace, lines) })
    }

    #[cfg(feature = "signatures")]
    /// The verdicts, each that of an invalid signature at first, and the workspace.
    ///
    /// # Safety
    /// Called once for a call: what it gives is not to be had twice.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub unsafe fn verdicts(self) -> Result<(&'a mut [Verdict], &'a mut [CacheLine]), u32> {
        let Call { verdicts, rows, .. } = *self.0;
        // SAFETY: this function's own promise.
        let workspace = unsafe { self.workspace() }?;
        if rows == 0 {
            return Ok((&mut [], &mut []));
        }
        if verdicts.is_null() {
            return Err(MISUSED);
        }
        // SAFETY: so many bytes are there, by the promises of `new` and of this function. A verdict is a byte
        // (`repr(u8)`), and they get values before there is a slice of them.
        unsafe {
            verdicts.write_bytes(Verdict::InvalidSignature as u8, rows);
            Ok((slice::from_raw_parts_mut(verdicts.cast::<Verdict>(), rows), workspace))
        }
    }
}

/// A number as an answer.
///
/// # Errors
/// As [`Given::bytes`].
pub fn answer(number: usize) -> Result<u32, u32> {
    u32::try_from(number).ok().filter(|number| *number < MISUSED).ok_or(MISUSED)
}

/// The bytes from the first value to the end of the last one, if memory can hold them.
fn extent(stride: usize, width: usize, rows: usize) -> Result<usize, u32> {
    let Some(last) = rows.checked_sub(1) else { return Ok(0) };
    let bytes = last.checked_mul(stride).and_then(|last| last.checked_add(width)).ok_or(MISUSED)?;
    if bytes > isize::MAX as usize { Err(MISUSED) } else { Ok(bytes) }
}

/// # Safety
/// The pointer is null, or so many bytes are there, to which nobody writes for as long as `'a`.
unsafe fn bytes<'a>(data: *const u8, count: usize) -> Result<&'a [u8], u32> {
    match (count, data.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(MISUSED),
        // SAFETY: the caller's promise.
        _ => Ok(unsafe { slice::from_raw_parts(data, count) }),
    }
}
