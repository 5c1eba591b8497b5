//! The tags of the schemes here and of the sister crates, with their prefixes hashed in advance.

use super::TaggedHash;

/// Tags whose prefix is hashed in advance.
macro_rules! precomputed {
    ($($(#[$what:meta])* $name:ident: $tag:literal, $state:expr;)*) => {
        $($(#[$what])* pub const $name: TaggedHash = TaggedHash { state: $state };)*

        #[cfg(test)]
        const PRECOMPUTED: &[(TaggedHash, &[u8])] = &[$(($name, $tag)),*];
    };
}

precomputed! {
    /// The tag `BIP0340/aux`, which masks the secret key of a Schnorr signature with fresh randomness.
    BIP340_AUX: b"BIP0340/aux",
        [0x24dd_3219, 0x4eba_7e70, 0xca0f_abb9, 0x0fa3_166d, 0x3afb_e4b1, 0x4c44_df97, 0x4aac_2739, 0x249e_850a];
    /// The tag `BIP0340/nonce`, from which a Schnorr signature's nonce comes.
    BIP340_NONCE: b"BIP0340/nonce",
        [0x4661_5b35, 0xf4bf_bff7, 0x9f8d_c671, 0x8362_7ab3, 0x6021_7180, 0x5735_8661, 0x21a2_9e54, 0x68b0_7b4c];
    /// The tag `BIP0340/challenge`, which binds a Schnorr signature to nonce, key and message.
    BIP340_CHALLENGE: b"BIP0340/challenge",
        [0x9cec_ba11, 0x2392_5381, 0x1167_9112, 0xd162_7e0f, 0x97c8_7550, 0x003c_c765, 0x90f6_1164, 0x33e9_b66a];
    /// The tag `TapTweak` of BIP-341, which commits a taproot output key to its script tree.
    TAP_TWEAK: b"TapTweak",
        [0xd129_a2f3, 0x701c_655d, 0x6583_b6c3, 0xb941_9727, 0x95f4_e232, 0x94fd_54f4, 0xa2ae_8d85, 0x47ca_590b];
    /// The tag of the list of all keys of MuSig2 (BIP-327).
    MUSIG_KEY_LIST: b"KeyAgg list",
        [0xb399_d5e0, 0xc8ff_f302, 0x6bad_ac71, 0x07c5_b7f1, 0x9701_e2ef, 0x2a72_ecf8, 0x201a_4c7b, 0xab14_8a38];
    /// The tag of the number that a key of MuSig2 is multiplied by.
    MUSIG_KEY_COEFFICIENT: b"KeyAgg coefficient",
        [0x6ef0_2c5a, 0x06a4_80de, 0x1f29_8665, 0x1d11_34f2, 0x56a0_b063, 0x52da_4147, 0xf280_d9d4, 0x4484_be15];
    /// The tag of the mask of the secret key in a nonce of MuSig2.
    MUSIG_AUX: b"MuSig/aux",
        [0xa19e_884b, 0xf463_fe7e, 0x2f18_f9a2, 0xbeb0_f9ff, 0x0f37_e8b0, 0x06eb_d26f, 0xe3b2_43d2, 0x522f_b150];
    /// The tag of the nonces of MuSig2.
    MUSIG_NONCE: b"MuSig/nonce",
        [0x0710_1b64, 0x1800_3414, 0x0391_bc43, 0x0e62_58ee, 0x29d2_6b72, 0x8343_937e, 0xb7a0_a4fb, 0xff56_8a30];
    /// The tag of the number that each second half of a nonce is multiplied by.
    MUSIG_NONCE_COEFFICIENT: b"MuSig/noncecoef",
        [0x2c7d_5a45, 0x06bf_7e53, 0x89be_68a6, 0x9712_54c0, 0x60ac_12d2, 0x7284_6dcd, 0x6c81_212f, 0xde7a_2500];
    /// The tag `BIP0352/Inputs`, under which the inputs of a transaction that pays silently are hashed.
    BIP352_INPUTS: b"BIP0352/Inputs",
        [0xd414_3ffc, 0x012e_a4b5, 0x36e2_1c8f, 0xf7ec_7b54, 0x4dd4_e2ac, 0x9bca_a0a4, 0xe244_899b, 0xcd06_903e];
    /// The tag `BIP0352/SharedSecret`, from which the tweaks of silent payments come.
    BIP352_SHARED_SECRET: b"BIP0352/SharedSecret",
        [0x8883_1537, 0x5127_079b, 0x69c2_137b, 0xab03_03e6, 0x98fa_21fa, 0x4a88_8523, 0xbd99_daab, 0xf25e_5e0a];
    /// The tag `BIP0352/Label`, from which the labels of silent payments come.
    BIP352_LABEL: b"BIP0352/Label",
        [0x26b9_5d63, 0x8bf1_b740, 0x10a5_986f, 0x06a3_87a5, 0x2d1c_1c30, 0xd035_951a, 0x2d7f_0f96, 0x29e3_e0db];
    /// The tag under which encodings of public keys in 64 bytes are drawn, as libsecp256k1 does.
    ELLSWIFT_ENCODE: b"secp256k1_ellswift_encode",
        [0xd1a6_524b, 0x0285_94b3, 0x96e4_2f4e, 0x1037_a177, 0x1b8f_cb8b, 0x5602_3885, 0x2560_ede1, 0xd626_b715];
    /// The same for the public key of a secret key.
    ELLSWIFT_CREATE: b"secp256k1_ellswift_create",
        [0xd29e_1bf5, 0xf702_5f42, 0x9b02_4773, 0x094c_b7d5, 0xe59e_d789, 0x03bc_9786, 0x6833_5b35, 0x4e36_3b53];
    /// The tag of the secret that two peers of BIP-324 share.
    BIP324_ECDH: b"bip324_ellswift_xonly_ecdh",
        [0x8c12_d730, 0x827b_d392, 0x9e4f_b2ee, 0x207b_373e, 0x2292_bd7a, 0xaa54_41bc, 0x15c3_779f, 0xcfb5_2549];
}

#[cfg(test)]
#[test]
fn precomputed_prefixes_are_those_of_their_tags() {
    for (precomputed, tag) in PRECOMPUTED {
        assert_eq!(*precomputed, TaggedHash::new(tag));
    }
}
