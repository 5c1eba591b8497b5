//! A shared library with libsecp256k1's symbols, loaded beside others.
#![allow(unsafe_code)]

use libloading::Library as Loaded;
use std::ffi::{c_int, c_void};

/// A function of the interface, called with ten words: a callee takes as many as it has parameters.
type Function = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize, usize, usize, usize, usize) -> usize;

/// One of the two libraries.
pub(crate) struct Library {
    loaded: Loaded,
    /// How the library is named in messages.
    pub(crate) path: String,
}

impl Library {
    pub(crate) fn open(path: &str) -> Library {
        // SAFETY: the two libraries run nothing when they are loaded.
        let loaded = unsafe { Loaded::new(path) }.unwrap_or_else(|error| panic!("{path}: {error}"));
        Library { loaded, path: path.to_owned() }
    }

    /// The address of a symbol.
    pub(crate) fn address(&self, name: &str) -> usize {
        // SAFETY: the address is used as what the name stands for, while the library stays loaded.
        let address = unsafe {
            let symbol = self.loaded.get::<*mut c_void>(name);
            symbol.unwrap_or_else(|error| panic!("{}: {error}", self.path)).try_as_raw_ptr()
        };
        address.expect("symbols have addresses").expose_provenance()
    }

    /// The word that a data symbol holds: a pointer to a context or to a function.
    pub(crate) fn word(&self, name: &str) -> usize {
        // SAFETY: each data symbol of the interface is a pointer.
        unsafe { std::ptr::with_exposed_provenance::<usize>(self.address(name)).read() }
    }

    /// Calls a function by name.
    pub(crate) fn call(&self, name: &str, arguments: &[usize]) -> usize {
        call(self.address(name), arguments)
    }

    /// Calls a function that answers with an `int`.
    pub(crate) fn answer(&self, name: &str, arguments: &[usize]) -> c_int {
        self.call(name, arguments) as c_int
    }
}

/// Calls a function by its address.
pub(crate) fn call(address: usize, arguments: &[usize]) -> usize {
    let mut words = [0; 10];
    words[..arguments.len()].copy_from_slice(arguments);
    let [a, b, c, d, e, f, g, h, i, j] = words;
    // SAFETY: the address is that of a function with at most ten parameters of at most a word each, and the cases
    // are made so that its pointers are null or point into an arena that is large enough.
    unsafe {
        let function: Function = std::mem::transmute(address);
        function(a, b, c, d, e, f, g, h, i, j)
    }
}
