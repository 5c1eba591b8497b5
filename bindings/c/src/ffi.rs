//! From pointers to slices and back, checked; no panic crosses.
//!
//! What cannot be checked is the caller's promise, in the header: that memory is there for as many bytes as it says,
//! and that no other thread writes to it during the call.
#![allow(unsafe_code)]

use crate::{
    status::{
        PHALANX_BAD_COLUMN, PHALANX_INTERNAL_ERROR, PHALANX_MISALIGNED, PHALANX_NULL_POINTER, PHALANX_OK,
        PHALANX_OVERLAP,
    },
    types::{PHALANX_UNDECIDED, phalanx_column, phalanx_output},
};
use core::{marker::PhantomData, ptr, slice};
use library::{Column, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status of work. A panic, which would be an error of the library, is a status too.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), i32>) -> i32 {
    // What work leaves half-done when it unwinds are outputs, which the status says not to use.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => PHALANX_OK,
        Ok(Err(status)) => status,
        Err(payload) => {
            // To drop what a panic carries may panic again.
            core::mem::forget(payload);
            PHALANX_INTERNAL_ERROR
        }
    }
}

/// The value that a pointer points to.
///
/// # Safety
/// The pointer is NULL or misaligned, or points to a value that nobody writes to for as long as `'a`.
pub(crate) unsafe fn value<'a, T>(pointer: *const T) -> Result<&'a T, i32> {
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises.
    Ok(unsafe { &*pointer })
}

/// Fails for a pointer that is NULL or misaligned.
pub(crate) fn check_pointer<T>(pointer: *const T) -> Result<(), i32> {
    if pointer.is_null() {
        Err(PHALANX_NULL_POINTER)
    } else if !pointer.is_aligned() {
        Err(PHALANX_MISALIGNED)
    } else {
        Ok(())
    }
}

/// More bytes than there can be: a process on x86-64 has 47 bits of addresses, where it does not ask for more.
pub(crate) const TOO_MANY: usize = if usize::BITS == 64 { 1 << 47 } else { 1 << (usize::BITS - 1) };

/// The memory from the first to the last byte of an argument.
#[derive(Clone, Copy)]
struct Span {
    address: usize,
    bytes: usize,
    written: bool,
    first: bool,
}

impl Span {
    /// Whether a byte is in both.
    fn meets(&self, other: &Span) -> bool {
        let (end, other_end) = (self.address + self.bytes, other.address + other.bytes);
        self.bytes > 0 && other.bytes > 0 && self.address < other_end && other.address < end
    }
}

/// What a call is given, as it is noted argument by argument. Nothing of the caller's memory is written before
/// [`Given::check`] has seen all of it.
pub(crate) struct Given<'a> {
    spans: [Span; 10],
    count: usize,
    /// What is written before anything else can fail: verdicts, or the answer of a call that has none; and the byte.
    first: Option<(Output, u8)>,
    /// The first thing that is wrong.
    wrong: Option<i32>,
    /// Whether there is a span that no memory can hold.
    impossible: bool,
    lent: PhantomData<&'a mut [u8]>,
}

/// That what a call is given has been checked.
pub(crate) struct Checked<'a>(PhantomData<&'a mut [u8]>);

impl<'a> Given<'a> {
    /// # Safety
    /// The pointers that are noted are NULL or good for what is noted of them, as the header says, for as long as `'a`.
    pub(crate) unsafe fn new() -> Self {
        let none = Span { address: 0, bytes: 0, written: false, first: false };
        Given { spans: [none; 10], count: 0, first: None, wrong: None, impossible: false, lent: PhantomData }
    }

    /// What was found, if it is no error, which is noted.
    pub(crate) fn note<T>(&mut self, found: Result<T, i32>) -> Option<T> {
        found.map_err(|status| self.wrong.get_or_insert(status)).ok()
    }

