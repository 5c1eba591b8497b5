//! What the environment asks for: a backend's name that is none. The variable is read once in a process, so each case
//! runs in a process of its own.

use phalanx::{
    Backend, Batch, Bulk, Error, Keypair, LowS, Point, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict, ecdh,
    ecdsa, msm, schnorr,
};
use std::process::Command;

/// Runs one test of this program again, alone, with the variable set.
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

/// What the call says when it panics.
fn panic_of<T>(call: impl FnOnce() -> T) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).err().expect("the call panics");
    panic.downcast_ref::<String>().expect("a panic with text").clone()
}

/// Every way to choose a backend says the same of one that is not there: builders by an error, `new` by a panic. Single
/// calls choose none.
fn all_refuse(name: &str) {
    let text = format!("backend {name:?} is not available here; available: ");
    let refused = |error: Error| {
        assert!(matches!(error, Error::BackendUnavailable { asked, .. } if asked.to_string() == name), "{error}");
        assert!(error.to_string().starts_with(&text), "{error}");
    };
    // Parsing needs no backend.
    let (key, secret) = (PublicKey::GENERATOR, SecretKey::from_bytes(&[2; 32]).unwrap());
    let signature = ecdsa::Signature::from_compact(&[1; 64]).unwrap();
    refused(msm::sum_of_products(&[Scalar::ONE], &[key]).unwrap_err());
    refused(Bulk::builder().build().unwrap_err());
    refused(msm::Msm::builder().build().unwrap_err());
    let row = ecdsa::Row {
        digest: &[1; 32],
        signature: ecdsa::SignatureRef::Parsed(&signature),
        public_key: PublicKeyRef::Parsed(&key),
    };
    for said in [panic_of(Bulk::new), panic_of(Batch::new), panic_of(msm::Msm::new)] {
        assert!(said.starts_with(&format!("PHALANX_BACKEND: {text}")), "{said}");
    }
    // Single calls do not read the variable.
    assert_eq!(ecdsa::verify(&[1; 32], &signature, &key, LowS::Allow), Err(Error::InvalidSignature));
    assert_eq!(ecdsa::verify_row(&row, LowS::Allow), Verdict::InvalidSignature);
    let (signed, recovered_by) = ecdsa::sign_recoverable(&[1; 32], &secret);
    assert_eq!(ecdsa::recover(&[1; 32], &signed, recovered_by), Ok(secret.public_key()));
    assert_eq!(ecdsa::sign(&[1; 32], &secret), signed);
    let pair = Keypair::from_secret(secret.clone());
    let schnorr_signature = schnorr::sign(&[1; 32], &pair, &[1; 32]);
    assert_eq!(schnorr::verify(&[1; 32], &schnorr_signature, &pair.x_only()), Ok(()));
    assert_eq!(key.tweak_add(&ONE), key.tweak_mul(&TWO));
    assert_eq!(ecdh::shared_secret(&key, &secret), ecdh::shared_secret(&secret.public_key(), &one_secret()));
    assert_eq!(Point::GENERATOR * Scalar::ONE, Point::mul_generator(&Scalar::ONE));
    assert_eq!(Point::GENERATOR.mul_vartime(&Scalar::ONE), Point::GENERATOR);
    // What names its backend asks nobody.
    let bulk = Bulk::builder().backend(Backend::Portable).build().unwrap();
    assert_eq!(bulk.verify_ecdsa(&[row], LowS::Allow), [Verdict::InvalidSignature]);
    assert_eq!(bulk.public_keys(&[one_secret()]), [PublicKey::GENERATOR]);
}

const ONE: [u8; 32] = number(1);
const TWO: [u8; 32] = number(2);

const fn number(low: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[31] = low;
    bytes
}

fn one_secret() -> SecretKey {
    SecretKey::from_bytes(&ONE).unwrap()
}

#[test]
fn a_misspelt_backend_is_an_error_that_repeats_the_name() {
    if !is_child() {
        let of = |name| in_child("environment::a_misspelt_backend_is_an_error_that_repeats_the_name", name);
        return ["portabel", " "].into_iter().for_each(of);
    }
    all_refuse(&std::env::var("PHALANX_BACKEND").unwrap());
}

#[test]
fn an_empty_name_is_no_choice() {
    match is_child() {
        false => in_child("environment::an_empty_name_is_no_choice", ""),
        true => {
            assert_eq!(std::env::var("PHALANX_BACKEND").unwrap(), "");
            assert_eq!(Some(&Bulk::new().backend()), Backend::available().last());
            assert_eq!(msm::sum_of_products(&[Scalar::ONE], &[PublicKey::GENERATOR]).unwrap(), Point::GENERATOR);
            assert_eq!(one_secret().public_key(), PublicKey::GENERATOR);
        }
    }
}

#[test]
fn a_backend_of_another_cpu_is_the_same_error() {
    let all = [Backend::Neon, Backend::Ifma];
    let absent = all.into_iter().find(|backend| !Backend::available().contains(backend));
    let absent = absent.expect("no CPU has the instructions of two architectures").name();
    match is_child() {
        false => in_child("environment::a_backend_of_another_cpu_is_the_same_error", absent),
        true => all_refuse(absent),
    }
}

#[test]
fn a_backend_that_is_there_is_taken() {
    if !is_child() {
        let of = |backend: &Backend| in_child("environment::a_backend_that_is_there_is_taken", backend.name());
        return Backend::available().iter().for_each(of);
    }
    assert_eq!(Bulk::new().backend().name(), std::env::var("PHALANX_BACKEND").unwrap());
    assert_eq!(msm::sum_of_products(&[Scalar::ONE], &[PublicKey::GENERATOR]).unwrap(), Point::GENERATOR);
    assert_eq!(one_secret().public_key(), PublicKey::GENERATOR);
}
