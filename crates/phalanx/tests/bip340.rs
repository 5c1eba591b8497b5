//! The test vectors that BIP-340 publishes (`bip-0340/test-vectors.csv`), signing and verification, one at a time and in
//! bulk.

use hex_literal::hex;
use phalanx::{Bulk, Keypair, SecretKey, Verdict, XOnlyKeyRef, schnorr};

/// A vector that gives the secret key and the auxiliary randomness.
struct Signing {
    index: u32,
    secret: [u8; 32],
    key: [u8; 32],
    aux: [u8; 32],
    message: &'static [u8],
    signature: [u8; 64],
}

/// A vector to verify only.
struct Verification {
    index: u32,
    key: [u8; 32],
    message: [u8; 32],
    signature: [u8; 64],
    /// The reason is this project's, from the comment that goes with the vector.
    verdict: Verdict,
}

#[test]
fn signing_vectors() {
    for vector in SIGNING {
        let pair = Keypair::from_secret(SecretKey::from_bytes(&vector.secret).unwrap());
        assert_eq!(pair.x_only().to_bytes(), vector.key, "{}", vector.index);
        let signature = schnorr::sign(vector.message, &pair, &vector.aux);
        assert_eq!(signature.to_bytes(), vector.signature, "{}", vector.index);
        assert_eq!(schnorr::sign_checked(vector.message, &pair, &vector.aux), Ok(signature));
        assert_eq!(schnorr::verify(vector.message, &signature, &pair.x_only()), Ok(()));
        let row = schnorr::Row {
            message: vector.message,
            signature: &vector.signature,
            public_key: XOnlyKeyRef::Encoded(&vector.key),
        };
        assert_eq!(schnorr::verify_row(&row), Verdict::Valid, "{}", vector.index);
        let bulk = Bulk::new().sign_schnorr(&[vector.message], &[pair], &[vector.aux]);
        assert_eq!(bulk, Ok(vec![signature]), "{}", vector.index);
    }
}

#[test]
fn verification_vectors() {
    let row = |vector: &'static Verification| schnorr::Row {
        message: &vector.message,
        signature: &vector.signature,
        public_key: XOnlyKeyRef::Encoded(&vector.key),
    };
    for vector in &VERIFICATION {
        assert_eq!(schnorr::verify_row(&row(vector)), vector.verdict, "{}", vector.index);
    }
    let rows: Vec<_> = VERIFICATION.iter().map(row).collect();
    let expected: Vec<_> = VERIFICATION.iter().map(|vector| vector.verdict).collect();
    assert_eq!(Bulk::new().verify_schnorr(&rows), expected);
}

