//! All that a call is given, noted argument by argument, which must not overlap what it writes.
// Whoever makes a `Given` promises what its pointers are.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use crate::{
    bulk_head::BulkHead,
    columns::{phalanx_column, phalanx_output},
    memory::{Plain, check_pointer, extent, slice, slice_mut, value},
    output::{Output, Writer},
    status::{PHALANX_BAD_COLUMN, PHALANX_NULL_POINTER, PHALANX_OVERLAP},
};
use core::{marker::PhantomData, ptr};
#[cfg(feature = "rows")]
use phalanx::bindings::Column;
use phalanx_engine::word::CacheLine;

/// The verdict of a row before anything is known of it: PHALANX_UNDECIDED.
const UNDECIDED: u8 = 255;

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
pub struct Given<'a> {
    spans: [Span; 10],
    count: usize,
    /// What is written before anything else can fail: verdicts, room for a handle or a number, or the answer of a call
    /// that has none of them; and the byte.
    first: [Option<(Output, u8)>; 2],
    /// The first thing that is wrong.
    wrong: Option<i32>,
    /// Whether there is a span that no memory can hold.
    impossible: bool,
    lifetime: PhantomData<&'a mut [u8]>,
}

/// That what a call is given has been checked.
pub struct Checked<'a>(PhantomData<&'a mut [u8]>);

impl<'a> Given<'a> {
    /// # Safety
    /// The pointers that are noted are NULL or good for what is noted of them, as the header says, for as long as `'a`.
    pub unsafe fn new() -> Self {
        let none = Span { address: 0, bytes: 0, written: false, first: false };
        Given { spans: [none; 10], count: 0, first: [None; 2], wrong: None, impossible: false, lifetime: PhantomData }
    }

    /// What was found, if it is no error, which is noted.
    pub fn note<T>(&mut self, found: Result<T, i32>) -> Option<T> {
        found.map_err(|status| self.wrong.get_or_insert(status)).ok()
    }

