//! What unwinds out of a callback ends the program.
#![allow(unsafe_code)]

use crate::interface::*;
use std::{
    env,
    ffi::{c_char, c_int, c_void},
    panic::resume_unwind,
    process::Command,
    ptr,
};

/// The variable that makes a process the one that is to end.
const WAY: &str = "PHALANX_TEST_UNWINDS_FROM";

unsafe extern "C-unwind" fn report(_: *const c_char, _: *mut c_void) {
    resume_unwind(Box::new(()));
}

unsafe extern "C-unwind" fn hash(_: *mut u8, _: *const u8, _: *const u8, _: *mut c_void) -> c_int {
    resume_unwind(Box::new(()));
}

#[test]
fn what_unwinds_out_of_a_callback_ends_the_program() {
    if let Ok(way) = env::var(WAY) {
        let context = Context::new();
        let (key, mut output) = (key(&context, &number(2)), [0; 32]);
        // SAFETY: buffers of the sizes that the interface states.
        unsafe {
            if way == "report" {
                secp256k1_context_set_illegal_callback(context.0, Some(report), ptr::null());
                secp256k1_ec_seckey_verify(context.0, ptr::null());
            } else {
                let (key, secret, null) = (key.as_ptr(), number(3), ptr::null_mut());
                secp256k1_ecdh(context.0, output.as_mut_ptr(), key, secret.as_ptr(), Some(hash), null);
            }
        }
        println!("went on");
        return;
    }
    for way in ["report", "hash"] {
        let name = "callbacks::what_unwinds_out_of_a_callback_ends_the_program";
        let mut child = Command::new(env::current_exe().expect("a program knows its file"));
        let ended =
            child.args(["--exact", name, "--nocapture"]).env(WAY, way).output().expect("the test's own program");
        let (said, errors) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        assert!(!ended.status.success() && !said.contains("went on"), "{way}: {} {said}", ended.status);
        assert!(said.contains("running 1 test") && errors.contains("cannot unwind"), "{way}: {said} {errors}");
    }
}
