//! Transactions that the tests make, and what they ask of them.

use phalanx::{Bulk, SecretKey, ecdsa};
use phalanx_ethereum::{
    AuthorizationFields, Fork, Rules, SenderError, Transaction, TransactionFields, TransactionType, signers,
};

pub(crate) const LATEST: Rules = Rules { fork: Fork::Prague, chain_id: None };

pub(crate) fn secret() -> SecretKey {
    SecretKey::from_bytes(&[0x46; 32]).unwrap()
}

/// The sender of a transaction, or why there is none.
pub(crate) fn sender(raw: &[u8], rules: Rules) -> Result<[u8; 20], SenderError> {
    signers(&Bulk::new(), &[Transaction::decode(raw)?], rules)[0]
}

/// Fields of a transaction of each type that are all there: the chain id is 5.
pub(crate) fn fields(kind: TransactionType) -> TransactionFields {
    let mut value = [0; 32];
    value[29..].copy_from_slice(&[1, 0, 0]);
    TransactionFields {
        kind,
        chain_id: Some(5),
        nonce: 0x1234,
        gas_price: [0xff; 32],
        max_priority_fee_per_gas: value,
        max_fee_per_gas: [0x80; 32],
        gas: u64::MAX,
        to: Some([0x11; 20]),
        value,
        input: vec![0x7f; 300],
        access_list: vec![([0x22; 20], vec![]), ([0; 20], vec![[0; 32], [0x33; 32]])],
        max_fee_per_blob_gas: value,
        blob_versioned_hashes: vec![[1; 32]; 3],
        authorization_list: vec![authorization(5, 0), authorization(0, 7)],
        ..TransactionFields::default()
    }
}

/// An authorization signed by [`secret`].
pub(crate) fn authorization(chain_id: u8, nonce: u64) -> AuthorizationFields {
    let mut fields = AuthorizationFields { address: [0x44; 20], nonce, ..AuthorizationFields::default() };
    fields.chain_id[31] = chain_id;
    let carrier = TransactionFields {
        kind: TransactionType::SetCode,
        to: Some([0; 20]),
        authorization_list: vec![fields.clone()],
        ..TransactionFields::default()
    };
    let raw = carrier.encode();
    let digest = Transaction::decode(&raw).unwrap().authorizations().next().unwrap().signing_hash();
    let (signature, id) = ecdsa::sign_recoverable(&digest, &secret());
    AuthorizationFields { y_parity: id.to_u8(), r: signature.r().to_bytes(), s: signature.s().to_bytes(), ..fields }
}

/// The group order less a number.
pub(crate) fn negated(s: [u8; 32]) -> [u8; 32] {
    (-phalanx::Scalar::from_bytes(&s).unwrap()).to_bytes()
}

/// A transaction's other form: n - s, and the other parity.
pub(crate) fn with_high_s(raw: &[u8], mut fields: TransactionFields) -> TransactionFields {
    let end = raw.len();
    fields.r = raw[end - 65..end - 33].try_into().unwrap();
    fields.s = negated(raw[end - 32..].try_into().unwrap());
    fields
}