    /// The value that a pointer points to.
    pub(crate) fn value<T>(&mut self, pointer: *const T) -> Option<&'a T> {
        // SAFETY: NULL or good, as the caller of `new` promises.
        self.note(unsafe { value(pointer) })
    }

    /// Notes so many bytes, which are read or written.
    pub(crate) fn bytes<T>(&mut self, data: *const T, bytes: usize, written: bool) {
        self.span(data.cast(), [1, 1, bytes], written);
    }

    /// Notes a span of a stride, a width and rows: its bytes, if memory can hold them.
    fn span(&mut self, data: *const u8, [stride, width, rows]: [usize; 3], written: bool) -> Option<usize> {
        let bytes = match rows.checked_sub(1) {
            None => Some(0),
            Some(last) => last.checked_mul(stride).and_then(|last| last.checked_add(width)),
        };
        let bytes = bytes.filter(|bytes| *bytes < TOO_MANY && data.addr().checked_add(*bytes).is_some());
        let Some(bytes) = bytes else {
            self.impossible = true;
            return None;
        };
        if bytes > 0 && data.is_null() {
            return self.note(Err(PHALANX_NULL_POINTER));
        }
        self.spans[self.count] = Span { address: data.addr(), bytes, written, first: false };
        self.count += 1;
        Some(bytes)
    }

    /// Notes a column, whose width must be one of `widths` if there are any.
    pub(crate) fn input(&mut self, column: *const phalanx_column, rows: usize, widths: &[usize]) -> Input<'a> {
        let none = Input { data: ptr::null(), bytes: 0, stride: 0, width: 0, rows: 0, lent: PhantomData };
        let Some(phalanx_column { data, stride, width }) = self.value(column).copied() else { return none };
        let Some(bytes) = self.span(data, [stride, width, rows], false) else { return none };
        if !widths.is_empty() && !widths.contains(&width) {
            self.note::<()>(Err(PHALANX_BAD_COLUMN));
        }
        Input { data, bytes, stride, width, rows, lent: PhantomData }
    }

    /// Notes 32 bytes.
    pub(crate) fn bytes_32(&mut self, data: *const u8) -> Option<&'a [u8; 32]> {
        self.bytes(data, 32, false);
        self.value(data.cast())
    }

    /// Notes room for an answer of each row.
    pub(crate) fn output(&mut self, output: *const phalanx_output, rows: usize, widths: &[usize]) -> Place {
        let none = Place(Output { data: ptr::null_mut(), stride: 0, width: 0, rows: 0 });
        let Some(phalanx_output { data, stride, width }) = self.value(output).copied() else { return none };
        if self.span(data, [stride, width, rows], true).is_none() {
            return none;
        }
        if !widths.contains(&width) || (rows > 1 && stride < width) {
            self.note::<()>(Err(PHALANX_BAD_COLUMN));
            return none;
        }
        Place(Output { data, stride, width, rows })
    }

    /// The same for an answer that is zeros before anything else can fail.
    pub(crate) fn answer(&mut self, output: *const phalanx_output, rows: usize, widths: &[usize]) -> Place {
        let place = self.output(output, rows, widths);
        self.write_first(place.0, 0);
        place
    }

    /// Notes room for a pointer, NULL before anything else can fail.
    pub(crate) fn pointer<T>(&mut self, place: *mut *mut T) {
        let output = phalanx_output { data: place.cast(), stride: 0, width: size_of::<*mut T>() };
        if self.note(check_pointer(place)).is_some() {
            self.answer(&raw const output, 1, &[output.width]);
        }
    }

    /// Notes the verdicts of a call, each undecided before anything else can fail.
    pub(crate) fn verdicts(&mut self, data: *mut u8, rows: usize) -> Place {
        let output = phalanx_output { data, stride: 1, width: 1 };
        let place = self.output(&raw const output, rows, &[1]);
        self.write_first(place.0, PHALANX_UNDECIDED);
        place
    }

    /// Chooses what was noted last to be written first, if there is memory for it.
    fn write_first(&mut self, place: Output, byte: u8) {
        if place.width > 0 {
            self.spans[self.count - 1].first = true;
            self.first = Some((place, byte));
        }
    }

    /// Fails if something is wrong. A span that cannot be, or one that overlaps what is written first, leaves all
    /// memory as it is; otherwise what is written first is written.
    pub(crate) fn check(self) -> Result<Checked<'a>, i32> {
        if self.impossible {
            return Err(PHALANX_BAD_COLUMN);
        }
        let spans = &self.spans[..self.count];
        let overlaps = |matters: fn(&Span) -> bool| {
            let mut pairs = spans.iter().enumerate().flat_map(|(i, a)| spans[i + 1..].iter().map(move |b| (a, b)));
            pairs.any(|(a, b)| (matters(a) || matters(b)) && a.meets(b))
        };
        if overlaps(|span| span.first) {
            return Err(PHALANX_OVERLAP);
        }
        if let Some((place, byte)) = self.first {
            // SAFETY: the place was noted, and nothing else that was is there.
            unsafe { place.fill(byte) };
        }
        match self.wrong {
            Some(status) => Err(status),
            None if overlaps(|span| span.written) => Err(PHALANX_OVERLAP),
            None => Ok(Checked(PhantomData)),
        }
    }
}

