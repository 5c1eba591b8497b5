//! The taproot tweaks among the test vectors that BIP-341 publishes (`bip-0341/wallet-test-vectors.json`).

use hex_literal::hex;
use phalanx::{Bulk, Keypair, SecretKey, XOnlyPublicKey, schnorr};

/// From `scriptPubKey`: internal key, Merkle root, output key.
struct Public {
    internal: [u8; 32],
    merkle_root: Option<[u8; 32]>,
    output: [u8; 32],
    /// Of the control block's first byte, where there is a tree: the parity of the output key's y.
    odd: Option<bool>,
}

/// From `keyPathSpending`: internal secret key, Merkle root, output secret key, and the signature of a message under it
/// with auxiliary randomness of zeros.
struct Secret {
    internal: [u8; 32],
    merkle_root: Option<[u8; 32]>,
    output: [u8; 32],
    message: [u8; 32],
    signature: [u8; 64],
}

#[test]
fn output_keys_of_internal_keys() {
    for vector in PUBLIC {
        let internal = XOnlyPublicKey::from_bytes(&vector.internal).unwrap();
        let (output, odd) = internal.taproot_tweak(vector.merkle_root.as_ref()).unwrap();
        assert_eq!(output.to_bytes(), vector.output);
        assert!(vector.odd.is_none_or(|expected| expected == odd));
    }
}

#[test]
fn output_secrets_of_internal_secrets() {
    for vector in SECRET {
        let internal = Keypair::from_secret(SecretKey::from_bytes(&vector.internal).unwrap());
        let output = internal.taproot_tweak(vector.merkle_root.as_ref()).unwrap();
        assert_eq!(output.secret_key().to_bytes(), vector.output);
        assert_eq!(output.x_only(), internal.x_only().taproot_tweak(vector.merkle_root.as_ref()).unwrap().0);
        let signature = schnorr::sign(&vector.message, &output, &[0; 32]);
        assert_eq!(signature.to_bytes(), vector.signature);
        assert_eq!(Bulk::new().sign_schnorr(&[&vector.message], &[output], &[[0; 32]]), Ok(vec![signature]));
    }
}

const PUBLIC: [Public; 7] = [
    Public {
        internal: hex!("d6889cb081036e0faefa3a35157ad71086b123b2b144b649798b494c300a961d"),
        merkle_root: None,
        output: hex!("53a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343"),
        odd: None,
    },
    Public {
        internal: hex!("187791b6f712a8ea41c8ecdd0ee77fab3e85263b37e1ec18a3651926b3a6cf27"),
        merkle_root: Some(hex!("5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21")),
        output: hex!("147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3"),
        odd: Some(true),
    },
    Public {
        internal: hex!("93478e9488f956df2396be2ce6c5cced75f900dfa18e7dabd2428aae78451820"),
        merkle_root: Some(hex!("c525714a7f49c28aedbbba78c005931a81c234b2f6c99a73e4d06082adc8bf2b")),
        output: hex!("e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e"),
        odd: Some(false),
    },
    Public {
        internal: hex!("ee4fe085983462a184015d1f782d6a5f8b9c2b60130aff050ce221ecf3786592"),
        merkle_root: Some(hex!("6c2dc106ab816b73f9d07e3cd1ef2c8c1256f519748e0813e4edd2405d277bef")),
        output: hex!("712447206d7a5238acc7ff53fbe94a3b64539ad291c7cdbc490b7577e4b17df5"),
        odd: Some(false),
    },
    Public {
        internal: hex!("f9f400803e683727b14f463836e1e78e1c64417638aa066919291a225f0e8dd8"),
        merkle_root: Some(hex!("ab179431c28d3b68fb798957faf5497d69c883c6fb1e1cd9f81483d87bac90cc")),
        output: hex!("77e30a5522dd9f894c3f8b8bd4c4b2cf82ca7da8a3ea6a239655c39c050ab220"),
        odd: Some(true),
    },
    Public {
        internal: hex!("e0dfe2300b0dd746a3f8674dfd4525623639042569d829c7f0eed9602d263e6f"),
        merkle_root: Some(hex!("ccbd66c6f7e8fdab47b3a486f59d28262be857f30d4773f2d5ea47f7761ce0e2")),
        output: hex!("91b64d5324723a985170e4dc5a0f84c041804f2cd12660fa5dec09fc21783605"),
        odd: Some(false),
    },
    Public {
        internal: hex!("55adf4e8967fbd2e29f20ac896e60c3b0f1d5b0efa9d34941b5958c7b0a0312d"),
        merkle_root: Some(hex!("2f6b2c5397b6d68ca18e09a3f05161668ffe93a988582d55c6f07bd5b3329def")),
        output: hex!("75169f4001aa68f15bbed28b218df1d0a62cbbcf1188c6665110c293c907b831"),
        odd: Some(true),
    },
];

