//! Pointers of an interface whose buffers may overlap: libsecp256k1's.
//!
//! The functions of the interface take these types instead of raw pointers, so that their own code is safe. Nothing here
//! makes one out of a number: each comes from the caller's call, and the interface says that it is null or points to
//! memory of the stated size for the time of the call. So everything is read by copy and written by copy, in the order
//! of the original, and no reference to the caller's memory lives while it is written.

use crate::memory::Plain;
use core::{ptr, slice};

// SAFETY: a transparent pointer, which is never followed unless the interface says what it points to.
unsafe impl<T> Plain for In<T> {}

/// What a function reads: null, or a value in the caller's memory.
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> In<T> {
    /// Whether there is nothing.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// For a callback of the caller, which gets the caller's own pointer.
    pub fn raw(self) -> *const T {
        self.0
    }
}

impl<T: Plain> In<T> {
    /// The value. The caller of this method has seen that it is not null.
    pub fn read(self) -> T {
        // SAFETY: not null, so by the interface it can be read; any bits are a value; no alignment is asked for.
        unsafe { self.0.read_unaligned() }
    }
}

/// What a function writes, and may read before: null, or a place in the caller's memory.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T: Plain> Out<T> {
    /// Whether there is nothing.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The value. The caller of this method has seen that it is not null.
    pub fn read(self) -> T {
        // SAFETY: as for `In::read`.
        unsafe { self.0.read_unaligned() }
    }

    /// Writes the value. The caller of this method has seen that it is not null.
    pub fn write(self, value: T) {
        // SAFETY: not null, so by the interface it can be written; no alignment is asked for; no reference to it lives.
        unsafe { self.0.write_unaligned(value) }
    }
}

impl<const N: usize> Out<[u8; N]> {
    /// The place of the first byte.
    pub fn first(self) -> Out<u8> {
        Out(self.0.cast())
    }
}

impl Out<u8> {
    /// Whether there is nothing.
    pub fn is_missing(self) -> bool {
        self.0.is_null()
    }

    /// Writes bytes. The caller of this method has seen that there is room for them.
    pub fn write_bytes(self, bytes: &[u8]) {
        // SAFETY: not null and as long as the interface says. The bytes are this crate's own, so they do not overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.0, bytes.len()) }
    }

    /// Zeroes bytes. The caller of this method has seen that there are as many.
    pub fn write_zeros(self, count: usize) {
        // SAFETY: not null and as long as the interface says.
        unsafe { ptr::write_bytes(self.0, 0, count) }
    }

    /// For a callback of the caller, which gets the caller's own pointer.
    pub fn raw(self) -> *mut u8 {
        self.0
    }
}

impl<const N: usize> In<[u8; N]> {
    /// The place of the first byte.
    pub fn first(self) -> In<u8> {
        In(self.0.cast())
    }
}

impl In<u8> {
    /// What `read` makes of bytes that begin here, of none where the pointer is null. Nothing is written meanwhile.
    pub fn with_bytes<R>(self, count: usize, read: impl FnOnce(&[u8]) -> R) -> R {
        if self.0.is_null() || count == 0 {
            return read(&[]);
        }
        // SAFETY: not null and as long as the interface says; the reference ends before anything is written.
        read(unsafe { slice::from_raw_parts(self.0, count) })
    }
}

/// Elements of an array that a function reads.
impl<T> In<In<T>> {
    /// The element. The caller of this method has seen that the array is not null and has it.
    pub fn at(self, index: usize) -> In<T> {
        // SAFETY: by the interface the array has the element; pointers are aligned in arrays of pointers.
        unsafe { self.0.add(index).read_unaligned() }
    }
}

/// Elements of an array of places that a function writes.
impl<T> In<Out<T>> {
    /// The element. The caller of this method has seen that the array is not null and has it.
    pub fn at(self, index: usize) -> Out<T> {
        // SAFETY: as for arrays of values.
        unsafe { self.0.add(index).read_unaligned() }
    }
}

/// Elements of an array that a function puts in order.
impl<T> Out<In<T>> {
    /// The element. The caller of this method has seen that the array is not null and has it.
    pub fn at(self, index: usize) -> In<T> {
        // SAFETY: as for arrays that are read only.
        unsafe { self.0.add(index).read_unaligned() }
    }

    /// Exchanges two elements. The caller of this method has seen that the array is not null and has them.
    pub fn swap(self, i: usize, j: usize) {
        let (a, b) = (self.at(i), self.at(j));
        // SAFETY: by the interface the array has both elements and can be written.
        unsafe {
            self.0.add(i).write_unaligned(b);
            self.0.add(j).write_unaligned(a);
        }
    }
}