/// A column that was noted.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    data: *const u8,
    bytes: usize,
    stride: usize,
    width: usize,
    rows: usize,
    lent: PhantomData<&'a [u8]>,
}

impl<'a> Input<'a> {
    pub(crate) fn column(self, _: &Checked<'a>) -> Column<'a> {
        // SAFETY: so many bytes are there, as the caller of `Given::new` promises, which the check has found to be
        // neither NULL nor more than fit, and apart from all that is written.
        let bytes = if self.bytes == 0 { &[] } else { unsafe { slice::from_raw_parts(self.data, self.bytes) } };
        Column::new(bytes, self.stride, self.width, self.rows).expect("bytes for the rows")
    }
}

/// Room that was noted.
#[derive(Clone, Copy)]
pub(crate) struct Place(Output);

impl Place {
    pub(crate) fn output(self, _: &Checked<'_>) -> Output {
        self.0
    }

    /// The bytes of verdicts.
    pub(crate) fn bytes<'a>(self, _: &Checked<'a>) -> &'a mut [u8] {
        let Output { data, rows, .. } = self.0;
        // SAFETY: so many bytes are there, as the caller of `Given::new` promises; the check has found them to be apart
        // from all else, and has written them.
        if rows == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(data, rows) } }
    }
}

/// Room for an answer of each row, which threads write to row by row.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    data: *mut u8,
    stride: usize,
    width: usize,
    rows: usize,
}

// SAFETY: the memory is the caller's, lent for the call, and threads write to different rows of it.
unsafe impl Send for Output {}
// SAFETY: as above.
unsafe impl Sync for Output {}

impl Output {
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Writes a byte to all places.
    ///
    /// # Safety
    /// Nobody else uses them.
    pub(crate) unsafe fn fill(&self, byte: u8) {
        if self.stride == self.width {
            // SAFETY: places without gaps, which were noted to be there.
            return unsafe { self.data.write_bytes(byte, self.width * self.rows) };
        }
        for row in 0..self.rows {
            // SAFETY: the row's place, which was noted to be there.
            unsafe { self.data.add(row * self.stride).write_bytes(byte, self.width) };
        }
    }

    /// Writes the value of a row.
    ///
    /// # Safety
    /// No other thread writes to the row.
    ///
    /// # Panics
    /// If there is no such row, or the value has another width.
    pub(crate) unsafe fn write(&self, row: usize, value: &[u8]) {
        assert!(row < self.rows && value.len() == self.width, "a value of the output's width");
        // SAFETY: the row's place, whose bytes are not those of `value`: memory of the library.
        unsafe { self.data.add(row * self.stride).copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    }
}

/// Verdicts as the library writes them, each that of an invalid signature at first.
pub(crate) fn as_verdicts(bytes: &mut [u8]) -> &mut [Verdict] {
    bytes.fill(Verdict::InvalidSignature as u8);
    // SAFETY: a verdict is a byte (`repr(u8)`), and each byte is one. The library writes verdicts, which are bytes.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}
