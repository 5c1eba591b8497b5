//! Some rows of BIP-327's files, which stand here so that they are checked everywhere.

use crate::{AggregateNonce, KeyAggregation, NonceInputs, SecretNonce, Session};
use phalanx::{Keypair, PublicKey, Scalar, SecretKey};
use std::vec::Vec;

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    const_hex::decode(hex).unwrap().try_into().unwrap()
}

const KEYS: [&str; 3] = [
    "02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
    "03DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA659",
    "023590A94E768F8E1815C2F24B4D80A8E3149316C3518CE7B7AD338368D038CA66",
];

#[test]
fn aggregates() {
    for (indices, expected) in [
        (&[0, 1, 2][..], "90539EEDE565F5D054F32CC0C220126889ED1E5D193BAF15AEF344FE59D4610C"),
        (&[2, 1, 0], "6204DE8B083426DC6EAF9502D27024D53FC826BF7D2012148A0575435DF54B2B"),
        (&[0, 0, 0], "B436E3BAD62B8CD409969A224731C193D051162D8C5AE8B109306127DA3AA935"),
        (&[0, 0, 1, 1], "69BC22BFA5D106306E48A20679DE1D7389386124D07571D0D872686028C26A3E"),
    ] {
        let keys: Vec<[u8; 33]> = indices.iter().map(|index| bytes(KEYS[*index])).collect();
        assert_eq!(KeyAggregation::from_encoded(&keys).unwrap().x_only().to_bytes(), bytes(expected));
    }
}

#[test]
fn order_of_keys() {
    let mut keys = KEYS.map(|key| PublicKey::from_bytes(&bytes::<33>(key)).unwrap());
    keys.sort();
    assert_eq!(keys.map(|key| key.to_bytes()), [KEYS[2], KEYS[0], KEYS[1]].map(bytes));
}

#[test]
fn a_nonce() {
    let secret = SecretKey::from_bytes(&[2; 32]).unwrap();
    let inputs = NonceInputs {
        secret_key: Some(&secret),
        aggregate_key: Some([7; 32]),
        message: Some(&[1; 32]),
        extra: &[8; 32],
    };
    let (nonce, public) = SecretNonce::from_randomness(&mut [0x0f; 32], &secret.public_key(), &inputs).unwrap();
    assert_eq!(
        nonce.numbers().map(|k| k.to_bytes()),
        [
            bytes("B114E502BEAA4E301DD08A50264172C84E41650E6CB726B410C0694D59EFFB64"),
            bytes("95B5CAF28D045B973D63E3C99A44B807BDE375FD6CB39E46DC4A511708D0E9D2"),
        ]
    );
    let expected = "02F7BE7089E8376EB355272368766B17E88E7DB72047D05E56AA881EA52B3B35DF02C29C8046FDD0DED4C7E55869137200FBDBFE2EB654\
                    267B6D7013602CAED3115A";
    assert_eq!(public.to_bytes(), bytes(expected));
}

/// The first row of the file of signatures.
#[test]
fn a_partial_signature() {
    let secret = "7FB9E0E687ADA1EEBF7ECFE2F21E73EBDB51A7D450948DFE8D76D7F2D1007671";
    let signer = Keypair::from_secret(SecretKey::from_bytes(&bytes::<32>(secret)).unwrap());
    let keys = [
        "03935F972DA013F80AE011890FA89B67A27B7BE6CCB24D3274D18B2D4067F261A9",
        "02F9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9",
        "02DFF1D77F2A671C5F36183726DB2341BE58FEAE1DA2DECED843240F7B502BA661",
    ];
    let keys = KeyAggregation::from_encoded(&keys.map(bytes)).unwrap();
    let sum = "028465FCF0BBDBCF443AABCCE533D42B4B5A10966AC09A49655E8C42DAAB8FCD61037496A3CC86926D452CAFCFD55D25972CA1675D54\
               9310DE296BFF42F72EEEA8C9";
    let sum = AggregateNonce::from_bytes(&bytes(sum)).unwrap();
    let k = [
        "508B81A611F100A6B2B6B29656590898AF488BCF2E1F55CF22E5CFB84421FE61",
        "FA27FD49B1D50085B481285E1CA205D55C82CC1B31FF5CD54A489829355901F7",
    ];
    let nonce = SecretNonce::of_vector(k.map(|k| Scalar::from_bytes(&bytes::<32>(k)).unwrap()), signer.public_key());
    let message: [u8; 32] = bytes("F95466D086770E689964664219266FE5ED215C92AE20BAB5C9D79ADDDDF3C0CF");
    let partial = Session::new(&keys, &sum, &message).sign(nonce, &signer).unwrap();
    let expected = "012ABBCB52B3016AC03AD82395A1A415C48B93DEF78718E62A7A90052FE224FB";
    assert_eq!(partial.to_bytes(), bytes(expected));
}
