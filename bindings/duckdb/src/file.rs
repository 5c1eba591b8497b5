//! Files that DuckDB opens and reads for us, where its settings allow it.
#![allow(unsafe_code)]

use crate::owned::Owned;
use crate::table::{ClientContext, ErrorData, FileHandle, Functions, READ};
use crate::text::message;
use std::ffi::CStr;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::ptr;

/// An open file. It is closed on drop.
pub(crate) struct File<'c> {
    functions: &'static Functions,
    handle: Owned<FileHandle>,
    context: PhantomData<&'c ClientContext>,
}

impl<'c> File<'c> {
    /// Opens a file to read it. An error says why DuckDB does not.
    pub(crate) fn open(
        functions: &'static Functions,
        context: &'c Owned<ClientContext>,
        path: &CStr,
    ) -> io::Result<File<'c>> {
        let refused = || io::Error::other("DuckDB does not open the file");
        // SAFETY: the context is there. File system and options are ours to destroy.
        let (system, options) = unsafe {
            let system = (functions.client_context_get_file_system)(context.pointer());
            let system = Owned::new(system, functions.destroy_file_system).ok_or_else(refused)?;
            let options = (functions.create_file_open_options)();
            (system, Owned::new(options, functions.destroy_file_open_options).ok_or_else(refused)?)
        };
        let mut handle = ptr::null_mut();
        // SAFETY: file system, options and path are there, and the file is ours to destroy, which closes it.
        let (opened, handle) = unsafe {
            let opened = (functions.file_open_options_set_flag)(options.pointer(), READ, true) == 0
                && (functions.file_system_open)(system.pointer(), path.as_ptr(), options.pointer(), &mut handle) == 0;
            (opened, Owned::new(handle, functions.destroy_file_handle))
        };
        match handle {
            Some(handle) if opened => Ok(File { functions, handle, context: PhantomData }),
            // SAFETY: the file system is there, and leaves its last error to us.
            _ => Err(unsafe { failed(functions, (functions.file_system_error_data)(system.pointer())) }),
        }
    }
}

/// Reads into the buffer and nowhere else, where the file is one of the machine.
impl Read for File<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let functions = self.functions;
        let room = i64::try_from(buffer.len()).unwrap_or(i64::MAX);
        // SAFETY: the file is open, and the buffer has this room.
        let count = unsafe { (functions.file_handle_read)(self.handle.pointer(), buffer.as_mut_ptr().cast(), room) };
        match usize::try_from(count) {
            Ok(count) if count <= buffer.len() => Ok(count),
            // SAFETY: the file is there, and leaves its last error to us.
            _ => Err(unsafe { failed(functions, (functions.file_handle_error_data)(self.handle.pointer())) }),
        }
    }
}

/// An error that says what DuckDB says.
///
/// # Safety
/// As for [`message`].
unsafe fn failed(functions: &Functions, error: *mut ErrorData) -> io::Error {
    // SAFETY: as the caller promises.
    io::Error::other(unsafe { message(functions, error) }.unwrap_or_default())
}
