//! The published vectors of BIP-340 and BIP-341, over every surface.

use phalanx::hash::TaggedHash;
use phalanx::{Error, Keypair, SecretKey, Verdict, XOnlyKeyRef, XOnlyPublicKey, schnorr};
use phalanx_testkit::bips::{self, Word};
use phalanx_testkit::surface::{surfaces, verifiers};

#[test]
fn bip340_signatures_verify_as_the_bip_says() {
    let vectors = bips::bip340();
    assert_eq!(vectors.len(), 19);
    let rows: Vec<_> = vectors
        .iter()
        .map(|vector| schnorr::Row {
            message: &vector.message,
            signature: &vector.signature,
            public_key: XOnlyKeyRef::Encoded(&vector.public_key),
        })
        .collect();
    for surface in verifiers() {
        let verdicts = surface.verify_schnorr(&rows);
        assert_eq!(verdicts.len(), 19);
        for (vector, verdict) in vectors.iter().zip(&verdicts) {
            assert_eq!(verdict.is_valid(), vector.valid, "#{} {}: {verdict:?}", vector.index, vector.comment);
        }
        // The class that each comment names.
        let reasons = [5, 11, 12, 13, 14].map(|index| verdicts[index]);
        let (key, range) = (Verdict::BadPublicKey, Verdict::OutOfRange);
        assert_eq!(reasons, [key, Verdict::InvalidSignature, range, range, key]);
        println!("BIP-340: 19 of 19 vectors verified as published, {}", surface.name());
    }
}

#[test]
fn bip340_signing_gives_the_signatures_of_the_bip() {
    let vectors: Vec<_> = bips::bip340().into_iter().filter(|vector| vector.signing.is_some()).collect();
    assert_eq!(vectors.len(), 8);
    let messages: Vec<&[u8]> = vectors.iter().map(|vector| &vector.message[..]).collect();
    let (secrets, aux): (Vec<_>, Vec<_>) = vectors.iter().filter_map(|vector| vector.signing).unzip();
    let pairs: Vec<_> = secrets.iter().map(pair).collect();
    for (pair, vector) in pairs.iter().zip(&vectors) {
        assert_eq!(pair.x_only().to_bytes()[..], vector.public_key, "#{}", vector.index);
    }
    for (((message, pair), aux), vector) in messages.iter().zip(&pairs).zip(&aux).zip(&vectors) {
        let checked = schnorr::sign_checked(message, pair, aux).expect("a correct computation passes its check");
        assert_eq!(checked.to_bytes()[..], vector.signature, "#{}, checked", vector.index);
    }
    for surface in surfaces() {
        let signatures = surface.sign_schnorr(&messages, &pairs, &aux);
        assert_eq!(signatures.len(), 8);
        for (vector, signature) in vectors.iter().zip(signatures) {
            assert_eq!(signature.to_bytes()[..], vector.signature, "#{}, {}", vector.index, surface.name());
        }
        println!("BIP-340: 8 of 8 signatures as published, {}", surface.name());
    }
}

#[test]
fn bip341_output_keys_are_those_of_the_bip() {
    let vectors = bips::bip341();
    assert_eq!(vectors.tweaks.len(), 7);
    for vector in &vectors.tweaks {
        let internal = x_only(vector.internal_pubkey);
        let root = vector.merkle_root.map(|root| root.0);
        assert_eq!(tap_tweak(vector.internal_pubkey, root), vector.tweak.0);
        let tweaked = internal.taproot_tweak(root.as_ref()).expect("the BIP's tweaks are good");
        assert_eq!(tweaked.0.to_bytes(), vector.tweaked_pubkey.0);
        assert!(vector.parity.is_none_or(|parity| (parity == 1) == tweaked.1));
        assert_eq!(internal.tweak_add(&vector.tweak.0), Ok(tweaked));
    }
    let keys: Vec<_> = vectors.tweaks.iter().map(|vector| x_only(vector.internal_pubkey).public_key()).collect();
    let tweaks: Vec<_> = vectors.tweaks.iter().map(|vector| vector.tweak.0).collect();
    for surface in surfaces() {
        for (vector, tweaked) in vectors.tweaks.iter().zip(surface.tweak_add_public(&keys, &tweaks)) {
            let (x_only, odd) = tweaked.expect("the BIP's tweaks are good").x_only();
            assert_eq!(x_only.to_bytes(), vector.tweaked_pubkey.0, "{}", surface.name());
            assert!(vector.parity.is_none_or(|parity| (parity == 1) == odd));
        }
        println!("BIP-341: 7 of 7 output keys as published, {}", surface.name());
    }
}

#[test]
fn bip341_inputs_are_signed_as_in_the_bip() {
    let vectors = bips::bip341();
    assert_eq!(vectors.spends.len(), 7);
    let tweaked: Vec<Keypair> = vectors
        .spends
        .iter()
        .map(|vector| {
            let internal = pair(&vector.internal_privkey.0);
            assert_eq!(internal.x_only().to_bytes(), vector.internal_pubkey.0);
            let root = vector.merkle_root.map(|root| root.0);
            assert_eq!(tap_tweak(vector.internal_pubkey, root), vector.tweak.0);
            assert_eq!(TaggedHash::new(b"TapSighash").hash(&[&vector.sig_msg]), vector.sig_hash.0);
            let tweaked = internal.taproot_tweak(root.as_ref()).expect("the BIP's tweaks are good");
            assert_eq!(tweaked.secret_key().to_bytes(), vector.tweaked_privkey.0);
            tweaked
        })
        .collect();
    let messages: Vec<&[u8]> = vectors.spends.iter().map(|vector| &vector.sig_hash.0[..]).collect();
    for surface in surfaces() {
        let signatures = surface.sign_schnorr(&messages, &tweaked, &[[0; 32]; 7]);
        assert_eq!(signatures.len(), 7);
        for (vector, signature) in vectors.spends.iter().zip(signatures) {
            assert_eq!(signature.to_bytes()[..], vector.witness[..64], "{}", surface.name());
        }
        println!("BIP-341: 7 of 7 signatures as published, {}", surface.name());
    }
}

#[test]
fn bip341_tweaks_outside_the_group_order_are_refused() {
    let internal = x_only(bips::bip341().tweaks[0].internal_pubkey);
    assert_eq!(internal.tweak_add(&[0xff; 32]), Err(Error::BadTweak));
}

fn x_only(word: Word) -> XOnlyPublicKey {
    XOnlyPublicKey::from_bytes(&word.0).expect("the BIP's keys are good")
}

fn pair(secret: &[u8; 32]) -> Keypair {
    Keypair::from_secret(SecretKey::from_bytes(secret).expect("the BIP's secret keys are good"))
}

/// The tweak of BIP-341.
fn tap_tweak(internal: Word, merkle_root: Option<[u8; 32]>) -> [u8; 32] {
    TaggedHash::new(b"TapTweak").hash(&[&internal.0, merkle_root.as_ref().map_or(&[], |root| &root[..])])
}
