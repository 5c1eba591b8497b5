//! From pointers to slices, checked.
//!
//! Go's side has checked every length. What is checked here again is what the types of this side must hold: widths, and
//! that no pointer is null where a byte is read. That the memory is there is Go's promise.
#![allow(unsafe_code)]

use crate::call::{Call, Input, MISUSED, Output};
#[cfg(feature = "signatures")]
use phalanx::{Verdict, bindings::Column};
use phalanx_engine::word::CacheLine;
use phalanx_ffi::{Plain, check_pointer, extent, slice, slice_mut};

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
        unsafe { bytes(data, Some(width)) }
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
        let bytes = unsafe { bytes(data, extent(stride, width, self.0.rows)) }?;
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
        let bytes = unsafe { bytes(data, extent(stride, width, self.0.rows)) }?;
        Ok(move |row: usize| bytes[row * stride..].first_chunk().unwrap_or(&[0; N]))
    }

    /// An input of whole values: as many bytes as its width says, aligned.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn list<T: Plain>(self, input: usize) -> Result<&'a [T], u32> {
        let Input { data, width, .. } = self.0.inputs[input];
        if !width.is_multiple_of(size_of::<T>()) {
            return Err(MISUSED);
        }
        // SAFETY: so many bytes are there, by the promise of `new`.
        unsafe { slice(data.cast(), width / size_of::<T>()) }.map_err(misused)
    }

    /// An input of whole lines: as many bytes as its width says, aligned.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn lines(self, input: usize) -> Result<&'a [CacheLine], u32> {
        let Input { data, width, .. } = self.0.inputs[input];
        let (lines, count) = lines_of(data, width)?;
        // SAFETY: so many bytes are there, by the promise of `new`.
        unsafe { slice(lines, count) }.map_err(misused)
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
        let (lines, count) = lines_of(data, width)?;
        // SAFETY: so many bytes are there, by the promises of `new` and of this function.
        unsafe { slice_mut(lines.cast_mut(), count) }.map_err(misused)
    }

    /// Writes the value of a row of an output.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn write(self, output: usize, row: usize, value: &[u8]) -> Result<(), u32> {
        let Output { data, stride, width } = self.0.outputs[output];
        // SAFETY: the rows' places, by the promise of `new`, and one thread.
        unsafe { phalanx_ffi::Output::new(data, stride, width, self.0.rows.max(1)).try_write(row, value) }
            .map_err(misused)
    }

    /// Writes part `part` of a row of output 0, which holds several values, one behind the other. They begin at `places`,
    /// the last of which is the width of the row. Zeros fill the room that a value leaves.
    ///
    /// # Errors
    /// As [`Given::bytes`].
    pub fn write_part(self, row: usize, places: &[usize], part: usize, value: &[u8]) -> Result<(), u32> {
        // The widest value is a key.
        let mut room = [0; 65];
        room.get_mut(..value.len()).ok_or(MISUSED)?.copy_from_slice(value);
        let [start, next, end] =
            [places.get(part), places.get(part + 1), places.last()].map(|place| place.copied().unwrap_or(0));
        let Output { data, stride, width } = self.0.outputs[0];
        let room = room
            .get(..next.saturating_sub(start))
            .filter(|room| room.len() >= value.len() && width == end && !data.is_null())
            .ok_or(MISUSED)?;
        // SAFETY: the rows' places, of which this is a part, by the promise of `new`, and one thread.
        unsafe {
            phalanx_ffi::Output::new(data.wrapping_add(start), stride, room.len(), self.0.rows.max(1))
                .try_write(row, room)
        }
        .map_err(misused)
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
        check_pointer(workspace).map_err(misused)?;
        // SAFETY: so many lines are there, by the promises of `new` and of this function.
        unsafe { slice_mut(workspace, lines) }.map_err(misused)
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
        // SAFETY: so many bytes are there, by the promises of `new` and of this function.
        let verdicts = unsafe { slice_mut(verdicts, rows) }.map_err(misused)?;
        Ok((phalanx_ffi::as_verdicts(verdicts), workspace))
    }
}

/// A number as an answer.
///
/// # Errors
/// As [`Given::bytes`].
pub fn answer(number: usize) -> Result<u32, u32> {
    u32::try_from(number).ok().filter(|number| *number < MISUSED).ok_or(MISUSED)
}

/// What is told of a refusal.
fn misused(_: i32) -> u32 {
    MISUSED
}

/// So many bytes as lines.
fn lines_of(data: *const u8, bytes: usize) -> Result<(*const CacheLine, usize), u32> {
    let lines = data.cast::<CacheLine>();
    check_pointer(lines).map_err(misused)?;
    if bytes.is_multiple_of(size_of::<CacheLine>()) {
        Ok((lines, bytes / size_of::<CacheLine>()))
    } else {
        Err(MISUSED)
    }
}

/// # Safety
/// The pointer is null, or so many bytes are there, to which nobody writes for as long as `'a`.
unsafe fn bytes<'a>(data: *const u8, count: Option<usize>) -> Result<&'a [u8], u32> {
    // SAFETY: the caller's promise.
    unsafe { slice(data, count.ok_or(MISUSED)?) }.map_err(misused)
}
