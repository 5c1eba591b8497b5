//! Authorizations of set-code transactions (EIP-7702).

use crate::address::keccak256_of;
use crate::error::{Fault, SenderError};
use crate::rlp::{Reader, list_header, malformed};
use crate::rules::Rules;
use crate::senders::SenderRow;
use crate::signed::{Signed, checked};
use phalanx::LowS;

const NAME: &str = "authorization_list";

/// What stands in front of a signed authorization.
const MAGIC: u8 = 5;

/// An authorization: its signer, the *authority*, lets an address's code stand for its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authorization {
    pub(crate) chain_id: [u8; 32],
    pub(crate) address: [u8; 20],
    pub(crate) nonce: u64,
    pub(crate) signing_hash: [u8; 32],
    pub(crate) y_parity: u8,
    pub(crate) signature: [u8; 64],
}

impl Authorization {
    /// Reads the next one of a list.
    pub(crate) fn read(list: &mut Reader<'_>) -> Result<Authorization, SenderError> {
        let fields = list.list(NAME)?;
        let mut reader = fields;
        let chain_id = reader.number(NAME)?;
        let address = reader.fixed(NAME)?;
        let nonce = reader.number64(NAME)?;
        let unsigned = &fields.rest()[..fields.rest().len() - reader.rest().len()];
        let y_parity = u8::try_from(reader.number64(NAME)?).map_err(|_| malformed(NAME, Fault::TooLarge))?;
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&reader.number(NAME)?);
        signature[32..].copy_from_slice(&reader.number(NAME)?);
        reader.finish(NAME)?;
        let signing_hash = keccak256_of(&[&[MAGIC], &list_header(unsigned.len()), unsigned]);
        Ok(Authorization { chain_id, address, nonce, signing_hash, y_parity, signature })
    }

    /// The chain id, most significant byte first. Zero: every chain.
    pub fn chain_id(&self) -> [u8; 32] {
        self.chain_id
    }

    /// The address whose code is meant.
    pub fn address(&self) -> [u8; 20] {
        self.address
    }

    /// The nonce that the authority must have.
    pub fn nonce(&self) -> u64 {
        self.nonce
    }

    /// The hash that was signed.
    pub fn signing_hash(&self) -> [u8; 32] {
        self.signing_hash
    }
}

impl Signed for Authorization {
    /// By the rules of EIP-7702, whatever the fork: the chain id is zero or the chain's, the nonce below 2^64 - 1, the
    /// parity 0 or 1, and s at most half the group order.
    fn row(&self, rules: Rules) -> Result<SenderRow, SenderError> {
        let (high, low) = self.chain_id.split_at(24);
        let here = |chain: u64| high.iter().all(|byte| *byte == 0) && *low == chain.to_be_bytes();
        if !here(0) && rules.chain_id.is_some_and(|chain| !here(chain)) {
            return Err(SenderError::OtherChain);
        }
        if self.nonce == u64::MAX {
            return Err(SenderError::NonceTooLarge);
        }
        if self.y_parity > 1 {
            return Err(SenderError::BadV);
        }
        let row = SenderRow { signing_hash: self.signing_hash, signature: self.signature, odd_y: self.y_parity == 1 };
        checked(row, LowS::Require)
    }
}

/// Fails unless a list holds authorizations alone.
pub(crate) fn check(mut list: Reader<'_>) -> Result<(), SenderError> {
    while !list.is_empty() {
        Authorization::read(&mut list)?;
    }
    Ok(())
}
