//! What a user's first `cargo run` does: it calls the libraries, compiled without optimisation, on a thread of the usual
//! size. They must take one lane and say why. Where they are optimised, and this program is not, all lanes are there.
//! The step `unoptimised` of `cargo xtask` runs both:
//! `cargo run -p phalanx-unoptimised --config profile.dev.opt-level=0 --target-dir target/unoptimised`.

use phalanx::{Backend, Bulk, LowS, PublicKeyRef, SecretKey, ecdsa};
use phalanx_banderwagon::{Basis, Commit, Element, Lanes, Scalar};
use phalanx_engine::fixed_base::{Configuration, Scheme};
use phalanx_engine::word::{OPTIMISED, VectorUnit};

/// The stack of a thread that says nothing of it.
const STACK: usize = 2 << 20;

/// Rows of a bulk call: some for eight lanes, and a rest.
const ROWS: usize = 100;

fn main() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        backends();
        signatures();
        commitments();
    });
    thread.expect("a thread").join().expect("the thread ends well");
    println!("libraries optimised: {OPTIMISED}; backend {}; every answer is right", Bulk::new().backend());
}

/// Without optimisation one lane is there alone, also by name, and each vector unit of this CPU is refused for the reason.
fn backends() {
    if OPTIMISED {
        assert_eq!(Backend::refused(), []);
        return;
    }
    assert_eq!(Backend::available(), [Backend::Portable]);
    for name in VectorUnit::NAMES {
        let refused = Backend::refused().iter().find(|(backend, _)| backend.name() == name);
        assert_eq!(refused.is_some(), VectorUnit::detect(name).is_some(), "{name}");
        if let Some((backend, reason)) = refused {
            println!("{name} is refused: {reason}");
            assert_eq!(*reason, "the library is compiled without optimisation");
            assert!(Bulk::builder().backend(*backend).build().is_err(), "{name}");
        }
        assert!(Lanes::named(name).is_none(), "{name}");
    }
    assert_eq!(Bulk::new().backend(), Backend::Portable);
}

fn signatures() {
    let secret = SecretKey::from_bytes(&[7; 32]).expect("a secret key");
    let key = secret.public_key();
    let digest = [1; 32];
    let signature = ecdsa::sign(&digest, &secret);
    assert_eq!(ecdsa::verify(&digest, &signature, &key, LowS::Require), Ok(()));

    let (signature, key) = (signature.to_compact(), key.to_bytes());
    let row = |digest: &'static [u8; 32]| ecdsa::Row {
        digest,
        signature: ecdsa::SignatureRef::Compact(&signature),
        public_key: PublicKeyRef::Encoded(&key),
    };
    let is_forged = |at: usize| at % 7 == 3;
    let rows: Vec<_> = (0..ROWS).map(|at| row(if is_forged(at) { &[2; 32] } else { &[1; 32] })).collect();
    let verdicts = Bulk::new().verify_ecdsa(&rows, LowS::Require);
    assert_eq!(verdicts.len(), ROWS);
    for (at, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.is_valid(), !is_forged(at), "row {at}");
    }
}

fn commitments() {
    let lanes = Lanes::detect();
    assert!(OPTIMISED || matches!(lanes, Lanes::One(_)), "one lane");
    let generator = Element::generator();
    let configuration = Configuration::single(1, Scalar::ORDER, Scheme::SignedWindows { b: 4 });
    let tables = lanes.build(Basis::new([generator].into()), configuration).expect("tables");
    let commitment = lanes.committer(&tables).commit_vartime(&[Scalar::from(2u64)]);
    assert_eq!(commitment, generator.double());
}
