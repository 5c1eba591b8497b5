//! What the first four bytes of an extended key say: BIP-32's versions, and those of SLIP-132.

use crate::{Chain, ScriptKind};

/// The scripts that a version names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// None in particular: BIP-32.
    Any,
    /// Those of one key, of this kind.
    OneKey(ScriptKind),
    /// Those of several keys.
    SeveralKeys,
}

/// The meaning of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) chain: Chain,
    pub(crate) secret: bool,
    pub(crate) purpose: Purpose,
}

/// Network, purpose, and the versions of public and secret keys, with the letters that their text begins with.
const VERSIONS: [(Chain, Purpose, [u32; 2]); 10] = [
    (Chain::Main, Purpose::Any, [0x0488_b21e, 0x0488_ade4]), // xpub, xprv
    (Chain::Test, Purpose::Any, [0x0435_87cf, 0x0435_8394]), // tpub, tprv
    (Chain::Main, Purpose::OneKey(ScriptKind::P2shP2wpkh), [0x049d_7cb2, 0x049d_7878]), // ypub, yprv
    (Chain::Main, Purpose::OneKey(ScriptKind::P2wpkh), [0x04b2_4746, 0x04b2_430c]), // zpub, zprv
    (Chain::Test, Purpose::OneKey(ScriptKind::P2shP2wpkh), [0x044a_5262, 0x044a_4e28]), // upub, uprv
    (Chain::Test, Purpose::OneKey(ScriptKind::P2wpkh), [0x045f_1cf6, 0x045f_18bc]), // vpub, vprv
    (Chain::Main, Purpose::SeveralKeys, [0x0295_b43f, 0x0295_b005]), // Ypub, Yprv
    (Chain::Main, Purpose::SeveralKeys, [0x02aa_7ed3, 0x02aa_7a99]), // Zpub, Zprv
    (Chain::Test, Purpose::SeveralKeys, [0x0242_89ef, 0x0242_85b5]), // Upub, Uprv
    (Chain::Test, Purpose::SeveralKeys, [0x0257_5483, 0x0257_5048]), // Vpub, Vprv
];

impl Version {
    /// Reads the first four bytes of an extended key.
    pub(crate) fn of([a, b, c, d, ..]: &[u8; crate::text::BYTES]) -> Option<Version> {
        let number = u32::from_be_bytes([*a, *b, *c, *d]);
        VERSIONS.iter().find_map(|&(chain, purpose, versions)| {
            let secret = versions.iter().position(|version| *version == number)? == 1;
            Some(Version { chain, secret, purpose })
        })
    }

    /// The first four bytes of an extended key as BIP-32 has it.
    pub(crate) fn of_bip32(chain: Chain, secret: bool) -> [u8; 4] {
        let [main, test, ..] = VERSIONS;
        let (_, _, versions) = if chain == Chain::Main { main } else { test };
        versions[usize::from(secret)].to_be_bytes()
    }
}