const SECRET: [Secret; 7] = [
    Secret {
        internal: hex!("6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa"),
        merkle_root: None,
        output: hex!("2405b971772ad26915c8dcdf10f238753a9b837e5f8e6a86fd7c0cce5b7296d9"),
        message: hex!("2514a6272f85cfa0f45eb907fcb0d121b808ed37c6ea160a5a9046ed5526d555"),
        signature: hex!(
            "ed7c1647cb97379e76892be0cacff57ec4a7102aa24296ca39af7541246d8ff1"
            "4d38958d4cc1e2e478e4d4a764bbfd835b16d4e314b72937b29833060b87276c"
        ),
    },
    Secret {
        internal: hex!("1e4da49f6aaf4e5cd175fe08a32bb5cb4863d963921255f33d3bc31e1343907f"),
        merkle_root: Some(hex!("5b75adecf53548f3ec6ad7d78383bf84cc57b55a3127c72b9a2481752dd88b21")),
        output: hex!("ea260c3b10e60f6de018455cd0278f2f5b7e454be1999572789e6a9565d26080"),
        message: hex!("325a644af47e8a5a2591cda0ab0723978537318f10e6a63d4eed783b96a71a4d"),
        signature: hex!(
            "052aedffc554b41f52b521071793a6b88d6dbca9dba94cf34c83696de0c1ec35"
            "ca9c5ed4ab28059bd606a4f3a657eec0bb96661d42921b5f50a95ad33675b54f"
        ),
    },
    Secret {
        internal: hex!("d3c7af07da2d54f7a7735d3d0fc4f0a73164db638b2f2f7c43f711f6d4aa7e64"),
        merkle_root: Some(hex!("c525714a7f49c28aedbbba78c005931a81c234b2f6c99a73e4d06082adc8bf2b")),
        output: hex!("97323385e57015b75b0339a549c56a948eb961555973f0951f555ae6039ef00d"),
        message: hex!("bf013ea93474aa67815b1b6cc441d23b64fa310911d991e713cd34c7f5d46669"),
        signature: hex!(
            "ff45f742a876139946a149ab4d9185574b98dc919d2eb6754f8abaa59d18b025"
            "637a3aa043b91817739554f4ed2026cf8022dbd83e351ce1fabc272841d2510a"
        ),
    },
    Secret {
        internal: hex!("f36bb07a11e469ce941d16b63b11b9b9120a84d9d87cff2c84a8d4affb438f4e"),
        merkle_root: Some(hex!("ccbd66c6f7e8fdab47b3a486f59d28262be857f30d4773f2d5ea47f7761ce0e2")),
        output: hex!("a8e7aa924f0d58854185a490e6c41f6efb7b675c0f3331b7f14b549400b4d501"),
        message: hex!("4f900a0bae3f1446fd48490c2958b5a023228f01661cda3496a11da502a7f7ef"),
        signature: hex!(
            "b4010dd48a617db09926f729e79c33ae0b4e94b79f04a1ae93ede6315eb3669d"
            "e185a17d2b0ac9ee09fd4c64b678a0b61a0a86fa888a273c8511be83bfd6810f"
        ),
    },
    Secret {
        internal: hex!("415cfe9c15d9cea27d8104d5517c06e9de48e2f986b695e4f5ffebf230e725d8"),
        merkle_root: Some(hex!("2f6b2c5397b6d68ca18e09a3f05161668ffe93a988582d55c6f07bd5b3329def")),
        output: hex!("241c14f2639d0d7139282aa6abde28dd8a067baa9d633e4e7230287ec2d02901"),
        message: hex!("15f25c298eb5cdc7eb1d638dd2d45c97c4c59dcaec6679cfc16ad84f30876b85"),
        signature: hex!(
            "a3785919a2ce3c4ce26f298c3d51619bc474ae24014bcdd31328cd8cfbab2eff"
            "3395fa0a16fe5f486d12f22a9cedded5ae74feb4bbe5351346508c5405bcfee0"
        ),
    },
    Secret {
        internal: hex!("c7b0e81f0a9a0b0499e112279d718cca98e79a12e2f137c72ae5b213aad0d103"),
        merkle_root: Some(hex!("6c2dc106ab816b73f9d07e3cd1ef2c8c1256f519748e0813e4edd2405d277bef")),
        output: hex!("65b6000cd2bfa6b7cf736767a8955760e62b6649058cbc970b7c0871d786346b"),
        message: hex!("cd292de50313804dabe4685e83f923d2969577191a3e1d2882220dca88cbeb10"),
        signature: hex!(
            "ea0c6ba90763c2d3a296ad82ba45881abb4f426b3f87af162dd24d5109edc1cd"
            "d11915095ba47c3a9963dc1e6c432939872bc49212fe34c632cd3ab9fed429c4"
        ),
    },
    Secret {
        internal: hex!("77863416be0d0665e517e1c375fd6f75839544eca553675ef7fdf4949518ebaa"),
        merkle_root: Some(hex!("ab179431c28d3b68fb798957faf5497d69c883c6fb1e1cd9f81483d87bac90cc")),
        output: hex!("ec18ce6af99f43815db543f47b8af5ff5df3b2cb7315c955aa4a86e8143d2bf5"),
        message: hex!("cccb739eca6c13a8a89e6e5cd317ffe55669bbda23f2fd37b0f18755e008edd2"),
        signature: hex!(
            "bbc9584a11074e83bc8c6759ec55401f0ae7b03ef290c3139814f545b58a9f81"
            "27258000874f44bc46db7646322107d4d86aec8e73b8719a61fff761d75b5dd9"
        ),
    },
];
