//! Published roots of whole trees.

use hex_literal::hex;
use phalanx_banderwagon::verkle::{Value, migrate_vartime};
use phalanx_banderwagon::{Basis, Obvious};
use sha2::{Digest, Sha256};

/// Roots as images among the scalars, and one as an encoding. Source: rust-verkle, `verkle-trie/src/trie.rs` and
/// `tests/golang_interop.rs`, where the last is go-verkle's.
#[test]
fn published_roots_of_small_trees() {
    let basis = Basis::verkle();
    let root = |entries: &[([u8; 32], Value)]| migrate_vartime(&mut Obvious(&basis), &mut entries.to_vec()).root();
    let hash = |keys: &[[u8; 32]]| {
        let entries: Vec<_> = keys.iter().map(|key| (*key, *key)).collect();
        root(&entries).scalar().to_le_bytes()
    };
    let with = |place: usize| core::array::from_fn(|i| u8::from(i == place));
    let counted: [u8; 32] = core::array::from_fn(|i| i as u8 + 1);
    let one = hex!("029b6c4c8af9001f0ac76472766c6579f41eec84a73898da06eb97ebdab80a09");
    let longest = hex!("fe2e17833b90719eddcad493c352ccd491730643ecee39060c7c1fff5fcc621a");
    let traversed = hex!("74ff8821eca20188de49340124f249dac94404efdb3838bb6b4d298e483cc20e");
    assert_eq!(hash(&[]), [0; 32]);
    assert_eq!(hash(&[counted]), one);
    assert_eq!(hash(&[[0; 32], with(30)]), longest);
    assert_eq!(hash(&[[0; 32], with(30), with(29)]), traversed);
    // A fresh account: version, balance, nonce, the hash of no code, code size.
    let mut key = hex!("f56e644224f4576490cfe0de1424a4532212529bfe374713d84e7d7e8e927200");
    let balance = hex!("000064a7b3b6e00d000000000000000000000000000000000000000000000000");
    let no_code = hex!("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    let mut entries = Vec::new();
    for (suffix, value) in (0..).zip([[0; 32], balance, [0; 32], no_code, [0; 32]]) {
        key[31] = suffix;
        entries.push((key, value));
    }
    let expected = hex!("10ed89d89047bb168baa4e69b8607e260049e928ddbcb2fdd23ea0f4182b1f8a");
    assert_eq!(root(&entries).element().to_bytes(), expected);
}

/// Roots after keys drawn by SHA-256 of a counter, each its own value. Source: rust-verkle,
/// `verkle-trie/tests/trie_fuzzer.rs`.
#[test]
fn published_roots_of_drawn_trees() {
    let hundreds = [
        hex!("afb01df826bd42ddea9001551980f7cfa74f0ca7e0ba36a9079dea4062848600"),
        hex!("4cd6573f3602df0a1438c894e2f0f465e16537c4474e3ab35ee74d5b3afe180f"),
        hex!("1da1675938ba4ad2545fd163dc2053212cd75b54fc44e70f11fd20b05363650b"),
        hex!("bdad99347763dc06765e329da53ae85333a9d89fa9e06ef3fccf30c8c89cb804"),
        hex!("cf0b7ea967a755f6c09762aa4a650899bb79d21ef56f1fe6672621149e639905"),
    ];
    let thousands = [
        hex!("c94ef4103861b4788602e503f70ad1f47779d6b8b367532d7b4748c401f7391c"),
        hex!("4284fb75185662925ae4b45143184147db4fd297db1912a6ca17ee3040d21104"),
        hex!("447fa30818141f6034b99a2ece305de601e4af3b635ad216e2a0248a7039240c"),
        hex!("9647ad8f43a64a08fd1d56af5765d9d9e265eb9be703eeb80c2117242c358305"),
        hex!("26ed4b641a6a974f09b1b012784580d96cfbbd99f0eed9db541a89f9f2883201"),
    ];
    let key = |i: u64| <[u8; 32]>::from(Sha256::new().chain_update(i.to_le_bytes()).chain_update([0; 32]).finalize());
    let basis = Basis::verkle();
    let cases = (1..).map(|i| 100 * i).zip(hundreds).chain((1..).map(|i| 1000 * i).zip(thousands));
    for (count, expected) in cases.filter(|(count, _)| *count <= phalanx_tiers::size(300, 5000)) {
        let mut entries: Vec<_> = (0..count).map(|i| (key(i), key(i))).collect();
        assert_eq!(
            migrate_vartime(&mut Obvious(&basis), &mut entries).root().scalar().to_le_bytes(),
            expected,
            "{count} keys"
        );
    }
}
