//! All rows of BIP-327's eight files, where they stand beside the repository.

use crate::{
    AggregateNonce, Contribution, Error, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce,
    Session, sign_deterministically,
};
use phalanx::{Bulk, Keypair, PublicKey, Scalar, SecretKey, schnorr};
use serde_json::Value;
use std::{fs, path::Path, vec::Vec};

/// A file, or none where it is not there.
fn file(name: &str, would_check: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/bip327").join(name);
    let Ok(text) = fs::read_to_string(path) else {
        phalanx_tiers::skipped(&std::format!("{name} is not in ../shared/vectors/bip327"), would_check);
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn hex(value: &Value) -> Vec<u8> {
    const_hex::decode(value.as_str().unwrap()).unwrap()
}

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().unwrap()
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// The values of a list that the indices of a case name.
fn chosen<const N: usize>(file: &Value, of: &str, case: &Value, indices: &str) -> Vec<[u8; N]> {
    list(&case[indices]).iter().map(|at| bytes(&file[of][index(at)])).collect()
}

/// What a file expects in the place of a result.
fn error(case: &Value) -> Error {
    let error = &case["error"];
    let message = error["message"].as_str().unwrap_or_default();
    match (error["contrib"].as_str(), error["signer"].as_u64()) {
        (Some("pubkey"), Some(signer)) => Error::of_signer(Contribution::PublicKey, signer as usize),
        (Some("pubnonce"), Some(signer)) => Error::of_signer(Contribution::PublicNonce, signer as usize),
        (Some("psig"), Some(signer)) => Error::of_signer(Contribution::PartialSignature, signer as usize),
        (Some("aggnonce"), None) => Error::BadAggregateNonce,
        (Some("aggothernonce"), None) => Error::BadEncoding(Contribution::PublicNonce),
        _ if message.contains("tweak") => Error::BadTweak,
        _ if message.contains("must be included") => Error::NotASigner,
        _ => panic!("{case}"),
    }
}

fn aggregated(file: &Value, case: &Value) -> Result<KeyAggregation, Error> {
    let mut keys = KeyAggregation::from_encoded(&chosen(file, "pubkeys", case, "key_indices"))?;
    let tweaks = match case.get("tweak_indices") {
        Some(_) => chosen(file, "tweaks", case, "tweak_indices"),
        None => list(&case["tweaks"]).iter().map(bytes).collect(),
    };
    for (tweak, is_x_only) in tweaks.iter().zip(list(&case["is_xonly"])) {
        keys = if is_x_only == &Value::Bool(true) { keys.tweak_add_x_only(tweak) } else { keys.tweak_add(tweak) }?;
    }
    Ok(keys)
}

fn nonces(file: &Value, case: &Value, indices: &str) -> Result<Vec<PublicNonce>, Error> {
    PublicNonce::read_all(&Bulk::new(), &chosen(file, "pnonces", case, indices))
}

/// The secret key of a file.
fn signer(file: &Value) -> Keypair {
    Keypair::from_secret(SecretKey::from_bytes(&bytes::<32>(&file["sk"])).unwrap())
}

/// The secret nonce that a file writes down, none where a number is zero.
fn secret_nonce(value: &Value) -> Option<SecretNonce> {
    let bytes = hex(value);
    let number = |at: usize| Scalar::from_bytes(&bytes[at..at + 32]);
    let k = [number(0).ok()?, number(32).ok()?];
    let zero = k.iter().any(|k| bool::from(k.is_zero()));
    (!zero).then(|| SecretNonce::of_vector(k, PublicKey::from_bytes(&bytes[64..]).unwrap()))
}

#[test]
fn keys_are_sorted() {
    let Some(file) = file("key_sort_vectors.json", "an order of 6 keys") else { return };
    // One is no point: the order is that of the bytes.
    let mut keys: Vec<[u8; 33]> = list(&file["pubkeys"]).iter().map(bytes).collect();
    let mut points: Vec<PublicKey> = keys.iter().filter_map(|key| PublicKey::from_bytes(key).ok()).collect();
    keys.sort();
    assert_eq!(keys, list(&file["sorted_pubkeys"]).iter().map(bytes::<33>).collect::<Vec<_>>());
    points.sort();
    let sorted: Vec<_> = keys.iter().filter_map(|key| PublicKey::from_bytes(key).ok()).collect();
    assert_eq!(points, sorted);
    assert!(points.len() >= 5);
}

#[test]
fn keys_are_aggregated() {
    let Some(file) = file("key_agg_vectors.json", "4 aggregates and 5 errors") else { return };
    for case in list(&file["valid_test_cases"]) {
        assert_eq!(aggregated(&file, case).unwrap().x_only().to_bytes(), bytes(&case["expected"]), "{case}");
    }
    for case in list(&file["error_test_cases"]) {
        assert_eq!(aggregated(&file, case).unwrap_err(), error(case), "{case}");
    }
    assert_eq!((list(&file["valid_test_cases"]).len(), list(&file["error_test_cases"]).len()), (4, 5));
}

#[test]
fn nonces_are_made() {
    let Some(file) = file("nonce_gen_vectors.json", "4 nonces") else { return };
    let cases = list(&file["test_cases"]);
    for case in cases {
        let secret = case["sk"].as_str().map(|_| SecretKey::from_bytes(&bytes::<32>(&case["sk"])).unwrap());
        let message = case["msg"].as_str().map(|_| hex(&case["msg"]));
        let extra = case["extra_in"].as_str().map(|_| hex(&case["extra_in"])).unwrap_or_default();
        let inputs = NonceInputs {
            secret_key: secret.as_ref(),
            aggregate_key: case["aggpk"].as_str().map(|_| bytes(&case["aggpk"])),
            message: message.as_deref(),
            extra: &extra,
        };
        let key = PublicKey::from_bytes(&hex(&case["pk"])).unwrap();
        let made = SecretNonce::from_randomness(&mut bytes(&case["rand_"]), &key, &inputs).unwrap();
        let written = [made.0.numbers().map(|k| k.to_bytes()).as_flattened(), &made.0.public_key().to_bytes()].concat();
        assert_eq!(written, hex(&case["expected_secnonce"]), "{case}");
        assert_eq!(made.1.to_bytes(), bytes(&case["expected_pubnonce"]));
    }
    assert_eq!(cases.len(), 4);
}

#[test]
fn nonces_are_aggregated() {
    let Some(file) = file("nonce_agg_vectors.json", "2 sums and 3 errors") else { return };
    for case in list(&file["valid_test_cases"]) {
        let sum = AggregateNonce::sum(&nonces(&file, case, "pnonce_indices").unwrap());
        assert_eq!(sum.to_bytes(), bytes(&case["expected"]), "{case}");
        assert_eq!(AggregateNonce::from_bytes(&sum.to_bytes()), Ok(sum));
    }
    for case in list(&file["error_test_cases"]) {
        assert_eq!(nonces(&file, case, "pnonce_indices"), Err(error(case)), "{case}");
    }
    assert_eq!((list(&file["valid_test_cases"]).len(), list(&file["error_test_cases"]).len()), (2, 3));
}

#[test]
fn partial_signatures_are_made_and_verified() {
    let Some(file) = file("sign_verify_vectors.json", "6 signatures and 11 errors") else { return };
    let keypair = signer(&file);
    let message = |case: &Value| hex(&file["msgs"][index(&case["msg_index"])]);
    let sum = |case: &Value| AggregateNonce::from_bytes(&bytes(&file["aggnonces"][index(&case["aggnonce_index"])]));
    for case in list(&file["valid_test_cases"]) {
        let (keys, message, sum) = (aggregated(&file, case).unwrap(), message(case), sum(case).unwrap());
        let session = Session::new(&keys, &sum, &message);
        let partial = session.sign(secret_nonce(&file["secnonces"][0]).unwrap(), &keypair).unwrap();
        assert_eq!(partial.to_bytes(), bytes(&case["expected"]), "{case}");
        let nonces = nonces(&file, case, "nonce_indices").unwrap();
        assert_eq!(AggregateNonce::sum(&nonces), sum);
        let number = index(&case["signer_index"]);
        assert_eq!(session.verify(number, &nonces[number], &partial), Ok(()));
    }
    for case in list(&file["sign_error_test_cases"]) {
        let secret = secret_nonce(&file["secnonces"][index(&case["secnonce_index"])]);
        let Some(secret) = secret else {
            assert!(case["error"]["message"].as_str().unwrap().contains("out of range"));
            continue;
        };
        let message = message(case);
        let signed =
            aggregated(&file, case).and_then(|keys| Session::new(&keys, &sum(case)?, &message).sign(secret, &keypair));
        assert_eq!(signed, Err(error(case)), "{case}");
    }
    let verified = |case: &Value| {
        let (keys, message) = (aggregated(&file, case)?, message(case));
        let nonces = nonces(&file, case, "nonce_indices")?;
        let partial = PartialSignature::from_bytes(&bytes(&case["sig"]))?;
        let (number, sum) = (index(&case["signer_index"]), AggregateNonce::sum(&nonces));
        Session::new(&keys, &sum, &message).verify(number, &nonces[number], &partial)
    };
    for case in list(&file["verify_fail_test_cases"]) {
        let number = index(&case["signer_index"]);
        let expected = match case["comment"].as_str().unwrap().contains("exceeds") {
            true => Error::BadEncoding(Contribution::PartialSignature),
            false => Error::of_signer(Contribution::PartialSignature, number),
        };
        assert_eq!(verified(case), Err(expected), "{case}");
    }
    for case in list(&file["verify_error_test_cases"]) {
        assert_eq!(verified(case), Err(error(case)), "{case}");
    }
    let counts = ["valid_test_cases", "sign_error_test_cases", "verify_fail_test_cases", "verify_error_test_cases"];
    assert_eq!(counts.map(|name| list(&file[name]).len()), [6, 6, 3, 2]);
}

#[test]
fn signatures_under_tweaked_keys() {
    let Some(file) = file("tweak_vectors.json", "5 signatures and an error") else { return };
    let (keypair, message) = (signer(&file), hex(&file["msg"]));
    for case in list(&file["valid_test_cases"]) {
        let keys = aggregated(&file, case).unwrap();
        let nonces = nonces(&file, case, "nonce_indices").unwrap();
        let sum = AggregateNonce::sum(&nonces);
        assert_eq!(sum.to_bytes(), bytes(&file["aggnonce"]));
        let session = Session::new(&keys, &sum, &message);
        let partial = session.sign(secret_nonce(&file["secnonce"]).unwrap(), &keypair).unwrap();
        assert_eq!(partial.to_bytes(), bytes(&case["expected"]), "{case}");
        let number = index(&case["signer_index"]);
        assert_eq!(session.verify(number, &nonces[number], &partial), Ok(()));
    }
    for case in list(&file["error_test_cases"]) {
        assert_eq!(aggregated(&file, case).unwrap_err(), error(case), "{case}");
    }
    assert_eq!((list(&file["valid_test_cases"]).len(), list(&file["error_test_cases"]).len()), (5, 1));
}

#[test]
fn partial_signatures_are_aggregated() {
    let Some(file) = file("sig_agg_vectors.json", "4 signatures and an error") else { return };
    let message = hex(&file["msg"]);
    let signed = |case: &Value| {
        let keys = aggregated(&file, case)?;
        let nonces = nonces(&file, case, "nonce_indices")?;
        let sum = AggregateNonce::from_bytes(&bytes(&case["aggnonce"]))?;
        assert_eq!(AggregateNonce::sum(&nonces), sum);
        let partials = PartialSignature::read_all(&chosen(&file, "psigs", case, "psig_indices"))?;
        let session = Session::new(&keys, &sum, &message);
        let signature = session.aggregate(&partials)?;
        assert_eq!(session.aggregate_checked(&nonces, &partials), Ok(signature));
        assert!(schnorr::verify(&message, &signature, &keys.x_only()).is_ok());
        Ok::<_, Error>(signature.to_bytes())
    };
    for case in list(&file["valid_test_cases"]) {
        assert_eq!(signed(case), Ok(bytes(&case["expected"])), "{case}");
    }
    for case in list(&file["error_test_cases"]) {
        assert_eq!(signed(case), Err(error(case)), "{case}");
    }
    assert_eq!((list(&file["valid_test_cases"]).len(), list(&file["error_test_cases"]).len()), (4, 1));
}

#[test]
fn signatures_without_randomness() {
    let Some(file) = file("det_sign_vectors.json", "4 signatures and 5 errors") else { return };
    let keypair = signer(&file);
    let signed = |case: &Value| {
        let keys = aggregated(&file, case)?;
        let others = PublicNonce::from_bytes(&bytes(&case["aggothernonce"]))?;
        let randomness = case["rand"].as_str().map(|_| bytes(&case["rand"]));
        let message = hex(&file["msgs"][index(&case["msg_index"])]);
        sign_deterministically(&keypair, &others, &keys, &message, randomness.as_ref())
    };
    for case in list(&file["valid_test_cases"]) {
        let (nonce, partial) = signed(case).unwrap();
        assert_eq!(nonce.to_bytes(), bytes(&case["expected"][0]), "{case}");
        assert_eq!(partial.to_bytes(), bytes(&case["expected"][1]), "{case}");
    }
    for case in list(&file["error_test_cases"]) {
        assert_eq!(signed(case), Err(error(case)), "{case}");
    }
    assert_eq!((list(&file["valid_test_cases"]).len(), list(&file["error_test_cases"]).len()), (4, 5));
}
