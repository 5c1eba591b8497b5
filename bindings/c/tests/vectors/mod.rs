//! The lines that `tests/c/vectors.c` reads: BIP-324's and BIP-327's files, where they stand beside the repository, and
//! answers of the libraries in Rust.

use crate::programs::root;
use const_hex::{decode, encode};
use library::{
    Keypair, PublicKey, SecretKey,
    ellswift::{self, ElligatorSwift, Party},
    hash::sha256,
};
use phalanx_musig::{AggregateNonce, KeyAggregation, NonceInputs, PartialSignature, SecretNonce, Session};
use serde_json::Value;
use std::fs;

/// Statuses and verdicts, by the names of the header.
const OK: i32 = 0;
const BAD_SCALAR: i32 = 10;
const BAD_POINT: i32 = 11;
const BAD_ROW: i32 = 14;
const MALFORMED_ROW: u8 = 1;
const BAD_PUBLIC_KEY: u8 = 2;
const OUT_OF_RANGE: u8 = 4;
const INVALID_SIGNATURE: u8 = 6;

/// All lines.
pub(crate) fn lines() -> String {
    let mut lines = Lines(String::new());
    lines.encodings();
    for (signers, tweaks) in [(1, 0), (2, 1), (3, 3), (9, 2), (40, 0)] {
        lines.session(signers, tweaks);
    }
    lines.bip324();
    lines.bip327();
    lines.0
}

struct Lines(String);

/// A word of bytes; none are a point.
fn word(bytes: &[u8]) -> String {
    if bytes.is_empty() { ".".to_owned() } else { encode(bytes) }
}

/// A word of bytes that a file may leave out.
fn or_null(value: &Value) -> String {
    value.as_str().map_or("-".to_owned(), |hex| word(&decode(hex).unwrap()))
}