const SIGNING: [Signing; 8] = [
    Signing {
        index: 0,
        secret: hex!("0000000000000000000000000000000000000000000000000000000000000003"),
        key: hex!("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        message: &hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        signature: hex!(
            "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
            "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0"
        ),
    },
    Signing {
        index: 1,
        secret: hex!("b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef"),
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000001"),
        message: &hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de3341"
            "8906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a"
        ),
    },
    Signing {
        index: 2,
        secret: hex!("c90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b14e5c9"),
        key: hex!("dd308afec5777e13121fa72b9cc1b7cc0139715309b086c960e18fd969774eb8"),
        aux: hex!("c87aa53824b4d7ae2eb035a2b5bbbccc080e76cdc6d1692c4b0b62d798e6d906"),
        message: &hex!("7e2d58d8b3bcdf1abadec7829054f90dda9805aab56c77333024b9d0a508b75c"),
        signature: hex!(
            "5831aaeed7b44bb74e5eab94ba9d4294c49bcf2a60728d8b4c200f50dd313c1b"
            "ab745879a5ad954a72c45a91c3a51d3c7adea98d82f8481e0e1e03674a6f3fb7"
        ),
    },
    Signing {
        index: 3,
        secret: hex!("0b432b2677937381aef05bb02a66ecd012773062cf3fa2549e44f58ed2401710"),
        key: hex!("25d1dff95105f5253c4022f628a996ad3a0d95fbf21d468a1b33f8c160d8f517"),
        aux: hex!("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        message: &hex!("ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        signature: hex!(
            "7eb0509757e246f19449885651611cb965ecc1a187dd51b64fda1edc9637d5ec"
            "97582b9cb13db3933705b32ba982af5af25fd78881ebb32771fc5922efc66ea3"
        ),
    },
    Signing {
        index: 15,
        secret: hex!("0340034003400340034003400340034003400340034003400340034003400340"),
        key: hex!("778caa53b4393ac467774d09497a87224bf9fab6f6e68b23086497324d6fd117"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        message: &[],
        signature: hex!(
            "71535db165ecd9fbbc046e5ffaea61186bb6ad436732fccc25291a55895464cf"
            "6069ce26bf03466228f19a3a62db8a649f2d560fac652827d1af0574e427ab63"
        ),
    },
    Signing {
        index: 16,
        secret: hex!("0340034003400340034003400340034003400340034003400340034003400340"),
        key: hex!("778caa53b4393ac467774d09497a87224bf9fab6f6e68b23086497324d6fd117"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        message: &hex!("11"),
        signature: hex!(
            "08a20a0afef64124649232e0693c583ab1b9934ae63b4c3511f3ae1134c6a303"
            "ea3173bfea6683bd101fa5aa5dbc1996fe7cacfc5a577d33ec14564cec2bacbf"
        ),
    },
    Signing {
        index: 17,
        secret: hex!("0340034003400340034003400340034003400340034003400340034003400340"),
        key: hex!("778caa53b4393ac467774d09497a87224bf9fab6f6e68b23086497324d6fd117"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        message: &hex!("0102030405060708090a0b0c0d0e0f1011"),
        signature: hex!(
            "5130f39a4059b43bc7cac09a19ece52b5d8699d1a71e3c52da9afdb6b50ac370"
            "c4a482b77bf960f8681540e25b6771ece1e5a37fd80e5a51897c5566a97ea5a5"
        ),
    },
    Signing {
        index: 18,
        secret: hex!("0340034003400340034003400340034003400340034003400340034003400340"),
        key: hex!("778caa53b4393ac467774d09497a87224bf9fab6f6e68b23086497324d6fd117"),
        aux: hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        message: &[0x99; 100],
        signature: hex!(
            "403b12b0d8555a344175ea7ec746566303321e5dbfa8be6f091635163eca79a8"
            "585ed3e3170807e7c03b720fc54c7b23897fcba0e9d0b4a06894cfd249f22367"
        ),
    },
];

static VERIFICATION: [Verification; 11] = [
    Verification {
        index: 4,
        key: hex!("d69c3509bb99e412e68b0fe8544e72837dfa30746d8be2aa65975f29d22dc7b9"),
        message: hex!("4df3c3f68fcc83b27e9d42c90431a72499f17875c81a599b566c9889b9696703"),
        signature: hex!(
            "00000000000000000000003b78ce563f89a0ed9414f5aa28ad0d96d6795f9c63"
            "76afb1548af603b3eb45c9f8207dee1060cb71c04e80f593060b07d28308d7f4"
        ),
        verdict: Verdict::Valid,
    },
    Verification {
        index: 5,
        key: hex!("eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769"
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b"
        ),
        verdict: Verdict::BadPublicKey,
    },
    Verification {
        index: 6,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a1460297556"
            "3cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 7,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "1fa62e331edbc21c394792d2ab1100a7b432b013df3f6ff4f99fcb33e0e1515f"
            "28890b3edb6e7189b630448b515ce4f8622a954cfe545735aaea5134fccdb2bd"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 8,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769"
            "961764b3aa9b2ffcb6ef947b6887a226e8d7c93e00c5ed0c1834ff0d0c2e6da6"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 9,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "0000000000000000000000000000000000000000000000000000000000000000"
            "123dda8328af9c23a94c1feecfd123ba4fb73476f0d594dcb65c6425bd186051"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 10,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "0000000000000000000000000000000000000000000000000000000000000001"
            "7615fbaf5ae28864013c099742deadb4dba87f11ac6754f93780d5a1837cf197"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 11,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "4a298dacae57395a15d0795ddbfd1dcb564da82b0f269bc70a74f8220429ba1d"
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b"
        ),
        verdict: Verdict::InvalidSignature,
    },
    Verification {
        index: 12,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b"
        ),
        verdict: Verdict::OutOfRange,
    },
    Verification {
        index: 13,
        key: hex!("dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769"
            "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        ),
        verdict: Verdict::OutOfRange,
    },
    Verification {
        index: 14,
        key: hex!("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30"),
        message: hex!("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89"),
        signature: hex!(
            "6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769"
            "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b"
        ),
        verdict: Verdict::BadPublicKey,
    },
];