    /// The value that a pointer points to.
    pub fn value<T>(&mut self, pointer: *const T) -> Option<&'a T> {
        // SAFETY: NULL or good, as the caller of `new` promises.
        self.note(unsafe { value(pointer) })
    }

    /// The head of a handle.
    pub fn bulk_head(&mut self, handle: *const BulkHead) -> Option<&'a BulkHead> {
        // SAFETY: NULL or good, as the caller of `new` promises.
        self.note(unsafe { BulkHead::of(handle) })
    }

    /// Notes so many bytes, which are read or written.
    pub fn bytes<T>(&mut self, data: *const T, bytes: usize, written: bool) {
        self.span(data.cast(), [1, 1, bytes], written);
    }

    /// Notes so many aligned lines, which are read.
    pub fn lines(&mut self, data: *const CacheLine, count: usize) -> Lines<'a> {
        self.bytes(data, count * size_of::<CacheLine>(), false);
        self.note(check_pointer(data));
        Lines { data: data.cast_mut(), count, lifetime: PhantomData }
    }

    /// Notes so many aligned lines, which are written.
    pub fn lines_to_write(&mut self, data: *mut CacheLine, count: usize) -> LinesToWrite<'a> {
        self.bytes(data, count * size_of::<CacheLine>(), true);
        self.note(check_pointer(data));
        LinesToWrite(Lines { data, count, lifetime: PhantomData })
    }

    /// Notes a span of a stride, a width and rows: its bytes, if memory can hold them.
    fn span(&mut self, data: *const u8, [stride, width, rows]: [usize; 3], written: bool) -> Option<usize> {
        let bytes = extent(stride, width, rows).filter(|bytes| data.addr().checked_add(*bytes).is_some());
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
    pub fn input(&mut self, column: *const phalanx_column, rows: usize, widths: &[usize]) -> Input<'a> {
        let none = Input { data: ptr::null(), bytes: 0, stride: 0, width: 0, rows: 0, lifetime: PhantomData };
        let Some(phalanx_column { data, stride, width }) = self.value(column).copied() else { return none };
        let Some(bytes) = self.span(data, [stride, width, rows], false) else { return none };
        if !widths.is_empty() && !widths.contains(&width) {
            self.note::<()>(Err(PHALANX_BAD_COLUMN));
        }
        Input { data, bytes, stride, width, rows, lifetime: PhantomData }
    }

    /// Notes so many bytes that are read.
    pub fn slice(&mut self, data: *const u8, bytes: usize) -> Option<&'a [u8]> {
        self.span(data, [1, 1, bytes], false)?;
        // SAFETY: NULL or good, as the caller of `new` promises, and no more than memory can hold.
        self.note(unsafe { slice(data, bytes) })
    }

    /// The same where the number is known.
    pub fn array<const N: usize>(&mut self, data: *const u8) -> Option<&'a [u8; N]> {
        self.slice(data, N)?.first_chunk()
    }

    /// The same where the pointer may be NULL: none then.
    pub fn optional<const N: usize>(&mut self, data: *const u8) -> Option<&'a [u8; N]> {
        if data.is_null() { None } else { self.array(data) }
    }

    /// Notes room for an answer of each row.
    pub fn output(&mut self, output: *const phalanx_output, rows: usize, widths: &[usize]) -> Place {
        // SAFETY: no rows.
        let none = Place(unsafe { Output::new(ptr::null_mut(), 0, 0, 0) });
        let Some(phalanx_output { data, stride, width }) = self.value(output).copied() else { return none };
        if self.span(data, [stride, width, rows], true).is_none() {
            return none;
        }
        if !widths.contains(&width) || (rows > 1 && stride < width) {
            self.note::<()>(Err(PHALANX_BAD_COLUMN));
            return none;
        }
        // SAFETY: NULL or good, as the caller of `new` promises.
        Place(unsafe { Output::new(data, stride, width, rows) })
    }

    /// The same for an answer that is zeros before anything else can fail.
    pub fn answer(&mut self, output: *const phalanx_output, rows: usize, widths: &[usize]) -> Place {
        let place = self.output(output, rows, widths);
        self.write_first(place.0, 0);
        place
    }

    /// Notes room for an answer of so many bytes, zeros before anything else can fail.
    pub fn answer_bytes(&mut self, data: *mut u8, bytes: usize) -> Place {
        let output = phalanx_output { data, stride: bytes, width: bytes };
        self.answer(&raw const output, 1, &[bytes])
    }

    /// The same for bytes that a refused call leaves as they are.
    pub fn room(&mut self, data: *mut u8, bytes: usize) -> Place {
        let output = phalanx_output { data, stride: bytes, width: bytes };
        self.output(&raw const output, 1, &[bytes])
    }

    /// Notes bytes that are read and written.
    pub fn bytes_to_write(&mut self, data: *mut u8, bytes: usize) -> Place {
        let output = phalanx_output { data, stride: 1, width: 1 };
        self.output(&raw const output, bytes, &[1])
    }

    /// Notes room for a pointer, NULL before anything else can fail.
    pub fn pointer<T>(&mut self, place: *mut *mut T) -> Slot<'a, T> {
        let output = phalanx_output { data: place.cast(), stride: 0, width: size_of::<*mut T>() };
        if self.note(check_pointer(place)).is_some() {
            self.answer(&raw const output, 1, &[output.width]);
        }
        Slot(place, PhantomData)
    }

    /// Notes room for a number, 0 before anything else can fail.
    pub fn number(&mut self, place: *mut usize) -> Place {
        let width = if self.note(check_pointer(place)).is_some() { size_of::<usize>() } else { 0 };
        let output = phalanx_output { data: place.cast(), stride: width, width };
        self.answer(&raw const output, 1, &[width])
    }

    /// Notes the verdicts of a call, each undecided before anything else can fail.
    pub fn verdicts(&mut self, data: *mut u8, rows: usize) -> Place {
        let place = self.bytes_to_write(data, rows);
        self.write_first(place.0, UNDECIDED);
        place
    }

    /// Chooses what was noted last to be written first, if there is memory for it.
    fn write_first(&mut self, place: Output, byte: u8) {
        if place.width() > 0 {
            self.spans[self.count - 1].first = true;
            let free = self.first.iter_mut().find(|first| first.is_none()).expect("two at most");
            *free = Some((place, byte));
        }
    }

    /// Fails if something is wrong. A span that cannot be, or one that overlaps what is written first, leaves all
    /// memory as it is; otherwise what is written first is written.
    pub fn check(self) -> Result<Checked<'a>, i32> {
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
        for (place, byte) in self.first.into_iter().flatten() {
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
pub struct Input<'a> {
    data: *const u8,
    bytes: usize,
    stride: usize,
    width: usize,
    rows: usize,
    lifetime: PhantomData<&'a [u8]>,
}

