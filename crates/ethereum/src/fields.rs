//! Transactions made of their fields, as JSON and tables have them.

use crate::error::SenderError;
use crate::rlp::{put_list, put_number, put_string};
use crate::transaction::Transaction;
use crate::transaction_type::TransactionType;
use alloc::vec::Vec;
use phalanx::{SecretKey, ecdsa};

/// The fields of a transaction, as `eth_getBlockByNumber` names them. Those that a type does not have are not looked
/// at. Numbers of 32 bytes have the most significant byte first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct TransactionFields {
    pub kind: TransactionType,
    /// `None` is zero, except that signing a legacy transaction then leaves the chain id out. An encoded legacy
    /// transaction has its chain id in v.
    pub chain_id: Option<u64>,
    pub nonce: u64,
    pub gas_price: [u8; 32],
    pub max_priority_fee_per_gas: [u8; 32],
    pub max_fee_per_gas: [u8; 32],
    pub gas: u64,
    /// `None`: the transaction makes a contract.
    pub to: Option<[u8; 20]>,
    pub value: [u8; 32],
    pub input: Vec<u8>,
    /// Addresses, each with its storage keys.
    pub access_list: Vec<([u8; 20], Vec<[u8; 32]>)>,
    pub max_fee_per_blob_gas: [u8; 32],
    pub blob_versioned_hashes: Vec<[u8; 32]>,
    pub authorization_list: Vec<AuthorizationFields>,
    pub v: u128,
    pub r: [u8; 32],
    pub s: [u8; 32],
}

/// The fields of an authorization.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct AuthorizationFields {
    pub chain_id: [u8; 32],
    pub address: [u8; 20],
    pub nonce: u64,
    pub y_parity: u8,
    pub r: [u8; 32],
    pub s: [u8; 32],
}

impl TransactionFields {
    /// The bytes that [`Transaction::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256 + self.input.len());
        if self.kind != TransactionType::Legacy {
            out.push(self.kind as u8);
        }
        put_list(&mut out, |out| {
            self.put_unsigned(out);
            put_number(&self.v.to_be_bytes(), out);
            put_number(&self.r, out);
            put_number(&self.s, out);
        });
        out
    }

    /// The bytes of the transaction as a secret key signs it. The time depends on the transaction, not on the key.
    ///
    /// # Errors
    /// [`SenderError::Malformed`] if the type demands a receiver and there is none.
    ///
    /// ```
    /// use phalanx::{Bulk, SecretKey};
    /// use phalanx_ethereum::{Fork, Rules, Transaction, TransactionFields, address, signers};
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let raw = TransactionFields { chain_id: Some(5), nonce: 9, gas: 21_000, ..Default::default() }.sign(&secret)?;
    /// let rules = Rules { fork: Fork::SpuriousDragon, chain_id: Some(5) };
    /// let senders = signers(&Bulk::new(), &[Transaction::decode(&raw)?], rules);
    /// assert_eq!(senders, [Ok(address(&secret.public_key()))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign(&self, secret: &SecretKey) -> Result<Vec<u8>, SenderError> {
        let first_v = match (self.kind, self.chain_id) {
            (TransactionType::Legacy, Some(chain_id)) => 35 + 2 * u128::from(chain_id),
            (TransactionType::Legacy, None) => 27,
            _ => 0,
        };
        let unsigned = TransactionFields { v: first_v, ..self.clone() }.encode();
        let signing_hash = Transaction::decode(&unsigned)?.signing_hash();
        let (signature, id) = ecdsa::sign_recoverable(&signing_hash, secret);
        let (r, s) = (signature.r().to_bytes(), signature.s().to_bytes());
        Ok(TransactionFields { v: first_v + u128::from(id.to_u8() & 1), r, s, ..self.clone() }.encode())
    }

    /// Appends the fields before v, in the order of the type.
    fn put_unsigned(&self, out: &mut Vec<u8>) {
        let kind = self.kind;
        if kind != TransactionType::Legacy {
            put_number(&self.chain_id.unwrap_or(0).to_be_bytes(), out);
        }
        put_number(&self.nonce.to_be_bytes(), out);
        if kind < TransactionType::FeeMarket {
            put_number(&self.gas_price, out);
        } else {
            put_number(&self.max_priority_fee_per_gas, out);
            put_number(&self.max_fee_per_gas, out);
        }
        put_number(&self.gas.to_be_bytes(), out);
        put_string(self.to.as_ref().map_or(&[], |to| &to[..]), out);
        put_number(&self.value, out);
        put_string(&self.input, out);
        if kind != TransactionType::Legacy {
            put_list(out, |out| {
                for (address, keys) in &self.access_list {
                    put_list(out, |out| {
                        put_string(address, out);
                        put_list(out, |out| keys.iter().for_each(|key| put_string(key, out)));
                    });
                }
            });
        }
        match kind {
            TransactionType::Blob => {
                put_number(&self.max_fee_per_blob_gas, out);
                put_list(out, |out| self.blob_versioned_hashes.iter().for_each(|hash| put_string(hash, out)));
            }
            TransactionType::SetCode => put_list(out, |out| {
                self.authorization_list.iter().for_each(|authorization| authorization.put(out));
            }),
            _ => {}
        }
    }
}

impl AuthorizationFields {
    fn put(&self, out: &mut Vec<u8>) {
        put_list(out, |out| {
            put_number(&self.chain_id, out);
            put_string(&self.address, out);
            put_number(&self.nonce.to_be_bytes(), out);
            put_number(&[self.y_parity], out);
            put_number(&self.r, out);
            put_number(&self.s, out);
        });
    }
}
