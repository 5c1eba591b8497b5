//! The functions of the interface, with the kinds of their parameters.

use crate::kinds::Kind::{self, *};

/// A function, its parameters, and whether it computes with points: then structures that no function of the library
/// wrote are out of its contract.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Kind],
    pub(crate) computes: bool,
}

const fn plain(name: &'static str, parameters: &'static [Kind]) -> Function {
    Function { name, parameters, computes: false }
}

const fn computes(name: &'static str, parameters: &'static [Kind]) -> Function {
    Function { name, parameters, computes: true }
}

/// All functions but those of `contexts`.
pub(crate) const FUNCTIONS: &[Function] = &[
    plain("secp256k1_ec_pubkey_parse", &[Context, Output(64), EncodedKey]),
    plain("secp256k1_ec_pubkey_serialize", &[Context, Output(100), Room, Pubkey, Flags]),
    plain("secp256k1_ec_pubkey_cmp", &[Context, Pubkey, Pubkey]),
    plain("secp256k1_ec_pubkey_sort", &[Context, Keys]),
    plain("secp256k1_ecdsa_signature_parse_compact", &[Context, Output(64), Compact]),
    plain("secp256k1_ecdsa_signature_parse_der", &[Context, Output(64), Der]),
    plain("secp256k1_ecdsa_signature_serialize_der", &[Context, Output(72), Room, Signature]),
    plain("secp256k1_ecdsa_signature_serialize_compact", &[Context, Output(64), Signature]),
    computes("secp256k1_ecdsa_verify", &[Context, Signature, Digest, Pubkey]),
    plain("secp256k1_ecdsa_signature_normalize", &[Context, Output(64), Signature]),
    plain("secp256k1_ecdsa_sign", &[Context, Output(64), Digest, Number, Nonces]),
    plain("secp256k1_ec_seckey_verify", &[Context, Number]),
    plain("secp256k1_ec_pubkey_create", &[Context, Output(64), Number]),
    plain("secp256k1_ec_seckey_negate", &[Context, Number]),
    plain("secp256k1_ec_pubkey_negate", &[Context, Pubkey]),
    plain("secp256k1_ec_seckey_tweak_add", &[Context, Number, Tweak]),
    computes("secp256k1_ec_pubkey_tweak_add", &[Context, Pubkey, Tweak]),
    plain("secp256k1_ec_seckey_tweak_mul", &[Context, Number, Tweak]),
    computes("secp256k1_ec_pubkey_tweak_mul", &[Context, Pubkey, Tweak]),
    plain("secp256k1_ec_pubkey_combine", &[Context, Output(64), Keys]),
    plain("secp256k1_tagged_sha256", &[Context, Output(32), NamedAlgorithm, Message]),
    plain("secp256k1_ecdsa_recoverable_signature_parse_compact", &[Context, Output(65), Compact, Id]),
    plain("secp256k1_ecdsa_recoverable_signature_convert", &[Context, Output(64), Recoverable]),
    plain("secp256k1_ecdsa_recoverable_signature_serialize_compact", &[Context, Output(64), Output(4), Recoverable]),
    plain("secp256k1_ecdsa_sign_recoverable", &[Context, Output(65), Digest, Number, Nonces]),
    computes("secp256k1_ecdsa_recover", &[Context, Output(64), Recoverable, Digest]),
    computes("secp256k1_ecdh", &[Context, Output(64), Pubkey, Number, PointHash]),
    plain("secp256k1_xonly_pubkey_parse", &[Context, Output(64), X]),
    plain("secp256k1_xonly_pubkey_serialize", &[Context, Output(32), Xonly]),
    plain("secp256k1_xonly_pubkey_cmp", &[Context, Xonly, Xonly]),
    plain("secp256k1_xonly_pubkey_from_pubkey", &[Context, Output(64), Output(4), Pubkey]),
    computes("secp256k1_xonly_pubkey_tweak_add", &[Context, Output(64), Xonly, Tweak]),
    computes("secp256k1_xonly_pubkey_tweak_add_check", &[Context, X, Parity, Xonly, Tweak]),
    plain("secp256k1_keypair_create", &[Context, Output(96), Number]),
    plain("secp256k1_keypair_sec", &[Context, Output(32), Keypair]),
    plain("secp256k1_keypair_pub", &[Context, Output(64), Keypair]),
    plain("secp256k1_keypair_xonly_pub", &[Context, Output(64), Output(4), Keypair]),
    computes("secp256k1_keypair_xonly_tweak_add", &[Context, Keypair, Tweak]),
    plain("secp256k1_schnorrsig_sign32", &[Context, Output(64), Digest, Keypair, Data]),
    plain("secp256k1_schnorrsig_sign_custom", &[Context, Output(64), Message, Keypair, Extra]),
    computes("secp256k1_schnorrsig_verify", &[Context, Schnorr, Message, Xonly]),
];

/// Functions that data symbols hold. They take no context.
pub(crate) const HELD: &[Function] = &[
    plain("secp256k1_nonce_function_rfc6979", &[Output(32), Digest, Number, Algorithm, Data, Attempt]),
    plain("secp256k1_nonce_function_default", &[Output(32), Digest, Number, Algorithm, Data, Attempt]),
    plain("secp256k1_nonce_function_bip340", &[Output(32), Message, Number, X, NamedAlgorithm, Data]),
    plain("secp256k1_ecdh_hash_function_sha256", &[Output(64), X, X, Data]),
    plain("secp256k1_ecdh_hash_function_default", &[Output(64), X, X, Data]),
];

/// Functions that make, change and end contexts.
pub(crate) const OF_CONTEXTS: [&str; 13] = [
    "secp256k1_selftest",
    "secp256k1_context_create",
    "secp256k1_context_clone",
    "secp256k1_context_destroy",
    "secp256k1_context_set_illegal_callback",
    "secp256k1_context_set_error_callback",
    "secp256k1_context_set_sha256_compression",
    "secp256k1_context_randomize",
    "secp256k1_context_preallocated_size",
    "secp256k1_context_preallocated_create",
    "secp256k1_context_preallocated_clone_size",
    "secp256k1_context_preallocated_clone",
    "secp256k1_context_preallocated_destroy",
];
