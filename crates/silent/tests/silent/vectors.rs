//! The published vectors of BIP-352: 27 of the 28 cases ship with the tests, and the whole file is in `../shared`.

use std::path::Path;

use phalanx::{SecretKey, schnorr};
use phalanx_bitcoin::{Input, OutPoint, Output};
use phalanx_silent::{Address, Error, MAX_OUTPUTS, Outputs, Row, Scanner, SendingKey, Spending, outputs, scan, tweaks};
use serde_json::Value;

use crate::bulks;

fn hex(value: &Value) -> Vec<u8> {
    const_hex::decode(value.as_str().expect("text")).expect("hex")
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    hex(value).try_into().expect("so many bytes")
}

fn secret(value: &Value) -> SecretKey {
    SecretKey::from_bytes(&array::<32>(value)).expect("a secret key")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// An input as the file has it.
struct Given {
    outpoint: OutPoint,
    script: Vec<u8>,
    witness: Vec<Vec<u8>>,
    spent: Vec<u8>,
    key: Option<SecretKey>,
}

impl Given {
    fn read(value: &Value) -> Given {
        let mut txid: [u8; 32] = array(&value["txid"]);
        txid.reverse();
        let index = value["vout"].as_u64().expect("a number").try_into().expect("an index");
        Given {
            outpoint: OutPoint { txid, index },
            script: hex(&value["scriptSig"]),
            witness: witness(&hex(&value["txinwitness"])),
            spent: hex(&value["prevout"]["scriptPubKey"]["hex"]),
            key: value.get("private_key").map(secret),
        }
    }

    fn input(&self) -> Input<'_> {
        let witness = self.witness.iter().map(|element| &element[..]).collect();
        Input { previous: self.outpoint, script: &self.script, sequence: 0, witness }
    }
}

/// The elements of a witness, in each of which the lengths are below 253.
fn witness(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut elements = Vec::new();
    let Some((count, mut rest)) = bytes.split_first() else { return elements };
    for _ in 0..*count {
        let (length, after) = rest.split_first().expect("a length");
        assert!(*length < 0xfd);
        let (element, after) = after.split_at((*length).into());
        elements.push(element.to_vec());
        rest = after;
    }
    assert!(rest.is_empty());
    elements
}

