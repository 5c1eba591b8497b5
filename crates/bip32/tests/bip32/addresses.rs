//! The addresses of BIP-44, 49, 84 and 86 for the mnemonic of eleven times "abandon" and "about".

use hex_literal::hex;
use phalanx_bip32::{Chain, DerivationPath, ExtendedSecretKey, LockingScript, ScriptKind};

/// The seed of the mnemonic, without a passphrase.
const SEED: [u8; 64] = hex!(
    "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1"
    "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4"
);

/// Addresses with their paths. Of the last two kinds the BIPs print scripts or keys as well; see below.
const ADDRESSES: [(ScriptKind, Chain, &str, &str); 8] = [
    (ScriptKind::P2pkh, Chain::Main, "m/44h/0h/0h/0/0", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"),
    (ScriptKind::P2shP2wpkh, Chain::Test, "m/49h/1h/0h/0/0", "2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2"),
    (ScriptKind::P2wpkh, Chain::Main, "m/84h/0h/0h/0/0", "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"),
    (ScriptKind::P2wpkh, Chain::Main, "m/84h/0h/0h/0/1", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"),
    (ScriptKind::P2wpkh, Chain::Main, "m/84h/0h/0h/1/0", "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el"),
    (
        ScriptKind::P2tr,
        Chain::Main,
        "m/86h/0h/0h/0/0",
        "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    ),
    (
        ScriptKind::P2tr,
        Chain::Main,
        "m/86h/0h/0h/0/1",
        "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh",
    ),
    (
        ScriptKind::P2tr,
        Chain::Main,
        "m/86h/0h/0h/1/0",
        "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7",
    ),
];

fn script(kind: ScriptKind, chain: Chain, path: &str) -> LockingScript {
    let path: DerivationPath = path.parse().unwrap();
    let key = ExtendedSecretKey::from_seed(&SEED, chain).unwrap().derive(&path).unwrap();
    LockingScript::of_key(kind, key.to_public().public_key()).unwrap()
}

#[test]
fn addresses_are_those_of_the_bips() {
    for (kind, chain, path, address) in ADDRESSES {
        assert_eq!(script(kind, chain, path).address(chain), address, "{path}");
    }
}

#[test]
fn each_network_has_its_addresses() {
    let first = |kind| script(kind, Chain::Test, "m/0/0");
    let begins = |kind, chain| first(kind).address(chain);
    for (kind, starts) in [
        (ScriptKind::P2pkh, [&["1"][..], &["m", "n"], &["m", "n"]]),
        (ScriptKind::P2shP2wpkh, [&["3"], &["2"], &["2"]]),
        (ScriptKind::P2wpkh, [&["bc1q"], &["tb1q"], &["bcrt1q"]]),
        (ScriptKind::P2tr, [&["bc1p"], &["tb1p"], &["bcrt1p"]]),
    ] {
        for (chain, starts) in Chain::ALL.into_iter().zip(starts) {
            let address = begins(kind, chain);
            assert!(starts.iter().any(|start| address.starts_with(start)), "{address}");
        }
        assert_ne!(begins(kind, Chain::Main), begins(kind, Chain::Test));
    }
}

#[test]
fn scripts_are_those_of_the_bips() {
    // BIP-49 prints the script of its example, and BIP-86 those of its first address.
    let nested = script(ScriptKind::P2shP2wpkh, Chain::Test, "m/49h/1h/0h/0/0");
    assert_eq!(nested.to_bytes(), hex!("a914336caa13e08b96080a32b5d818d59b4ab3b3674287"));
    let taproot = script(ScriptKind::P2tr, Chain::Main, "m/86h/0h/0h/0/0");
    assert_eq!(taproot.to_bytes(), hex!("5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c"));
    let key = script(ScriptKind::P2wpkh, Chain::Main, "m/84h/0h/0h/0/0").to_bytes();
    assert_eq!(key, hex!("0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"));
    let old = script(ScriptKind::P2pkh, Chain::Main, "m/84h/0h/0h/0/0").to_bytes();
    assert_eq!(old, hex!("76a914c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e288ac"));
}