fn hex(value: &Value) -> Vec<u8> {
    decode(value.as_str().unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// The values of a list that the indices of a case name.
fn chosen(file: &Value, of: &str, case: &Value, indices: &str) -> Vec<Vec<u8>> {
    list(&case[indices]).iter().map(|at| hex(&file[of][index(at)])).collect()
}

fn secret(label: &str, number: usize) -> SecretKey {
    SecretKey::from_bytes(&sha256(format!("{label} {number}").as_bytes())).unwrap()
}

fn is_nonce(bytes: &[u8]) -> bool {
    bytes.chunks(33).all(|half| PublicKey::from_bytes(half).is_ok())
}

/// A verdict for each value.
fn verdicts(values: &[Vec<u8>], good: fn(&[u8]) -> bool, bad: u8) -> Vec<u8> {
    values.iter().map(|value| if good(value) { 0 } else { bad }).collect()
}

impl Lines {
    fn add(&mut self, name: &str, words: &[&str]) {
        self.0 += &format!("{name} {}\n", words.join(" "));
    }

    /// Encodings of keys, and secrets that two of them share.
    fn encodings(&mut self) {
        for number in 0..20 {
            let [ours, theirs] = ["ours", "theirs"].map(|label| secret(label, number));
            let (key, randomness) = (theirs.public_key(), sha256(&[number as u8]));
            let a = ElligatorSwift::from_secret(&ours, (number % 2 == 0).then_some(&randomness));
            let b = ElligatorSwift::encode(&key, &randomness);
            let auxiliary = if number % 2 == 0 { encode(randomness) } else { "-".to_owned() };
            let [encoded_a, encoded_b] = [a, b].map(|encoding| encode(encoding.to_bytes()));
            let [ours_word, theirs_word] = [&ours, &theirs].map(|secret| encode(secret.to_bytes()));
            self.add("create", &[&ours_word, &auxiliary, &encoded_a]);
            self.add("encode", &[&encode(key.to_bytes()), &encode(randomness), &encoded_b]);
            self.add("decode", &[&encoded_b, &encode(key.to_bytes())]);
            let shared = encode(ellswift::shared_secret(&a, &b, &ours, Party::Initiator));
            self.add("xdh", &[&encoded_a, &encoded_b, &ours_word, "0", &shared]);
            self.add("xdh", &[&encoded_a, &encoded_b, &theirs_word, "1", &shared]);
        }
    }

    /// A session of so many signers and tweaks, without and with those who cheat.
    fn session(&mut self, count: usize, tweaks: usize) {
        let signers: Vec<Keypair> = (0..count).map(|number| Keypair::from_secret(secret("signer", number))).collect();
        let encoded: Vec<[u8; 33]> = signers.iter().map(|signer| signer.public_key().to_bytes()).collect();
        let mut keys = KeyAggregation::from_encoded(&encoded).unwrap();
        let good = encode(vec![0; count]);
        self.add("keys", &["0", &good, &encode(encoded.concat()), &encode(keys.public_key().to_bytes())]);
        for number in 0..tweaks {
            let tweak = sha256(&[number as u8]);
            let x_only = number % 2 == 0;
            keys = if x_only { keys.tweak_add_x_only(&tweak) } else { keys.tweak_add(&tweak) }.unwrap();
            let flags = if x_only { "1" } else { "0" };
            self.add("tweak", &["0", flags, &encode(tweak), &encode(keys.public_key().to_bytes())]);
        }
        let message = vec![7; count];
        let make = |signer: &Keypair| {
            let mut randomness = sha256(&signer.secret_key().to_bytes());
            SecretNonce::from_randomness(&mut randomness, &signer.public_key(), &NonceInputs::default()).unwrap()
        };
        let (secrets, nonces): (Vec<_>, Vec<_>) = signers.iter().map(make).unzip();
        let sum = AggregateNonce::sum(&nonces);
        let session = Session::new(&keys, &sum, &message);
        let signed = secrets.into_iter().zip(&signers).map(|(nonce, signer)| session.sign(nonce, signer).unwrap());
        let partials: Vec<PartialSignature> = signed.collect();
        let signature = encode(session.aggregate(&partials).unwrap().to_bytes());
        let mut nonces: Vec<Vec<u8>> = nonces.iter().map(|nonce| nonce.to_bytes().to_vec()).collect();
        let mut partials: Vec<Vec<u8>> = partials.iter().map(|partial| partial.to_bytes().to_vec()).collect();
        let (all, sum) = (encode(nonces.concat()), encode(sum.to_bytes()));
        self.add("sum", &["0", &good, &all, &sum]);
        self.add("session", &["0", &sum, &encode(&message)]);
        self.add("verify", &["0", &good, &all, &encode(partials.concat())]);
        self.add("aggregate", &["0", &good, &all, &encode(partials.concat()), &signature]);
        // Those who cheat, one after the other: by another number, one that is none, a nonce that is none.
        let (mut found, zeros) = (vec![0; count], encode([0; 64]));
        for (cheater, verdict) in [(count - 1, INVALID_SIGNATURE), (count / 2, OUT_OF_RANGE), (0, MALFORMED_ROW)] {
            match verdict {
                INVALID_SIGNATURE => partials[cheater][31] ^= 1,
                OUT_OF_RANGE => partials[cheater].fill(0xff),
                _ => nonces[cheater][33] = 9,
            }
            found[cheater] = verdict;
            let (verdicts, nonces, partials) = (encode(&found), encode(nonces.concat()), encode(partials.concat()));
            self.add("verify", &["0", &verdicts, &nonces, &partials]);
            self.add("aggregate", &["14", &verdicts, &nonces, &partials, &zeros]);
        }
        for signer in 0..count {
            let row = (encode([found[signer]]), encode(&nonces[signer]), encode(&partials[signer]));
            self.add("verify", &[&signer.to_string(), &row.0, &row.1, &row.2]);
        }
    }

    fn bip324(&mut self) {
        let decoded = shared("bip324/ellswift_decode_test_vectors.csv").unwrap_or_default();
        let rows = |text: &str| text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let rows: [Vec<Vec<String>>; 2] =
            [&decoded, &shared("bip324/packet_encoding_test_vectors.csv").unwrap_or_default()].map(|text| rows(text));
        for row in &rows[0] {
            self.add("decode", &[&row[0], &row[1]]);
        }
        for row in &rows[1] {
            let initiates = row[4] == "1";
            let (a, b) = if initiates { (&row[2], &row[3]) } else { (&row[3], &row[2]) };
            self.add("xdh", &[a, b, &row[1], if initiates { "0" } else { "1" }, &row[12]]);
        }
        assert!(matches!(rows.each_ref().map(Vec::len), [76, 7] | [0, 0]));
    }

    /// Keys and tweaks of a case; false where they are refused, as the case then says.
    fn keys(&mut self, file: &Value, case: &Value) -> bool {
        let keys = chosen(file, "pubkeys", case, "key_indices");
        let found = verdicts(&keys, |key| PublicKey::from_bytes(key).is_ok(), BAD_PUBLIC_KEY);
        let bad = found.iter().position(|verdict| *verdict != 0);
        let status = if bad.is_some() { BAD_ROW } else { OK };
        let expected = if bad.is_none() && case["tweaks"].is_null() && case["tweak_indices"].is_null() {
            case["expected"].as_str().filter(|hex| file["msgs"].is_null() && hex.len() == 64)
        } else {
            None
        };
        let expected = match bad {
            Some(_) => encode([0; 33]),
            None => expected.map_or("-".to_owned(), str::to_lowercase),
        };
        self.add("keys", &[&status.to_string(), &encode(&found), &encode(keys.concat()), &expected]);
        if let Some(bad) = bad {
            assert_eq!((case["error"]["contrib"].as_str(), index(&case["error"]["signer"])), (Some("pubkey"), bad));
            return false;
        }
        let tweaks = match case.get("tweak_indices") {
            Some(_) => chosen(file, "tweaks", case, "tweak_indices"),
            None => list(&case["tweaks"]).iter().map(hex).collect(),
        };
        let refused = case["error"]["message"].as_str().is_some_and(|message| message.contains("tweak"));
        for (tweak, x_only) in tweaks.iter().zip(list(&case["is_xonly"])) {
            let (status, flags) = (if refused { BAD_SCALAR } else { OK }, u8::from(x_only == &Value::Bool(true)));
            self.add("tweak", &[&status.to_string(), &flags.to_string(), &encode(tweak), "-"]);
        }
        !refused
    }

    /// The nonces of a case, and their sum; false where one is none.
    fn nonces(&mut self, file: &Value, case: &Value, indices: &str, sum: &str) -> bool {
        let nonces = chosen(file, "pnonces", case, indices);
        let found = verdicts(&nonces, is_nonce, MALFORMED_ROW);
        let bad = found.iter().position(|verdict| *verdict != 0);
        let (status, sum) = if bad.is_some() { (BAD_ROW, encode([0; 66])) } else { (OK, sum.to_owned()) };
        self.add("sum", &[&status.to_string(), &encode(&found), &encode(nonces.concat()), &sum]);
        if let Some(bad) = bad {
            assert_eq!((case["error"]["contrib"].as_str(), index(&case["error"]["signer"])), (Some("pubnonce"), bad));
        }
        bad.is_none()
    }

    fn bip327(&mut self) {
        let read = |name: &str| Some(serde_json::from_str(&shared(&format!("bip327/{name}_vectors.json"))?).unwrap());
        let names = ["key_agg", "nonce_gen", "nonce_agg", "sign_verify", "tweak", "sig_agg"];
        let files: Option<Vec<Value>> = names.map(read).into_iter().collect();
        let Some([key_agg, nonce_gen, nonce_agg, sign_verify, tweak, sig_agg]) = files.as_deref() else { return };
        for case in ["valid_test_cases", "error_test_cases"].iter().flat_map(|kind| list(&key_agg[kind])) {
            assert_eq!(self.keys(key_agg, case), case["error"].is_null(), "{case}");
        }
        for case in list(&nonce_gen["test_cases"]) {
            let extra = if case["extra_in"].is_null() { ".".to_owned() } else { or_null(&case["extra_in"]) };
            let values = ["pk", "sk", "aggpk", "msg"].map(|name| or_null(&case[name]));
            let (randomness, expected) = (or_null(&case["rand_"]), or_null(&case["expected_pubnonce"]));
            let [key, secret, aggregate, message] = &values;
            self.add("nonce", &[key, secret, aggregate, message, &extra, &randomness, &expected]);
        }
        for case in ["valid_test_cases", "error_test_cases"].iter().flat_map(|kind| list(&nonce_agg[kind])) {
            assert_eq!(
                self.nonces(nonce_agg, case, "pnonce_indices", &or_null(&case["expected"])),
                case["error"].is_null()
            );
        }
        self.sign_verify(sign_verify);
        for case in list(&tweak["valid_test_cases"]) {
            assert!(self.keys(tweak, case) && self.nonces(tweak, case, "nonce_indices", &or_null(&tweak["aggnonce"])));
            self.add("session", &["0", &or_null(&tweak["aggnonce"]), &or_null(&tweak["msg"])]);
            self.one_signer(tweak, case, &case["expected"], 0);
        }
        for case in list(&tweak["error_test_cases"]) {
            assert!(!self.keys(tweak, case));
        }
        for case in list(&sig_agg["valid_test_cases"]).iter().chain(list(&sig_agg["error_test_cases"])) {
            let sum = or_null(&case["aggnonce"]);
            assert!(self.keys(sig_agg, case) && self.nonces(sig_agg, case, "nonce_indices", &sum));
            self.add("session", &["0", &sum, &or_null(&sig_agg["msg"])]);
            let partials = chosen(sig_agg, "psigs", case, "psig_indices");
            let nonces = encode(chosen(sig_agg, "pnonces", case, "nonce_indices").concat());
            let words = match case["error"]["signer"].as_u64() {
                None => ["0".to_owned(), encode(vec![0; partials.len()]), or_null(&case["expected"])],
                // The others are partial signatures of another case.
                Some(bad) => {
                    let mut found = vec![INVALID_SIGNATURE; partials.len()];
                    found[bad as usize] = OUT_OF_RANGE;
                    [BAD_ROW.to_string(), encode(found), encode([0; 64])]
                }
            };
            let [status, found, signature] = &words;
            self.add("aggregate", &[status, found, &nonces, &encode(partials.concat()), signature]);
        }
    }

    fn sign_verify(&mut self, file: &Value) {
        let kinds = ["valid_test_cases", "sign_error_test_cases", "verify_fail_test_cases", "verify_error_test_cases"];
        for (kind, case) in kinds.iter().flat_map(|kind| list(&file[kind]).iter().map(move |case| (*kind, case))) {
            let bad_sum = case["error"]["contrib"] == "aggnonce";
            // A secret nonce or a signer that the interface does not take.
            let other = case["error"]["type"] == "value";
            if other || !self.keys(file, case) {
                continue;
            }
            let message = or_null(&file["msgs"][index(&case["msg_index"])]);
            let sum = match case["aggnonce_index"].as_u64() {
                Some(at) => or_null(&file["aggnonces"][at as usize]),
                None => {
                    let nonces: Option<Vec<_>> = chosen(file, "pnonces", case, "nonce_indices")
                        .iter()
                        .map(|nonce| phalanx_musig::PublicNonce::from_bytes(nonce[..].try_into().unwrap()).ok())
                        .collect();
                    nonces.map_or("-".to_owned(), |nonces| encode(AggregateNonce::sum(&nonces).to_bytes()))
                }
            };
            if case.get("nonce_indices").is_some() && !self.nonces(file, case, "nonce_indices", &sum) {
                continue;
            }
            self.add("session", &[&if bad_sum { BAD_POINT } else { OK }.to_string(), &sum, &message]);
            if kind == "valid_test_cases" {
                self.one_signer(file, case, &case["expected"], 0);
            } else if kind == "verify_fail_test_cases" {
                let exceeds = case["comment"].as_str().unwrap().contains("exceeds");
                self.one_signer(file, case, &case["sig"], if exceeds { OUT_OF_RANGE } else { INVALID_SIGNATURE });
            }
        }
    }

    /// The partial signature of the signer of a case.
    fn one_signer(&mut self, file: &Value, case: &Value, partial: &Value, verdict: u8) {
        let number = index(&case["signer_index"]);
        let nonce = &chosen(file, "pnonces", case, "nonce_indices")[number];
        self.add("verify", &[&number.to_string(), &encode([verdict]), &encode(nonce), &or_null(partial)]);
    }
}

/// A file of the folder beside the repository.
fn shared(name: &str) -> Option<String> {
    let text = fs::read_to_string(root().join("../../../shared/vectors").join(name)).ok();
    if text.is_none() {
        phalanx_tiers::skipped(&format!("{name} is not in ../shared/vectors"), "its rows through C");
    }
    text
}
