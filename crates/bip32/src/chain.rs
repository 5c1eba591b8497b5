//! The networks, as far as keys and addresses differ.

use bech32::{Hrp, hrp};

/// A kind of network, by which addresses begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    /// The one with bitcoins of value.
    Main,
    /// The test networks, and Signet.
    Test,
    /// A network of one's own. Its extended keys are those of [`Chain::Test`].
    Regtest,
}

impl Chain {
    /// Every kind.
    pub const ALL: [Chain; 3] = [Chain::Main, Chain::Test, Chain::Regtest];

    /// What the addresses of hashes of keys begin with, and those of hashes of scripts.
    pub(crate) fn base58_prefixes(self) -> [u8; 2] {
        if self == Chain::Main { [0, 5] } else { [111, 196] }
    }

    /// What the addresses of SegWit begin with.
    pub(crate) fn hrp(self) -> Hrp {
        match self {
            Chain::Main => hrp::BC,
            Chain::Test => hrp::TB,
            Chain::Regtest => hrp::BCRT,
        }
    }
}