impl<'a> Input<'a> {
    /// All bytes, from the first value to the end of the last one.
    fn bytes(&self, _: &Checked<'a>) -> &'a [u8] {
        // SAFETY: so many bytes are there, as the caller of `Given::new` promises, which the check has found to be
        // neither NULL nor more than fit, and apart from all that is written.
        unsafe { slice(self.data, self.bytes) }.expect("a pointer that is not NULL")
    }

    /// The value of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize, checked: &Checked<'a>) -> &'a [u8] {
        assert!(row < self.rows, "a row of the column");
        &self.bytes(checked)[row * self.stride..][..self.width]
    }

    /// The bytes of a value.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The values, which must be of this type and lie one behind the other.
    ///
    /// # Errors
    /// PHALANX_BAD_COLUMN, PHALANX_MISALIGNED.
    pub fn values<T: Plain>(&self, _: &Checked<'a>) -> Result<&'a [T], i32> {
        if self.width != size_of::<T>() || (self.rows > 1 && self.stride != self.width) {
            return Err(PHALANX_BAD_COLUMN);
        }
        // SAFETY: so many values are there, as the caller of `Given::new` promises, which the check has found to be no
        // more than fit, and apart from all that is written.
        unsafe { slice(self.data.cast(), self.rows) }
    }

    /// The values as a column of the library.
    #[cfg(feature = "rows")]
    pub fn column(self, checked: &Checked<'a>) -> Column<'a> {
        Column::new(self.bytes(checked), self.stride, self.width, self.rows).expect("bytes for the rows")
    }
}

/// Lines that were noted, to read.
pub struct Lines<'a> {
    data: *mut CacheLine,
    count: usize,
    lifetime: PhantomData<&'a mut [CacheLine]>,
}

impl<'a> Lines<'a> {
    /// The lines.
    pub fn get(self, _: &Checked<'a>) -> &'a [CacheLine] {
        // SAFETY: so many lines are there, as the caller of `Given::new` promises, which the check has found to be
        // aligned, and apart from all that is written.
        unsafe { slice(self.data, self.count) }.expect("a good pointer")
    }
}

/// Lines that were noted, to write.
pub struct LinesToWrite<'a>(Lines<'a>);

impl<'a> LinesToWrite<'a> {
    /// The lines, which have values already.
    pub fn get(self, _: &Checked<'a>) -> &'a mut [CacheLine] {
        // SAFETY: so many lines are there, as the caller of `Given::new` promises, which the check has found to be
        // aligned, and apart from all else.
        unsafe { slice_mut(self.0.data, self.0.count) }.expect("a good pointer")
    }

    /// The lines, which may have no values yet, as zeros.
    pub fn zeroed(self, checked: &Checked<'a>) -> &'a mut [CacheLine] {
        // SAFETY: as above.
        unsafe { self.0.data.write_bytes(0, self.0.count) };
        self.get(checked)
    }
}

/// Room for a pointer that was noted.
pub struct Slot<'a, T>(*mut *mut T, PhantomData<&'a mut *mut T>);

impl<'a, T> Slot<'a, T> {
    /// Writes the pointer.
    pub fn set(self, pointer: *mut T, _: &Checked<'a>) {
        // SAFETY: room for it is there, as the caller of `Given::new` promises, which the check has found to be neither
        // NULL nor misaligned, and apart from all else.
        unsafe { self.0.write(pointer) };
    }
}

/// Room for answers that was noted.
pub struct Place(Output);

impl Place {
    /// The room, for threads.
    pub fn output(self, _: &Checked<'_>) -> Output {
        self.0
    }

    /// The room, for one thread.
    pub fn writer(self, _: &Checked<'_>) -> Writer {
        Writer(self.0)
    }

    /// The bytes, where a row is one.
    pub fn bytes<'a>(self, _: &Checked<'a>) -> &'a mut [u8] {
        let Output { data, rows, .. } = self.0;
        // SAFETY: so many bytes are there, as the caller of `Given::new` promises; the check has found them to be apart
        // from all else. They have values: the check has written verdicts, and the caller the others.
        unsafe { slice_mut(data, rows) }.expect("a pointer that is not NULL")
    }
}
