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

/// The versions of extended keys of the main network: public, and secret.
const MAIN: [[u8; 4]; 2] = [[0x04, 0x88, 0xb2, 0x1e], [0x04, 0x88, 0xad, 0xe4]];
/// The same of the others.
const TEST: [[u8; 4]; 2] = [[0x04, 0x35, 0x87, 0xcf], [0x04, 0x35, 0x83, 0x94]];

impl Chain {
    /// Every kind.
    pub const ALL: [Chain; 3] = [Chain::Main, Chain::Test, Chain::Regtest];

    /// The first four bytes of an extended key.
    pub(crate) fn version(self, secret: bool) -> [u8; 4] {
        let versions = if self == Chain::Main { MAIN } else { TEST };
        versions[usize::from(secret)]
    }

    /// The chain of a version, and whether it is that of secret keys.
    pub(crate) fn of_version(version: &[u8]) -> Option<(Chain, bool)> {
        let both = [Chain::Main, Chain::Test].into_iter().flat_map(|chain| [(chain, false), (chain, true)]);
        both.into_iter().find(|(chain, secret)| chain.version(*secret) == version)
    }

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
