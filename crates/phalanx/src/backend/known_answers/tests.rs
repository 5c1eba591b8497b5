//! What the known answers show: that they are right, and which machines they refuse.

use super::faulty_word::{Faulty, NO_LIARS, Often, Said, with};
use super::*;
use crate::{
    Backend, SecretKey,
    backend::available::{Detected, Untested, said_wrong},
    ecdsa,
    hash::sha256,
    lanes::tests::{Name, on_machines},
};
use std::{string::String, time::Instant, vec::Vec};

on_machines! {
    fn every_machine_knows_the_answers(machine) {
        let begin = Instant::now();
        assert_eq!(first_wrong(machine), None);
        std::println!("the known answers took {} us on {}", begin.elapsed().as_micros(), machine.run(Name));
        assert_eq!(Backend::refused(), []);
    }
}

/// How a machine does on which the operation lies: whether it is refused. A panic refuses it too.
fn refused<const IN_DOUBLES: bool>(operation: &'static str, often: Often) -> Said<bool> {
    with(operation, often, || {
        let said = std::panic::catch_unwind(|| first_wrong(Faulty::<IN_DOUBLES>));
        said.map_or(true, |wrong| wrong.is_some())
    })
}

/// The operations that may lie, by the source of the engine's words: a trait, a function of it and, where that gives
/// several things, which of them is wrong. So no function of a machine is forgotten.
fn operations() -> Vec<&'static str> {
    let traits = [("mod.rs", "Word"), ("narrow.rs", "Narrow"), ("doubles.rs", "Double"), ("doubles.rs", "Doubles")];
    let mut all: Vec<String> = Vec::new();
    for (file, name) in traits {
        let path = std::format!("{}/../engine/src/word/{file}", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(&path).expect("the engine's source is beside this crate's");
        let (_, rest) = source.split_once(&std::format!("\npub trait {name}: ")).expect("the trait is there");
        let (body, _) = rest.split_once("\n}\n").expect("a trait ends");
        for line in body.lines().filter_map(|line| line.strip_prefix("    fn ")) {
            let function = line.split(['(', '<']).next().unwrap_or(line);
            let parts: &[&str] = match line {
                _ if line.contains("-> Step<") => &[": high", ": coarse", ": fine"],
                _ if line.contains("-> Split<") => &[": carry", ": rest"],
                _ => &[""],
            };
            all.extend(parts.iter().map(|part| std::format!("{name} {function}{part}")));
        }
    }
    for (exempt, _) in NO_LIARS {
        let place = all.iter().position(|operation| operation == exempt);
        all.remove(place.unwrap_or_else(|| panic!("{exempt} is no function of a machine")));
    }
    assert_eq!(all.len(), 64, "functions of a machine, of which none may be overlooked");
    all.into_iter().map(|operation| &*operation.leak()).collect()
}

/// Whether the machine has no use for the operation.
fn is_idle(operation: &str, in_doubles: bool) -> bool {
    if in_doubles {
        // Products of limbs alone have these.
        ["Word madd", "Word keep_source_order"].contains(&operation)
    } else {
        operation.starts_with("Double")
    }
}

/// Each operation lies, always and seldom: some sixteen times in a run, or once in three where it is asked little.
fn lies_are_found<const IN_DOUBLES: bool>() {
    let name = if IN_DOUBLES { "in doubles" } else { "in limbs" };
    for operation in operations() {
        let truth = refused::<IN_DOUBLES>(operation, Often::Never);
        assert!(!truth.result, "the emulation {name} knows the answers");
        if is_idle(operation, IN_DOUBLES) {
            assert_eq!(truth.asked, 0, "{operation}, {name}, is part of the known answers");
            continue;
        }
        for often in [Often::Always, Often::OnceIn((truth.asked / 16).max(3))] {
            let said = refused::<IN_DOUBLES>(operation, often);
            std::println!("{operation}, {name}, lies {often:?} of {}: {} lies", truth.asked, said.told);
            assert!(said.told > 0, "{operation}, {name}, is no part of the known answers");
            assert!(said.result, "{operation}, {name}, lies {often:?}, and the answers are right");
        }
    }
}

#[test]
fn a_machine_that_lies_is_refused() {
    lies_are_found::<false>();
}

#[test]
fn a_machine_of_doubles_that_lies_is_refused() {
    lies_are_found::<true>();
}

/// A backend whose unit is emulated, and whose code counts as tested.
#[derive(Clone, Copy)]
struct Emulating;

impl Untested for Emulating {
    fn is_tested(self) -> bool {
        true
    }
}

/// What is found out of one vector backend while the operation lies, where its code panics too.
fn found(operation: &'static str, often: Often) -> Detected {
    let unit = |backend: Backend| (backend == Backend::Ifma).then_some(Emulating);
    let found = || Detected::of(unit, |_| said_wrong(|| first_wrong(Faulty::<false>)));
    with(operation, often, found).result
}

/// From the lie to what `phalanx info` prints.
#[test]
fn a_backend_that_lies_is_not_there_and_the_reason_is_told() {
    let honest = found("Word add", Often::Never);
    assert_eq!((honest.backends, honest.refused), (&[Backend::Portable, Backend::Ifma][..], &[][..]));
    for operation in ["Word madd_hi", "Word gather", "Narrow add"] {
        let found = found(operation, Often::Always);
        assert_eq!((found.backends, found.names), (&[Backend::Portable][..], &["portable"][..]));
        let [(Backend::Ifma, wrong)] = found.refused else { panic!("{operation}: refused are {:?}", found.refused) };
        std::println!("{operation} lies: refused for {wrong}");
        assert!(!wrong.is_empty());
    }
}

#[test]
fn the_answers_are_those_of_single_calls() {
    let digest = sha256(b"Phalanx");
    assert_eq!(Scalar::from_bytes_reduced(&digest).limbs(), DIGEST);
    let (mut sum, mut odd) = (Scalar::ZERO, Mask8::NONE);
    for (d, [x, r, s]) in (1u64..).zip(ANSWERS) {
        let secret = SecretKey::from_bytes(&Scalar::from(d).to_bytes()).unwrap();
        let public = secret.public_key();
        assert_eq!(public.x_words(), x);
        odd.0 |= u8::from(public.affine().y.is_odd().any()) << (d - 1);
        let signature = ecdsa::Signature::from_scalars(number(r), number(s)).unwrap();
        assert_eq!(signature.normalize_s(), ecdsa::sign(&digest, &secret));
        sum += number(s) * Scalar::from(d);
    }
    assert_eq!(odd, ODD);
    let sum = SecretKey::from_bytes(&sum.to_bytes()).unwrap().public_key().affine();
    assert_eq!([sum.x.to_words(), sum.y.to_words()], SUM);
}
