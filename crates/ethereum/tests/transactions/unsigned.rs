//! Transactions without a signature: which types these are, and the bytes of the OP stack's deposits.

use hex_literal::hex;
use phalanx_ethereum::{DepositFields, SenderError, Transaction, TransactionType, is_unsigned_type, transaction_hash};

#[test]
fn the_types_of_rollups_and_no_type_of_ethereum() {
    let unsigned: Vec<u8> = (0..=255).filter(|kind| is_unsigned_type(*kind)).collect();
    assert_eq!(unsigned, [0x64, 0x65, 0x66, 0x68, 0x69, 0x6a, 0x7e]);
    assert!(TransactionType::ALL.iter().all(|kind| !is_unsigned_type(*kind as u8)));
}

/// The first transaction of block 6,826,186 of the OP stack's test network on Goerli.
#[test]
fn a_published_deposit() {
    let mut to = [0; 20];
    (to[0], to[19]) = (0x42, 0x15);
    let deposit = DepositFields {
        source_hash: hex!("7aa9b93ada6b2321bc284cd32150ecc0657ee62a3c70b658d79ac1ee6e93db6f"),
        from: hex!("deaddeaddeaddeaddeaddeaddeaddeaddead0001"),
        to: Some(to),
        gas: 0xf_4240,
        input: hex!(
            "015d8eb9 0000000000000000000000000000000000000000000000000000000000845324"
            "000000000000000000000000000000000000000000000000000000006414bba4"
            "00000000000000000000000000000000000000000000000000000001173f4272"
            "8a1adea2d4029b3ef2edbfd7542d4fb34ba47fe2d341de66b47a2b46e17df359"
            "0000000000000000000000000000000000000000000000000000000000000003"
            "0000000000000000000000007431310e026b69bfc676c0013e12a1a11411eec9"
            "0000000000000000000000000000000000000000000000000000000000000834"
            "00000000000000000000000000000000000000000000000000000000000f4240"
        )
        .to_vec(),
        ..DepositFields::default()
    };
    let raw = deposit.encode();
    let hash = hex!("0bcef2299db9f8d13066b03605f97092abaa992574e21e2436873e21ea905066");
    assert_eq!(transaction_hash(&raw), hash);
    assert_eq!(Transaction::decode(&raw).err(), Some(SenderError::UnknownType(0x7e)));
    let new = DepositFields { to: None, mint: [1; 32], value: [2; 32], is_system: true, ..deposit };
    // A list of eight items: 33 + 21 + 1 + 33 + 33 + 4 + 1 + 263 bytes.
    assert_eq!(new.encode()[..4], [0x7e, 0xf9, 0x01, 0x85]);
    assert_ne!(transaction_hash(&new.encode()), hash);
}
