//! For callers of `alloy-consensus`: its decoded transactions and authorizations as what [`signers`](crate::signers)
//! takes, and a provider for its single recovery.
//!
//! ```
//! use alloy_consensus::{TxEnvelope, transaction::SignerRecoverable};
//! use phalanx::Bulk;
//! use phalanx_ethereum::{Fork, Rules, signers};
//!
//! fn senders(transactions: &[TxEnvelope]) -> Vec<Option<[u8; 20]>> {
//!     let found = signers(&Bulk::new(), transactions, Rules { fork: Fork::Prague, chain_id: None });
//!     found.into_iter().map(Result::ok).collect()
//! }
//! # assert!(senders(&[]).is_empty());
//! ```

use crate::address::{address, address_of};
use crate::authorization::Authorization;
use crate::error::SenderError;
use crate::rules::Rules;
use crate::senders::SenderRow;
use crate::signed::{Signed, checked};
use crate::transaction_type::TransactionType;
use alloy_consensus::crypto::RecoveryError;
use alloy_consensus::crypto::backend::CryptoProvider;
use alloy_consensus::transaction::RlpEcdsaEncodableTx;
use alloy_consensus::{EthereumTxEnvelope, SignableTransaction, Transaction};
use alloy_eips::eip7702::SignedAuthorization;
use alloy_primitives::{Address, Signature, U256};
use phalanx::ecdsa::{self, RecoverRow, SignatureRef};
use phalanx::{LowS, PublicKeyRef};

impl<T: RlpEcdsaEncodableTx + SignableTransaction<Signature>> Signed for EthereumTxEnvelope<T> {
    fn row(&self, rules: Rules) -> Result<SenderRow, SenderError> {
        let (kind, chain_id) = match self {
            EthereumTxEnvelope::Legacy(signed) => (TransactionType::Legacy, signed.tx().chain_id()),
            EthereumTxEnvelope::Eip2930(signed) => (TransactionType::AccessList, signed.tx().chain_id()),
            EthereumTxEnvelope::Eip1559(signed) => (TransactionType::FeeMarket, signed.tx().chain_id()),
            EthereumTxEnvelope::Eip4844(signed) => (TransactionType::Blob, signed.tx().chain_id()),
            EthereumTxEnvelope::Eip7702(signed) => (TransactionType::SetCode, signed.tx().chain_id()),
        };
        rules.check(kind, chain_id)?;
        let found = self.signature();
        let signature = compact(found.r(), found.s());
        let row = SenderRow { signing_hash: self.signature_hash().0, signature, odd_y: found.v() };
        checked(row, rules.fork.low_s())
    }
}

impl Signed for SignedAuthorization {
    fn row(&self, rules: Rules) -> Result<SenderRow, SenderError> {
        let authorization = Authorization {
            chain_id: self.inner().chain_id().to_be_bytes(),
            address: self.inner().address().0.0,
            nonce: self.inner().nonce(),
            signing_hash: self.inner().signature_hash().0,
            y_parity: self.y_parity(),
            signature: compact(self.r(), self.s()),
        };
        authorization.row(rules)
    }
}

/// r and s side by side.
fn compact(r: U256, s: U256) -> [u8; 64] {
    let mut compact = [0; 64];
    compact[..32].copy_from_slice(&r.to_be_bytes::<32>());
    compact[32..].copy_from_slice(&s.to_be_bytes::<32>());
    compact
}

/// Recovers and verifies for `alloy-consensus`, one signature a call, with the library's single calls.
///
/// ```
/// use std::sync::Arc;
/// use alloy_consensus::crypto::install_default_provider;
/// install_default_provider(Arc::new(phalanx_ethereum::alloy::PhalanxProvider)).expect("no other provider");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct PhalanxProvider;

impl CryptoProvider for PhalanxProvider {
    fn recover_signer_unchecked(&self, signature: &[u8; 65], message: &[u8; 32]) -> Result<Address, RecoveryError> {
        let row = RecoverRow {
            digest: message,
            signature: SignatureRef::Compact(&signature[..64]),
            recovery_id: signature[64],
        };
        // Why a signature is wrong is not told, which is the trait's rule.
        let key = ecdsa::recover_row(&row).map_err(|_| RecoveryError::new())?;
        Ok(Address::new(address(&key)))
    }

    fn verify_and_compute_signer_unchecked(
        &self,
        public_key: &[u8; 65],
        signature: &[u8; 64],
        message: &[u8; 32],
    ) -> Result<Address, RecoveryError> {
        let row = ecdsa::Row {
            digest: message,
            signature: SignatureRef::Compact(signature),
            public_key: PublicKeyRef::Encoded(public_key),
        };
        if !ecdsa::verify_row(&row, LowS::Allow).is_valid() {
            return Err(RecoveryError::new());
        }
        Ok(Address::new(address_of(public_key)))
    }
}
