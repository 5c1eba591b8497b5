//! Transactions as they were published, with their hashes and senders.

use crate::samples::{LATEST, secret, sender};
use hex_literal::hex;
use phalanx_ethereum::{Rules, Transaction, TransactionFields, TransactionType, address, transactions_root};

/// The type, the bytes, the hash where explorers show it, the sender.
type Published<'a> = (TransactionType, &'a [u8], Option<[u8; 32]>, [u8; 20]);

/// EIP-155's example, and transactions of the main chain and of Sepolia.
#[test]
fn published_transactions() {
    let cases: [Published<'_>; 4] = [
        (
            TransactionType::Legacy,
            &hex!(
                "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc"
                "2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb196"
                "6a3b6d83"
            ),
            Some(hex!("33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788")),
            hex!("9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f"),
        ),
        (
            TransactionType::Legacy,
            &hex!(
                "f9015482078b8505d21dba0083022ef1947a250d5630b4cf539739df2c5dacb4c659f2488d880c46549a521b13d8b8e47ff36ab500"
                "00000000000000000000000000000000000000000066ab5a608bd00a23f2fe00000000000000000000000000000000000000000000"
                "0000000000000000008000000000000000000000000048c04ed5691981c42154c6167398f95e8f38a7ff0000000000000000000000"
                "0000000000000000000000000000000000632ceac70000000000000000000000000000000000000000000000000000000000000002"
                "000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc20000000000000000000000006c6ee5e31d828de241"
                "282b9606c8e98ea48526e225a0c9077369501641a92ef7399ff81c21639ed4fd8fc69cb793cfa1dbfab342e10aa0615facb2f1bcf3"
                "274a354cfe384a38d0cc008a11c2dd23a69111bc6930ba27a8"
            ),
            Some(hex!("280cde7cdefe4b188750e76c888f13bd05ce9a4d7767730feefe8a0e50ca6fc4")),
            hex!("a12e1462d0ced572f396f58b6e2d03894cd7c8a4"),
        ),
        (
            TransactionType::FeeMarket,
            &hex!(
                "02f86f0102843b9aca0085029e7822d68298f094d9e1459a7a482635700cbc20bbaf52d495ab9c9680841b55ba3ac080a0c199674f"
                "cb29f353693dd779c017823b954b3c69dffa3cd6b2a6ff7888798039a028ca912de909e7e6cdef9cdcaf24c54dd8c1032946dfa1d8"
                "5c206b32a9064fe8"
            ),
            None,
            hex!("001e2b7de757ba469a57bf6b23d982458a07efce"),
        ),
        (
            TransactionType::Blob,
            &hex!(
                "03f9011d83aa36a7820fa28477359400852e90edd0008252089411e9ca82a3a762b4b5bd264d4173a242e7a770648080c08504a817"
                "c800f8a5a0012ec3d6f66766bedb002a190126b3549fce0047de0d4c25cffce0dc1c57921aa00152d8e24762ff22b1cfd9f8c06837"
                "86a7ca63ba49973818b3d1e9512cd2cec4a0013b98c6c83e066d5b14af2b85199e3d4fc7d1e778dd53130d180f5077e2d1c7a00114"
                "8b495d6e859114e670ca54fb6e2657f0cbae5b08063605093a4b3dc9f8f1a0011ac212f13c5dff2b2c6b600a79635103d6f580a422"
                "1079951181b25c7e654901a0c8de4cced43169f9aa3d36506363b2d2c44f6c49fc1fd91ea114c86f3757077ea01e11fdd0d1934eda"
                "0492606ee0bb80a7bf8f35cc5f86ec60fe5031ba48bfd544"
            ),
            Some(hex!("9a22ccb0029bc8b0ddd073be1a1d923b7ae2b2ea52100bae0db4424f9107e9c0")),
            hex!("a83c816d4f9b2783761a22ba6fadb0eb0606d7b2"),
        ),
    ];
    for (kind, raw, hash, expected) in cases {
        let transaction = Transaction::decode(raw).unwrap();
        assert_eq!(transaction.kind(), kind);
        assert_eq!(sender(raw, LATEST), Ok(expected));
        assert!(hash.is_none_or(|hash| transaction.hash() == hash), "{kind:?}");
    }
}

