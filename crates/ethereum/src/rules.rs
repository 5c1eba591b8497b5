//! By what rules signatures are judged.

use crate::error::SenderError;
use crate::fork::Fork;
use crate::transaction_type::TransactionType;

/// By what rules signatures are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The fork.
    pub fork: Fork,
    /// The chain id that a transaction must have, if it has one. `None`: any.
    pub chain_id: Option<u64>,
}

impl Rules {
    /// The rules for a block of Ethereum's main chain.
    pub const fn of_mainnet_block(number: u64) -> Rules {
        Rules { fork: Fork::of_mainnet_block(number), chain_id: Some(1) }
    }

    /// Fails unless the fork has the type, and the chain id, if there is one, is allowed.
    pub(crate) fn check(self, kind: TransactionType, chain_id: Option<u64>) -> Result<(), SenderError> {
        if self.fork < kind.since() {
            return Err(SenderError::TypeNotActive(kind as u8));
        }
        match (chain_id, self.chain_id) {
            // Before EIP-155 a v that holds a chain id was one more wrong v.
            (Some(_), _) if self.fork < Fork::SpuriousDragon => Err(SenderError::BadV),
            (Some(found), Some(expected)) if found != expected => Err(SenderError::OtherChain),
            _ => Ok(()),
        }
    }
}