/// Calls `check` with the inputs of a case, as the crate takes them.
fn with_inputs<T>(given: &Value, check: impl FnOnce(&[Given], Spending<'_>) -> T) -> T {
    let given: Vec<_> = list(&given["vin"]).iter().map(Given::read).collect();
    let inputs: Vec<_> = given.iter().map(Given::input).collect();
    let spent: Vec<_> = given.iter().map(|given| Output { value: 1, script: given.spent[..].into() }).collect();
    check(&given, Spending { inputs: &inputs, spent: &spent })
}

fn send(case: &Value, comment: &str) {
    let mut addresses = Vec::new();
    for recipient in list(&case["given"]["recipients"]) {
        let text = recipient["address"].as_str().expect("text");
        let address: Address = text.parse().expect("an address");
        assert_eq!(address.to_string(), text);
        let keys = ["scan_pub_key", "spend_pub_key"].map(|key| array(&recipient[key]));
        assert_eq!([address.scan().to_bytes(), address.spend().to_bytes()], keys, "{comment}");
        let count = recipient.get("count").and_then(Value::as_u64).unwrap_or(1);
        addresses.extend((0..count).map(|_| address));
    }
    let bulk = bulks().next().expect("a backend");
    let sent = with_inputs(&case["given"], |given, spending| {
        // An input counts if it has a tweak point by itself.
        let alone = |i: usize| Spending { inputs: &spending.inputs[i..=i], spent: &spending.spent[i..=i] };
        let alone: Vec<_> = (0..given.len()).map(alone).collect();
        let counts = tweaks(&bulk, &alone);
        let counting = given.iter().zip(&counts).filter(|(_, counts)| counts.is_ok());
        let keys: Vec<_> = counting
            .map(|(given, _)| SendingKey {
                key: given.key.as_ref().expect("a sender's key"),
                taproot: given.spent.starts_with(&[0x51, 32]),
            })
            .collect();
        let outpoints: Vec<_> = given.iter().map(|given| given.outpoint).collect();
        outputs(&keys, &outpoints, &addresses)
    });
    // One of the orders in which addresses may stand.
    let mut expected: Vec<Vec<[u8; 32]>> =
        list(&case["expected"]["outputs"]).iter().map(|set| list(set).iter().map(array).collect()).collect();
    expected.iter_mut().for_each(|set| set.sort_unstable());
    match sent {
        Ok(keys) => {
            let mut keys: Vec<_> = keys.iter().map(|key| key.to_bytes()).collect();
            keys.sort_unstable();
            assert!(!keys.is_empty() && expected.contains(&keys), "{comment}");
        }
        Err(error) => {
            assert!(expected.iter().all(Vec::is_empty), "{comment}: {error}");
            let known = [Error::NoEligibleInput, Error::ZeroSum, Error::TooManyOutputs];
            assert!(known.contains(&error), "{comment}: {error}");
        }
    }
}

fn receive(case: &Value, comment: &str) {
    let (given, expected) = (&case["given"], &case["expected"]);
    let [scan_secret, spend] = ["scan_priv_key", "spend_priv_key"].map(|key| secret(&given["key_material"][key]));
    let labels: Vec<u32> = list(&given["labels"])
        .iter()
        .map(|label| label.as_u64().and_then(|label| label.try_into().ok()).expect("a label"))
        .collect();
    let scanner = Scanner::new(&scan_secret, spend.public_key(), labels.iter().copied()).expect("good labels");
    let mut addresses = vec![scanner.address(true)];
    addresses.extend(labels.iter().map(|label| scanner.labelled_address(*label, true).expect("a good label")));
    let addresses: Vec<_> = addresses.iter().map(Address::to_string).collect();
    assert!(addresses.iter().eq(list(&expected["addresses"])), "{comment}");

    let keys: Vec<[u8; 32]> = list(&given["outputs"]).iter().map(array).collect();
    let prefixes: Vec<_> = keys.iter().map(|key| i64::from_be_bytes(key[..8].try_into().expect("eight"))).collect();
    for bulk in bulks() {
        let point = with_inputs(given, |_, spending| tweaks(&bulk, &[spending]).remove(0));
        match &expected["tweak"] {
            Value::Null => assert!(matches!(point, Err(Error::NoEligibleInput | Error::ZeroSum)), "{comment}"),
            tweak => assert_eq!(point.map(|point| point.to_bytes()), Ok(array(tweak)), "{comment}"),
        }
        let Ok(point) = point else { continue };
        for outputs in [Outputs::Keys(&keys), Outputs::Prefixes(&prefixes)] {
            let row = Row { tweak_point: &point.to_bytes(), outputs };
            let found = scan(&bulk, &[&scanner], &[row]).matches;
            for found in &found {
                let spending = spend.tweak_add(&found.tweak.to_bytes()).expect("a key");
                let pair = phalanx::Keypair::from_secret(spending);
                assert_eq!((pair.x_only().to_bytes(), found.key), (found.key, keys[found.output]), "{comment}");
                assert!(schnorr::verify(b"spent", &schnorr::sign(b"spent", &pair, &[0; 32]), &pair.x_only()).is_ok());
            }
            if let Some(count) = expected.get("n_outputs") {
                assert_eq!((Some(found.len() as u64), found.len()), (count.as_u64(), MAX_OUTPUTS as usize));
                continue;
            }
            let mut found: Vec<_> = found.iter().map(|found| (found.key, found.tweak.to_bytes())).collect();
            let output = |output: &Value| (array(&output["pub_key"]), array(&output["priv_key_tweak"]));
            let mut expected: Vec<([u8; 32], [u8; 32])> = list(&expected["outputs"]).iter().map(output).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{comment}, {}", bulk.backend());
        }
    }
}

/// Runs every case of a file.
fn check(text: &str, cases: usize) {
    let file: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(list(&file).len(), cases);
    for case in list(&file) {
        let comment = case["comment"].as_str().expect("text");
        list(&case["sending"]).iter().for_each(|case| send(case, comment));
        list(&case["receiving"]).iter().for_each(|case| receive(case, comment));
    }
    println!("BIP-352: {cases} of {cases} cases as published, sending and receiving");
}

#[test]
fn the_cases_that_ship_are_as_published() {
    check(include_str!("../../../../testkit/vectors/bip-0352.json"), 27);
}

#[test]
fn the_whole_file_is_as_published() {
    let path = "../../../shared/vectors/bip352/send_and_receive_test_vectors.json";
    match std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)) {
        Ok(text) => check(&text, 28),
        Err(_) => phalanx_tiers::skipped("BIP-352's file is not in ../shared/vectors", "28 cases of BIP-352"),
    }
}