/// The first transaction of the main chain, in block 46,147, and the root of the transactions in that block's header.
#[test]
fn the_first_transaction_of_the_main_chain() {
    let raw = hex!(
        "f86780862d79883d2000825208945df9b87991262f6ba471f09758cde1c0fc1de734827a69801ca088ff6cf0fefd94db46111149ae4bfc17"
        "9e9b94721fffd821d38d16464b3f71d0a045e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a"
    );
    let transaction = Transaction::decode(&raw).unwrap();
    assert_eq!(transaction.chain_id(), None);
    assert_eq!(transaction.hash(), hex!("5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"));
    let sender = sender(&raw, Rules::of_mainnet_block(46_147));
    assert_eq!(sender, Ok(hex!("a1e4380a3b1f749673e270229993ee55f35663b4")));
    let root = hex!("4513310fcb9f6f616972a3b948dc5d547f280849a87ebb5af0191f98b87be598");
    assert_eq!(transactions_root(&[&raw]), root);
}

/// EIP-155's example from its fields: the hash that is signed, and the signature by RFC 6979.
#[test]
fn the_example_of_eip_155_is_made_again() {
    let number = |bytes: &[u8]| {
        let mut number = [0; 32];
        number[32 - bytes.len()..].copy_from_slice(bytes);
        number
    };
    let fields = TransactionFields {
        chain_id: Some(1),
        nonce: 9,
        gas_price: number(&20_000_000_000u64.to_be_bytes()),
        gas: 21_000,
        to: Some([0x35; 20]),
        value: number(&1_000_000_000_000_000_000u64.to_be_bytes()),
        ..TransactionFields::default()
    };
    let raw = fields.sign(&secret()).unwrap();
    let transaction = Transaction::decode(&raw).unwrap();
    let signing_hash = hex!("daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    assert_eq!((transaction.signing_hash(), transaction.chain_id()), (signing_hash, Some(1)));
    let signature = hex!(
        "25a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc"
        "64214b297fb1966a3b6d83"
    );
    assert!(raw.ends_with(&signature));
    assert_eq!(sender(&raw, LATEST), Ok(address(&secret().public_key())));
}

/// What alloy's tests give for a transaction of type 2 in fields: its signing hash, its hash, its sender.
#[test]
fn a_fee_market_transaction_from_its_fields() {
    let mut fields = TransactionFields {
        kind: TransactionType::FeeMarket,
        chain_id: Some(1),
        nonce: 0x42,
        gas: 44_386,
        to: Some(hex!("6069a6c32cf691f5982febae4faf8a6f3ab2f0f6")),
        input: hex!(
            "a22cb4650000000000000000000000005eee75727d804a2b13038928d36f8b188945a57a00000000000000000000000000000000000000"
            "00000000000000000000000000"
        )
        .to_vec(),
        r: hex!("840cfc572845f5786e702984c2a582528cad4b49b2a10b9db1be7fca90058565"),
        s: hex!("25e7109ceb98168d95b09b18bbf6b685130e0562f233877d492b94eee0c5b6d1"),
        ..TransactionFields::default()
    };
    fields.max_fee_per_gas[27..].copy_from_slice(&hex!("04a817c800"));
    fields.max_priority_fee_per_gas[28..].copy_from_slice(&hex!("3b9aca00"));
    let raw = fields.encode();
    let transaction = Transaction::decode(&raw).unwrap();
    assert_eq!(transaction.signing_hash(), hex!("0d5688ac3897124635b6cf1bc0e29d6dfebceebdc10a54d74f2ef8b56535b682"));
    assert_eq!(transaction.hash(), hex!("0ec0b6a2df4d87424e5f6ad2a654e27aaeb7dac20ae9e8385cc09087ad532ee0"));
    assert_eq!(sender(&raw, LATEST), Ok(hex!("dd6b8b3dc6b7ad97db52f08a275ff4483e024cea")));
}
