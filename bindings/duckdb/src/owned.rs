//! What DuckDB makes for us and we destroy.
#![allow(unsafe_code)]

/// A thing of DuckDB, destroyed on drop.
pub(crate) struct Owned<T> {
    pointer: *mut T,
    destroy: unsafe extern "C-unwind" fn(*mut *mut T),
}

impl<T> Owned<T> {
    /// None for a pointer that is NULL.
    ///
    /// # Safety
    /// The pointer is NULL, or that of a thing which nobody else destroys, and which this function destroys.
    pub(crate) unsafe fn new(pointer: *mut T, destroy: unsafe extern "C-unwind" fn(*mut *mut T)) -> Option<Owned<T>> {
        (!pointer.is_null()).then_some(Owned { pointer, destroy })
    }

    /// The thing, which lives as long as this.
    pub(crate) fn pointer(&self) -> *mut T {
        self.pointer
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the function is that of the thing, which is destroyed once.
        unsafe { (self.destroy)(&mut self.pointer) };
    }
}
