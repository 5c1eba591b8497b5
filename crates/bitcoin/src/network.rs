//! The networks: how their files begin, and from where on which rules hold.

use std::fmt;
use std::str::FromStr;

use crate::block::Block;
use crate::flags::Flags;

/// The least version of a block that names its height.
const NAMING_VERSION: i32 = 2;
/// More than any height: that of 190 years.
const MAX_HEIGHT: u32 = 10_000_000;

/// A network of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// The one with bitcoins of value.
    Main,
    /// The third test network.
    Testnet3,
    /// The fourth test network.
    Testnet4,
    /// The default network whose blocks are signed.
    Signet,
    /// A network of one's own, for tests.
    Regtest,
}

/// The heights from which on rules hold that are not held from the start.
struct Heights {
    dersig: u32,
    lock_time: u32,
    sequence: u32,
    segwit: u32,
}

impl Network {
    /// Every network.
    pub const ALL: [Network; 5] =
        [Network::Main, Network::Testnet3, Network::Testnet4, Network::Signet, Network::Regtest];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Network::Main => "main",
            Network::Testnet3 => "test",
            Network::Testnet4 => "testnet4",
            Network::Signet => "signet",
            Network::Regtest => "regtest",
        }
    }

    /// The four bytes in front of each block in a file of blocks.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Network::Main => [0xf9, 0xbe, 0xb4, 0xd9],
            Network::Testnet3 => [0x0b, 0x11, 0x09, 0x07],
            Network::Testnet4 => [0x1c, 0x16, 0x3f, 0x28],
            Network::Signet => [0x0a, 0x03, 0xcf, 0x40],
            Network::Regtest => [0xfa, 0xbf, 0xb5, 0xda],
        }
    }

    /// Whether a hash, in the order in which the next block names it, is that of the network's first block.
    pub fn is_genesis(self, hash: &[u8; 32]) -> bool {
        let genesis = match self {
            Network::Main => "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
            Network::Testnet3 => "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
            Network::Testnet4 => "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
            Network::Signet => "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
            Network::Regtest => "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
        };
        crate::text::reversed_hex(hash) == genesis
    }

    /// The name of the network's folder in a node's data folder. The main network's files are in the data folder itself.
    pub(crate) const fn folder_name(self) -> Option<&'static str> {
        match self {
            Network::Main => None,
            Network::Testnet3 => Some("testnet3"),
            _ => Some(self.name()),
        }
    }

    const fn heights(self) -> Heights {
        match self {
            Network::Main => Heights { dersig: 363_725, lock_time: 388_381, sequence: 419_328, segwit: 481_824 },
            Network::Testnet3 => Heights { dersig: 330_776, lock_time: 581_885, sequence: 770_112, segwit: 834_624 },
            Network::Testnet4 | Network::Signet => Heights { dersig: 1, lock_time: 1, sequence: 1, segwit: 1 },
            Network::Regtest => Heights { dersig: 1, lock_time: 1, sequence: 1, segwit: 0 },
        }
    }

    /// The rules of consensus for the block of this height and hash, as Bitcoin Core 30 sets them. It holds all blocks
    /// to BIP-16, SegWit and Taproot, from the first on, but for three that came before and break them.
    pub fn flags(self, height: u32, hash: &[u8; 32]) -> Flags {
        let heights = self.heights();
        let mut flags = self.exception(hash).unwrap_or(Flags::P2SH | Flags::WITNESS | Flags::TAPROOT);
        for (from, rules) in [
            (heights.dersig, Flags::DERSIG),
            (heights.lock_time, Flags::CHECKLOCKTIMEVERIFY),
            (heights.sequence, Flags::CHECKSEQUENCEVERIFY),
            (heights.segwit, Flags::NULLDUMMY),
        ] {
            if height >= from {
                flags = flags | rules;
            }
        }
        flags
    }

    /// The height that a block names, if all blocks of such heights and such a version name theirs (BIP-34). Bytes at
    /// the front of an older coinbase may look like a height: no number above 10,000,000 is one.
    pub fn named_height(self, block: &Block<'_>) -> Option<u32> {
        let from = match self {
            Network::Main => 227_931,
            Network::Testnet3 => 21_111,
            _ => 1,
        };
        let named = block.named_height().filter(|_| block.header.version.cast_signed() >= NAMING_VERSION);
        named.filter(|height| (from..=MAX_HEIGHT).contains(height))
    }

    /// The easiest target of a block, in short form.
    pub(crate) const fn easiest(self) -> u32 {
        match self {
            Network::Main | Network::Testnet3 | Network::Testnet4 => 0x1d00_ffff,
            Network::Signet => 0x1e03_77ae,
            Network::Regtest => 0x207f_ffff,
        }
    }

    /// The rules of a block that breaks later ones.
    fn exception(self, hash: &[u8; 32]) -> Option<Flags> {
        let shown = crate::text::reversed_hex(hash);
        let found = match self {
            Network::Main => [
                ("00000000000002dc756eebf4f49723ed8d30cc28a5f108eb94b1ba88ac4f9c22", Flags::NONE),
                ("0000000000000000000f14c35b2d841e986ab5441de8c585d5ffe55ea1e395ad", Flags::P2SH | Flags::WITNESS),
            ]
            .into_iter()
            .find(|(other, _)| *other == shown),
            Network::Testnet3 => {
                let exception = ("00000000dd30457c001f4095d208cc1296b0eed002427aa599874af7a432b105", Flags::NONE);
                Some(exception).filter(|(other, _)| *other == shown)
            }
            _ => None,
        };
        found.map(|(_, flags)| flags)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(name: &str) -> Result<Network, String> {
        let found = Network::ALL.into_iter().find(|network| network.name() == name);
        found.ok_or_else(|| format!("there is no network {name:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::double_sha256;

    #[test]
    fn first_blocks_have_their_hashes() {
        // Merkle root, time, target and nonce, from Bitcoin Core's `chainparams.cpp`.
        let old = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
        let new = "7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e";
        let first: [(&str, u32, u32, u32); 5] = [
            (old, 1_231_006_505, 0x1d00_ffff, 2_083_236_893),
            (old, 1_296_688_602, 0x1d00_ffff, 414_098_458),
            (new, 1_714_777_860, 0x1d00_ffff, 393_743_547),
            (old, 1_598_918_400, 0x1e03_77ae, 52_613_770),
            (old, 1_296_688_602, 0x207f_ffff, 2),
        ];
        for (network, (root, time, bits, nonce)) in Network::ALL.into_iter().zip(first) {
            let mut root: [u8; 32] = const_hex::decode_to_array(root).expect("32 bytes");
            root.reverse();
            let numbers = [time, bits, nonce].map(u32::to_le_bytes).concat();
            let hash = double_sha256(&[&[1, 0, 0, 0][..], &[0; 32], &root, &numbers].concat());
            let networks = Network::ALL.into_iter().filter(|other| other.is_genesis(&hash));
            assert_eq!(networks.collect::<Vec<_>>(), [network]);
        }
    }
}
