//! Alloy's decoder, with recovery by k256, is asked about the same bytes: random transactions of all types, whole and
//! changed. Both find the same sender, or both refuse.

use crate::samples::LATEST;
use alloy_consensus::transaction::SignerRecoverable;
use alloy_consensus::{EthereumTxEnvelope, Transaction as _, TxEip4844, Typed2718};
use alloy_eips::eip2718::Decodable2718;
use phalanx::{Bulk, SecretKey};
use phalanx_ethereum::{AuthorizationFields, SenderError, Transaction, TransactionFields, TransactionType, signers};
use proptest::prelude::*;

type Envelope = EthereumTxEnvelope<TxEip4844>;

/// A number of 32 bytes whose high bytes are zero, so that alloy's types of 128 bits hold it.
fn number(most: usize) -> impl Strategy<Value = [u8; 32]> {
    (any::<[u8; 32]>(), 0..=most).prop_map(|(mut number, bytes)| {
        number[..32 - bytes].fill(0);
        number
    })
}

fn authorizations() -> impl Strategy<Value = AuthorizationFields> {
    let any = (number(32), any::<[u8; 20]>(), any::<u64>(), 0..4u8, number(32), number(32));
    any.prop_map(|(chain_id, address, nonce, y_parity, r, s)| AuthorizationFields {
        chain_id,
        address,
        nonce,
        y_parity,
        r,
        s,
    })
}

fn transactions() -> impl Strategy<Value = TransactionFields> {
    let numbers = (any::<Option<u64>>(), any::<u64>(), any::<u64>(), number(16), number(16), number(16));
    let lists = (
        prop::collection::vec((any::<[u8; 20]>(), prop::collection::vec(any::<[u8; 32]>(), 0..3)), 0..3),
        prop::collection::vec(any::<[u8; 32]>(), 0..3),
        prop::collection::vec(authorizations(), 0..3),
    );
    let rest = (0..5usize, any::<Option<[u8; 20]>>(), number(32), prop::collection::vec(any::<u8>(), 0..80));
    (numbers, lists, rest).prop_map(|((chain_id, nonce, gas, price, priority, fee), lists, rest)| {
        let (kind, to, value, input) = rest;
        let kind = TransactionType::ALL[kind];
        TransactionFields {
            kind,
            chain_id,
            nonce,
            gas_price: price,
            max_priority_fee_per_gas: priority,
            max_fee_per_gas: fee,
            gas,
            to: if kind < TransactionType::Blob { to } else { Some(to.unwrap_or_default()) },
            value,
            input,
            access_list: lists.0,
            max_fee_per_blob_gas: price,
            blob_versioned_hashes: lists.1,
            authorization_list: lists.2,
            ..TransactionFields::default()
        }
    })
}

/// What alloy says of some bytes: the sender, or nothing.
fn judge(raw: &[u8]) -> Option<[u8; 20]> {
    let decoded = Envelope::decode_2718_exact(raw).ok()?;
    decoded.recover_signer().ok().map(|address| address.0.0)
}

fn ours(raw: &[u8]) -> Result<[u8; 20], SenderError> {
    signers(&Bulk::builder().threads(1).build().unwrap(), &[Transaction::decode(raw)?], LATEST)[0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(phalanx_tiers::size(300, 20_000)))]

    #[test]
    fn the_same_sender_hash_and_authorities(fields in transactions(), secret in any::<[u8; 32]>()) {
        let Ok(secret) = SecretKey::from_bytes(&secret) else { return Ok(()) };
        let raw = fields.sign(&secret).unwrap();
        let decoded = Envelope::decode_2718_exact(&raw).expect("alloy reads what was signed here");
        let transaction = Transaction::decode(&raw).unwrap();
        prop_assert_eq!(transaction.kind() as u8, decoded.ty());
        prop_assert_eq!(transaction.chain_id(), decoded.chain_id());
        prop_assert_eq!(transaction.hash(), decoded.tx_hash().0);
        prop_assert_eq!(transaction.signing_hash(), decoded.signature_hash().0);
        prop_assert_eq!(ours(&raw).ok(), judge(&raw));
        prop_assert!(ours(&raw).is_ok());
        let authorizations: Vec<_> = transaction.authorizations().collect();
        let theirs = decoded.authorization_list().unwrap_or_default();
        prop_assert_eq!(authorizations.len(), theirs.len());
        let found = signers(&Bulk::builder().threads(1).build().unwrap(), &authorizations, LATEST);
        for (found, theirs) in found.into_iter().zip(theirs) {
            prop_assert_eq!(found.ok(), theirs.recover_authority().ok().map(|address| address.0.0));
        }
    }

    #[test]
    fn the_same_signatures_are_refused(
        mut fields in transactions(), v in 0..40u128, r in number(32), s in number(32), high in any::<bool>(),
    ) {
        (fields.v, fields.r, fields.s) = (v, r, s);
        if high {
            fields.s[0] |= 0x80;
        }
        prop_assert_eq!(ours(&fields.encode()).ok(), judge(&fields.encode()));
    }

    #[test]
    fn the_same_bytes_are_refused(
        mut fields in transactions(), secret in any::<[u8; 32]>(), place in any::<prop::sample::Index>(), byte in any::<u8>(),
        kind in 0..3,
    ) {
        let Ok(secret) = SecretKey::from_bytes(&secret) else { return Ok(()) };
        // Alloy's fees have 128 bits, and clients take 256: no change makes one of these so long.
        for fee in [&mut fields.gas_price, &mut fields.max_priority_fee_per_gas, &mut fields.max_fee_per_gas] {
            fee[..24].fill(0);
        }
        fields.max_fee_per_blob_gas[..24].fill(0);
        let mut raw = fields.sign(&secret).unwrap();
        let place = place.index(raw.len());
        match kind {
            0 => raw[place] = byte,
            1 => raw.insert(place, byte),
            _ => drop(raw.remove(place)),
        }
        prop_assert_eq!(ours(&raw).ok(), judge(&raw), "{:02x?}", raw);
    }
}
