//! What a handle of `libphalanx` begins with. Other libraries read this of a handle, and nothing behind it.

use crate::{memory::value, status::PHALANX_BAD_ARGUMENT};

/// The first word of a handle: what tells it from other memory, and this form of its head from later ones.
const MARK: u64 = u64::from_le_bytes(*b"bulk-1\0\0");

/// The head of a handle: what the handle computes on.
#[repr(C)]
pub struct BulkHead {
    mark: u64,
    /// The name of the backend, with zeros behind it.
    backend: [u8; 16],
    threads: usize,
}

impl BulkHead {
    /// The head of a handle on this backend, with so many threads.
    ///
    /// # Panics
    /// If the name has more than 16 bytes.
    pub fn new(backend: &str, threads: usize) -> Self {
        let mut head = BulkHead { mark: MARK, backend: [0; 16], threads };
        head.backend[..backend.len()].copy_from_slice(backend.as_bytes());
        head
    }

    /// The head of the handle that a pointer points to.
    ///
    /// # Safety
    /// The pointer is NULL or misaligned, or points to as many bytes as a head has, which nobody writes to for as long
    /// as `'a`.
    ///
    /// # Errors
    /// As [`value`]; PHALANX_BAD_ARGUMENT for what is no handle, or one of another form.
    pub unsafe fn of<'a>(handle: *const BulkHead) -> Result<&'a BulkHead, i32> {
        // SAFETY: the caller's promise; any bytes are a head.
        let head = unsafe { value(handle) }?;
        if head.mark == MARK { Ok(head) } else { Err(PHALANX_BAD_ARGUMENT) }
    }

    /// The name of the backend.
    pub fn backend(&self) -> &str {
        let name = self.backend.split(|byte| *byte == 0).next().unwrap_or_default();
        core::str::from_utf8(name).unwrap_or_default()
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }
}
