//! Memory that both libraries work on in turn, at the same addresses.
#![allow(unsafe_code)]

const SIZE: usize = 40 << 10;
/// Bytes left free before and after every value, so that pointers may be shifted.
const MARGIN: usize = 96;

/// The memory, and how much of it has been given out.
pub(crate) struct Arena {
    memory: Vec<u64>,
    used: usize,
}

impl Arena {
    pub(crate) fn new() -> Arena {
        Arena { memory: vec![0; SIZE / 8], used: MARGIN }
    }

    /// Forgets all values, and fills the memory.
    pub(crate) fn clear(&mut self, filler: u64) {
        self.used = MARGIN;
        self.memory.fill(filler);
    }

    /// Where the next value goes.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Forgets the values from this place on.
    pub(crate) fn forget_after(&mut self, used: usize) {
        self.used = used;
    }

    /// Puts a value down, with room for `size` bytes and `shift` bytes after a multiple of 16; tells where.
    pub(crate) fn put(&mut self, bytes: &[u8], size: usize, shift: usize) -> usize {
        let start = self.used.next_multiple_of(16) + shift;
        self.used = start + size.max(bytes.len()) + MARGIN;
        assert!(self.used + 256 < SIZE, "the arena is too small");
        self.bytes_mut()[start..start + bytes.len()].copy_from_slice(bytes);
        self.address() + start
    }

    pub(crate) fn address(&self) -> usize {
        self.memory.as_ptr().expose_provenance()
    }

    /// Bytes at an address in the arena.
    pub(crate) fn at(&self, address: usize, size: usize) -> &[u8] {
        let start = address - self.address();
        &self.bytes()[start..start + size]
    }

    pub(crate) fn at_mut(&mut self, address: usize, size: usize) -> &mut [u8] {
        let start = address - self.address();
        &mut self.bytes_mut()[start..start + size]
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: integers are bytes.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), SIZE) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: integers are bytes, and any bytes are integers.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), SIZE) }
    }
}
