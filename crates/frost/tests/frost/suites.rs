//! The Foundation's vectors of both suites: RFC 9591's protocol from a dealer to the signature.

use crate::{
    bulk,
    files::{array, bytes, foundation, list, number, shared, text},
    identifier, secret,
};
use phalanx::{PublicKey, Scalar, SecretKey};
use phalanx_frost::{Error, Identifier, Nonces, Session, Signature, Suite, dealer, repair};
use serde_json::Value;

const SUITES: [(Suite, &str); 2] = [(Suite::Rfc9591, "frost-secp256k1"), (Suite::Taproot, "frost-secp256k1-tr")];

/// One file from dealing to the signature.
fn run(suite: Suite, file: &Value) {
    let inputs = &file["inputs"];
    let coefficients: Vec<SecretKey> =
        list(&inputs["share_polynomial_coefficients"]).iter().map(|hex| secret(text(hex))).collect();
    let participants: Vec<Identifier> =
        list(&inputs["participant_shares"]).iter().map(|share| identifier(number(&share["identifier"]))).collect();
    assert_eq!(participants.len() as u64, number(&file["config"]["MAX_PARTICIPANTS"]));
    let group_secret = secret(text(&inputs["group_secret_key"]));
    let dealing = dealer::deal_with_coefficients(suite, &group_secret, &coefficients, &participants, &bulk());
    let dealing = dealing.expect("distinct participants");
    assert_eq!(dealing.group.key().to_bytes()[..], bytes(&inputs["verifying_key_key"]));
    for (printed, share) in list(&inputs["participant_shares"]).iter().zip(&dealing.shares) {
        assert_eq!(share.secret().to_bytes(), array(&printed["participant_share"]));
    }
    let message = bytes(&inputs["message"]);
    let outputs = |round: &str| list(&file[round]["outputs"]);
    let share_of = |output: &Value| &dealing.shares[number(&output["identifier"]) as usize - 1];
    let nonces: Vec<Nonces> = outputs("round_one_outputs")
        .iter()
        .map(|output| {
            let (hiding, binding) = (&output["hiding_nonce_randomness"], &output["binding_nonce_randomness"]);
            let nonces = Nonces::from_randomness(share_of(output), &array(hiding), &array(binding));
            let nonces = nonces.expect("nonces that are not zero");
            let printed = [bytes(&output["hiding_nonce_commitment"]), bytes(&output["binding_nonce_commitment"])];
            assert_eq!(nonces.commitments().to_bytes()[..], printed.concat());
            nonces
        })
        .collect();
    let participants = list(&inputs["participant_list"]).iter().map(|id| identifier(number(id)));
    let published: Vec<_> = participants.zip(nonces.iter().map(Nonces::commitments)).collect();
    let session = Session::new(&dealing.group, &published, &message, &bulk()).expect("signers of the group");
    let mut shares = Vec::new();
    for (output, nonces) in outputs("round_two_outputs").iter().zip(nonces) {
        let share = session.sign(nonces, share_of(output)).expect("a signer");
        assert_eq!(share.to_bytes(), array(&output["sig_share"]));
        shares.push((identifier(number(&output["identifier"])), share));
    }
    let signature = session.aggregate(&shares, &bulk()).expect("shares that hold");
    assert_eq!(signature.to_bytes(), bytes(&file["final_output"]["sig"]));
    assert_eq!(Signature::from_bytes(suite, &signature.to_bytes()), Ok(signature));
    assert_eq!(signature.verify(&message, &dealing.group.key()), Ok(()));
    assert_eq!(signature.verify(b"another", &dealing.group.key()), Err(Error::BadSignature));
    if let Some(bip340) = signature.to_bip340() {
        phalanx::schnorr::verify(&message, &bip340, &dealing.group.key().x_only().0).expect("a signature of BIP-340");
    }
}

#[test]
fn a_signature_is_that_of_the_vectors() {
    for (suite, package) in SUITES {
        run(suite, &foundation(package, "vectors.json"));
    }
}

#[test]
fn identifiers_of_two_bytes_are_sorted_and_hashed_as_numbers() {
    for (suite, package) in SUITES {
        run(suite, &foundation(package, "vectors-big-identifier.json"));
    }
}

#[test]
fn the_shared_vectors_are_those_of_the_packages() {
    for (suite, package) in SUITES {
        for name in ["vectors.json", "vectors-big-identifier.json"] {
            let Some(file) = shared(&format!("{package}/{name}")) else { return };
            run(suite, &file);
        }
        for name in ["vectors_dkg.json", "repair-share.json", "elements.json", "samples.json"] {
            let Some(file) = shared(&format!("{package}/{name}")) else { return };
            assert_eq!(file, foundation(package, name), "{package}: {name}");
        }
    }
}

#[test]
fn sums_of_a_repair_are_those_of_the_vectors() {
    for (_, package) in SUITES {
        let file = foundation(package, "repair-share.json");
        let deltas = &file["scalar_generation"];
        let deltas: Vec<repair::Delta> = (1..=3)
            .map(|i| repair::Delta::from_bytes(&bytes(&deltas[format!("random_scalar_{i}")])).expect("a scalar"))
            .collect();
        assert_eq!(repair::add(&deltas).to_bytes(), array(&file["scalar_generation"]["random_scalar_sum"]));
        // The last step answers a share of a group. A group of one has the sum as its only share.
        let sigmas: Vec<repair::Sigma> = (1..=4)
            .map(|i| {
                repair::Sigma::from_bytes(&bytes(&file["sigma_generation"][format!("sigma_{i}")])).expect("a scalar")
            })
            .collect();
        let sum = secret(text(&file["sigma_generation"]["sigma_sum"]));
        let only = dealer::deal(Suite::Rfc9591, 1, &sum, &[identifier(2)], &bulk()).expect("one participant");
        let share = repair::finish(&only.group, identifier(2), &sigmas).expect("the sum");
        assert_eq!(share.secret(), &sum);
    }
}

#[test]
fn elements_and_samples_are_read_as_they_are_meant() {
    for (suite, package) in SUITES {
        let elements = foundation(package, "elements.json");
        assert!(PublicKey::from_bytes(&bytes(&elements["elements"]["invalid_element"])).is_err());
        let samples = foundation(package, "samples.json");
        assert_eq!(Identifier::from_bytes(&array(&samples["identifier"])), Some(identifier(42)));
        let proof = bytes(&samples["proof_of_knowledge"]);
        assert_eq!(Signature::from_bytes(suite, &proof).expect("a proof").to_bytes(), proof);
        assert!(Scalar::from_bytes(&array::<32>(&samples["scalar1"])).is_ok());
    }
}
