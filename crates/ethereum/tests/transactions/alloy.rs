//! The feature `alloy`: decoded transactions in, and the provider against alloy's own recovery.

use crate::samples::{LATEST, authorization, fields, negated, secret, sender, with_high_s};
use alloy_consensus::crypto::backend::CryptoProvider;
use alloy_consensus::{EthereumTxEnvelope, Transaction as _, TxEip4844, TxEnvelope};
use alloy_eips::eip2718::Decodable2718;
use phalanx::{Bulk, Error, ecdsa};
use phalanx_ethereum::alloy::PhalanxProvider;
use phalanx_ethereum::{Fork, Rules, SenderError, Transaction, TransactionFields, TransactionType, address, signers};

#[test]
fn decoded_transactions_have_the_answers_of_their_bytes() {
    let mut raws: Vec<Vec<u8>> = TransactionType::ALL
        .map(|kind| TransactionFields { gas_price: [0; 32], max_fee_per_gas: [0; 32], ..fields(kind) })
        .map(|fields| fields.sign(&secret()).unwrap())
        .to_vec();
    let unprotected = TransactionFields { gas_price: [0; 32], chain_id: None, ..fields(TransactionType::Legacy) };
    let raw = unprotected.sign(&secret()).unwrap();
    let v = 27 + 28 - u128::from(raw[raw.len() - 67]);
    raws.push(TransactionFields { v, ..with_high_s(&raw, unprotected) }.encode());
    raws.push(raw);
    let decoded = raws.iter().map(|raw| TxEnvelope::decode_2718_exact(raw).unwrap()).collect::<Vec<_>>();
    let without_sidecars: Vec<EthereumTxEnvelope<TxEip4844>> =
        raws.iter().map(|raw| EthereumTxEnvelope::decode_2718_exact(raw).unwrap()).collect();
    for fork in Fork::ALL {
        for chain_id in [None, Some(5), Some(6)] {
            let rules = Rules { fork, chain_id };
            let expected: Vec<_> = raws.iter().map(|raw| sender(raw, rules)).collect();
            assert_eq!(signers(&Bulk::new(), &decoded, rules), expected);
            assert_eq!(signers(&Bulk::new(), &without_sidecars, rules), expected);
        }
    }
    assert_eq!(sender(&raws[5], LATEST), Err(SenderError::Signature(Error::HighS)));
}

#[test]
fn decoded_authorizations_have_the_answers_of_their_bytes() {
    let mut wrong = authorization(5, 1);
    wrong.y_parity = 27;
    let mut high = authorization(5, 2);
    (high.s, high.y_parity) = (negated(high.s), 1 - high.y_parity);
    let list = vec![authorization(5, 0), authorization(0, u64::MAX), authorization(6, 3), wrong, high];
    let fields =
        TransactionFields { max_fee_per_gas: [0; 32], authorization_list: list, ..fields(TransactionType::SetCode) };
    let raw = fields.sign(&secret()).unwrap();
    let ours: Vec<_> = Transaction::decode(&raw).unwrap().authorizations().collect();
    let decoded = TxEnvelope::decode_2718_exact(&raw).unwrap();
    let theirs = decoded.authorization_list().unwrap();
    for chain_id in [None, Some(5), Some(7)] {
        let rules = Rules { chain_id, ..LATEST };
        let expected = signers(&Bulk::new(), &ours, rules);
        assert_eq!(signers(&Bulk::new(), theirs, rules), expected);
        assert_eq!(expected[0].is_ok(), chain_id != Some(7));
        assert!(expected[1].is_err() && expected[3].is_err() && expected[4].is_err());
    }
}

#[test]
fn the_provider_recovers_and_verifies() {
    let key = secret().public_key();
    for number in 0..64u8 {
        let message = [number; 32];
        let (signature, id) = ecdsa::sign_recoverable(&message, &secret());
        let compact = signature.to_compact();
        let mut with_id = [0; 65];
        with_id[..64].copy_from_slice(&compact);
        with_id[64] = id.to_u8();
        let found = PhalanxProvider.recover_signer_unchecked(&with_id, &message).unwrap();
        assert_eq!(found.0.0, address(&key));
        let key = key.to_bytes_uncompressed();
        let verified = PhalanxProvider.verify_and_compute_signer_unchecked(&key, &compact, &message).unwrap();
        assert_eq!(verified, found);
        assert!(PhalanxProvider.verify_and_compute_signer_unchecked(&key, &compact, &[0xff; 32]).is_err());
        for wrong in [27, 28, 255] {
            with_id[64] = wrong;
            assert!(PhalanxProvider.recover_signer_unchecked(&with_id, &message).is_err());
        }
    }
    assert!(PhalanxProvider.recover_signer_unchecked(&[0; 65], &[1; 32]).is_err());
    // Both of the trait's functions leave a high s alone.
    let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret());
    let mut high = [0; 65];
    high[..32].copy_from_slice(&signature.r().to_bytes());
    high[32..64].copy_from_slice(&negated(signature.s().to_bytes()));
    high[64] = 1 - id.to_u8();
    assert!(PhalanxProvider.recover_signer_unchecked(&high, &[1; 32]).is_ok());
    let compact = high[..64].try_into().unwrap();
    let key = key.to_bytes_uncompressed();
    assert!(PhalanxProvider.verify_and_compute_signer_unchecked(&key, compact, &[1; 32]).is_ok());
}
