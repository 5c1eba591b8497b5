//! Sessions in which some signers are libsecp256k1's.

use super::{nonce, signer};
use crate::{AggregateNonce, KeyAggregation, PartialSignature, PublicNonce, Session};
use phalanx::{Keypair, hash::sha256};
use phalanx_tiers::size;
use secp256k1::{
    self as oracle,
    musig::{AggregatedNonce, KeyAggCache, SessionSecretRand},
};
use std::vec::Vec;

fn their_key(signer: &Keypair) -> oracle::PublicKey {
    oracle::PublicKey::from_slice(&signer.public_key().to_bytes()).unwrap()
}

#[test]
fn sessions_of_both_libraries() {
    for number in 0usize..size(12, 300) {
        let count = 1 + number % 5;
        let message = sha256(&number.to_le_bytes());
        let signers: Vec<Keypair> = (0..count).map(|i| signer(number + i)).collect();
        let mut keys = KeyAggregation::new(&signers.iter().map(Keypair::public_key).collect::<Vec<_>>()).unwrap();
        let their_keys: Vec<oracle::PublicKey> = signers.iter().map(their_key).collect();
        let mut cache = KeyAggCache::new(&their_keys.iter().collect::<Vec<_>>());
        for bit in 0..number % 4 {
            let tweak = sha256(&[bit as u8]);
            let their_tweak = oracle::Scalar::from_be_bytes(tweak).unwrap();
            if bit % 2 == number % 2 {
                keys = keys.tweak_add(&tweak).unwrap();
                cache.pubkey_ec_tweak_add(&their_tweak).unwrap();
            } else {
                keys = keys.tweak_add_x_only(&tweak).unwrap();
                cache.pubkey_xonly_tweak_add(&their_tweak).unwrap();
            }
        }
        assert_eq!(keys.public_key().to_bytes(), cache.agg_pk_full().serialize());

        // Every other signer is theirs.
        let is_theirs = |i: usize| (i + number).is_multiple_of(2);
        let theirs: Vec<_> = (0..count)
            .map(|i| {
                let randomness = SessionSecretRand::assume_uniformly_random(sha256(&[number as u8, i as u8]));
                cache.nonce_gen_with_uniform_randomness(randomness, their_keys[i], &message, [7; 32])
            })
            .collect();
        let ours: Vec<_> = signers.iter().map(nonce).collect();
        let nonces: Vec<PublicNonce> = (0..count)
            .map(|i| if is_theirs(i) { PublicNonce::from_bytes(&theirs[i].1.serialize()).unwrap() } else { ours[i].1 })
            .collect();
        let sum = AggregateNonce::sum(&nonces);
        let session = Session::new(&keys, &sum, &message);
        let their_nonces: Vec<_> = nonces
            .iter()
            .map(|nonce| oracle::musig::PublicNonce::from_byte_array(&nonce.to_bytes()).unwrap())
            .collect();
        let their_sum = AggregatedNonce::new(&their_nonces.iter().collect::<Vec<_>>());
        assert_eq!(their_sum.serialize(), sum.to_bytes());
        let their_session = oracle::musig::Session::new(&cache, their_sum, &message);
        let both = ours.into_iter().zip(theirs).enumerate();
        let partials: Vec<PartialSignature> = both
            .map(|(i, ((ours, _), (theirs, _)))| {
                if !is_theirs(i) {
                    return session.sign(ours, &signers[i]).unwrap();
                }
                let bytes = signers[i].secret_key().to_bytes();
                let keypair = oracle::Keypair::from_secret_bytes(bytes).unwrap();
                let partial = their_session.partial_sign(theirs, &keypair, &cache);
                PartialSignature::from_bytes(&partial.serialize()).unwrap()
            })
            .collect();
        for (i, partial) in partials.iter().enumerate() {
            let partial = oracle::musig::PartialSignature::from_byte_array(&partial.to_bytes()).unwrap();
            assert!(their_session.partial_verify(&cache, &partial, &their_nonces[i], their_keys[i]), "{number} {i}");
        }
        let signature = session.aggregate_checked(&nonces, &partials).unwrap();
        let key = oracle::XOnlyPublicKey::from_byte_array(keys.x_only().to_bytes()).unwrap();
        let signature = oracle::schnorr::Signature::from_byte_array(signature.to_bytes());
        assert!(oracle::schnorr::verify(&signature, &message, &key).is_ok());
    }
}
