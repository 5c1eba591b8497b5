//! Pointers of C programs: what is common to all bindings, by the names of this crate.

pub(crate) use phalanx_ffi::{
    BulkHead, Checked, Given, LinesToWrite, Output, Place, TOO_MANY, as_verdicts, check_pointer, guard, place, release,
    value,
};
