//! What the environment asks for: a backend's name that is none. The variable is read once in a process, so each case runs in
//! a process of its own.

use phalanx::{Bulk, Error, PublicKey, Scalar, SecretKey, ecdsa, msm};
use std::process::Command;

/// Runs one test of this file again, alone, with the variable set.
fn in_child(test: &str, backend: &str) {
    let this = std::env::current_exe().expect("a test knows its program");
    let run = Command::new(this)
        .args(["--exact", test, "--nocapture"])
        .env("PHALANX_BACKEND", backend)
        .env("PHALANX_TEST_CHILD", "1")
        .output()
        .expect("the program starts");
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

fn is_child() -> bool {
    std::env::var_os("PHALANX_TEST_CHILD").is_some()
}

#[test]
fn a_misspelt_backend_is_an_error_that_repeats_the_name() {
    if !is_child() {
        return in_child("a_misspelt_backend_is_an_error_that_repeats_the_name", "portabel");
    }
    let key = PublicKey::GENERATOR;
    let refused = |error: Error| {
        assert!(matches!(error, Error::BackendUnavailable { asked, .. } if asked.as_str() == "portabel"), "{error}");
        assert!(error.to_string().contains("\"portabel\" is not available here; available: portable"), "{error}");
    };
    refused(msm::sum_of_products(&[Scalar::ONE], &[key]).unwrap_err());
    refused(msm::add_pairs(&[key], &[key]).unwrap_err());
    refused(Bulk::builder().build().unwrap_err());
    let panic = std::panic::catch_unwind(Bulk::new).unwrap_err();
    let said = panic.downcast_ref::<String>().expect("a panic with text");
    assert!(said.contains("PHALANX_BACKEND: backend \"portabel\""), "{said}");
    // Single calls have no error to give; they go on.
    ecdsa::sign(&[1; 32], &SecretKey::from_bytes(&[2; 32]).unwrap());
}

#[test]
fn a_backend_that_is_there_is_taken() {
    if !is_child() {
        return in_child("a_backend_that_is_there_is_taken", "portable");
    }
    assert_eq!(Bulk::new().backend().name(), "portable");
    assert_eq!(msm::sum_of_products(&[Scalar::ONE], &[PublicKey::GENERATOR]).unwrap(), phalanx::Point::GENERATOR);
}
