//! The functions of the interface, with the kinds of their parameters.

use crate::{
    kinds::Kind::{self, *},
    pool::Of,
};

/// A function, its parameters, and whether it computes with points: then structures that no function of the library
/// wrote are out of its contract. Functions that data symbols hold take no context.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Kind],
    pub(crate) computes: bool,
    pub(crate) held: bool,
}

const fn plain(name: &'static str, parameters: &'static [Kind]) -> Function {
    Function { name, parameters, computes: false, held: false }
}

const fn computes(name: &'static str, parameters: &'static [Kind]) -> Function {
    Function { name, parameters, computes: true, held: false }
}

const fn held(name: &'static str, parameters: &'static [Kind]) -> Function {
    Function { name, parameters, computes: false, held: true }
}

/// All functions but those of `contexts`.
pub(crate) const FUNCTIONS: &[Function] = &[
    plain("secp256k1_ec_pubkey_parse", &[Context, Output(Of::Pubkey), EncodedKey]),
    plain("secp256k1_ec_pubkey_serialize", &[Context, Output(Of::Room), Room, Pubkey, Flags]),
    plain("secp256k1_ec_pubkey_cmp", &[Context, Pubkey, Pubkey]),
    plain("secp256k1_ec_pubkey_sort", &[Context, Keys]),
    plain("secp256k1_ecdsa_signature_parse_compact", &[Context, Output(Of::Signature), Compact]),
    plain("secp256k1_ecdsa_signature_parse_der", &[Context, Output(Of::Signature), Der]),
    plain("secp256k1_ecdsa_signature_serialize_der", &[Context, Output(Of::Room), Room, Signature]),
    plain("secp256k1_ecdsa_signature_serialize_compact", &[Context, Output(Of::Encoded), Signature]),
    computes("secp256k1_ecdsa_verify", &[Context, Signature, Digest, Pubkey]),
    plain("secp256k1_ecdsa_signature_normalize", &[Context, Output(Of::Signature), Signature]),
    plain("secp256k1_ecdsa_sign", &[Context, Output(Of::Signature), Digest, Number, Nonces]),
    plain("secp256k1_ec_seckey_verify", &[Context, Number]),
    plain("secp256k1_ec_pubkey_create", &[Context, Output(Of::Pubkey), Number]),
    plain("secp256k1_ec_seckey_negate", &[Context, Number]),
    plain("secp256k1_ec_pubkey_negate", &[Context, Pubkey]),
    plain("secp256k1_ec_seckey_tweak_add", &[Context, Number, Tweak]),
    computes("secp256k1_ec_pubkey_tweak_add", &[Context, Pubkey, Tweak]),
    plain("secp256k1_ec_seckey_tweak_mul", &[Context, Number, Tweak]),
    computes("secp256k1_ec_pubkey_tweak_mul", &[Context, Pubkey, Tweak]),
    plain("secp256k1_ec_pubkey_combine", &[Context, Output(Of::Pubkey), Keys]),
    plain("secp256k1_tagged_sha256", &[Context, Output(Of::Scalar), NamedAlgorithm, Message]),
    plain("secp256k1_ecdsa_recoverable_signature_parse_compact", &[Context, Output(Of::Recoverable), Compact, Id]),
    plain("secp256k1_ecdsa_recoverable_signature_convert", &[Context, Output(Of::Signature), Recoverable]),
    plain(
        "secp256k1_ecdsa_recoverable_signature_serialize_compact",
        &[Context, Output(Of::Encoded), Output(Of::Number), Recoverable],
    ),
    plain("secp256k1_ecdsa_sign_recoverable", &[Context, Output(Of::Recoverable), Digest, Number, Nonces]),
    computes("secp256k1_ecdsa_recover", &[Context, Output(Of::Pubkey), Recoverable, Digest]),
    computes("secp256k1_ecdh", &[Context, Output(Of::Encoded), Pubkey, Number, PointHash]),
    computes("secp256k1_ellswift_encode", &[Context, Output(Of::Encoded), Pubkey, Digest]),
    plain("secp256k1_ellswift_decode", &[Context, Output(Of::Pubkey), Encoding]),
    plain("secp256k1_ellswift_create", &[Context, Output(Of::Encoded), Number, Data]),
    plain("secp256k1_ellswift_xdh", &[Context, Output(Of::Encoded), Encoding, Encoding, Number, Party, XdhHash]),
    plain("secp256k1_xonly_pubkey_parse", &[Context, Output(Of::Xonly), X]),
    plain("secp256k1_xonly_pubkey_serialize", &[Context, Output(Of::Scalar), Xonly]),
    plain("secp256k1_xonly_pubkey_cmp", &[Context, Xonly, Xonly]),
    plain("secp256k1_xonly_pubkey_from_pubkey", &[Context, Output(Of::Xonly), Output(Of::Number), Pubkey]),
    computes("secp256k1_xonly_pubkey_tweak_add", &[Context, Output(Of::Pubkey), Xonly, Tweak]),
    computes("secp256k1_xonly_pubkey_tweak_add_check", &[Context, X, Parity, Xonly, Tweak]),
    plain("secp256k1_keypair_create", &[Context, Output(Of::Keypair), Number]),
    plain("secp256k1_keypair_sec", &[Context, Output(Of::Scalar), Keypair]),
    plain("secp256k1_keypair_pub", &[Context, Output(Of::Pubkey), Keypair]),
    plain("secp256k1_keypair_xonly_pub", &[Context, Output(Of::Xonly), Output(Of::Number), Keypair]),
    computes("secp256k1_keypair_xonly_tweak_add", &[Context, Keypair, Tweak]),
    plain("secp256k1_schnorrsig_sign32", &[Context, Output(Of::Encoded), Digest, Keypair, Data]),
    plain("secp256k1_schnorrsig_sign_custom", &[Context, Output(Of::Encoded), Message, Keypair, Extra]),
    computes("secp256k1_schnorrsig_verify", &[Context, Schnorr, Message, Xonly]),
    plain("secp256k1_musig_pubnonce_parse", &[Context, Output(Of::PublicNonce), EncodedNonce]),
    plain("secp256k1_musig_pubnonce_serialize", &[Context, Output(Of::EncodedNonce), PublicNonce]),
    plain("secp256k1_musig_aggnonce_parse", &[Context, Output(Of::AggregateNonce), EncodedNonce]),
    plain("secp256k1_musig_aggnonce_serialize", &[Context, Output(Of::EncodedNonce), AggregateNonce]),
    plain("secp256k1_musig_partial_sig_parse", &[Context, Output(Of::Partial), Number]),
    plain("secp256k1_musig_partial_sig_serialize", &[Context, Output(Of::Scalar), Partial]),
    computes("secp256k1_musig_pubkey_agg", &[Context, Output(Of::Xonly), Output(Of::Cache), Keys]),
    plain("secp256k1_musig_pubkey_get", &[Context, Output(Of::Pubkey), Cache]),
    computes("secp256k1_musig_pubkey_ec_tweak_add", &[Context, Output(Of::Pubkey), Cache, Tweak]),
    computes("secp256k1_musig_pubkey_xonly_tweak_add", &[Context, Output(Of::Pubkey), Cache, Tweak]),
    plain(
        "secp256k1_musig_nonce_gen",
        &[Context, Output(Of::SecretNonce), Output(Of::PublicNonce), Digest, Number, Pubkey, Data, Cache, Data],
    ),
    plain(
        "secp256k1_musig_nonce_gen_counter",
        &[Context, Output(Of::SecretNonce), Output(Of::PublicNonce), Counter, Keypair, Data, Cache, Data],
    ),
    computes("secp256k1_musig_nonce_agg", &[Context, Output(Of::AggregateNonce), PublicNonces]),
    computes("secp256k1_musig_nonce_process", &[Context, Output(Of::Session), AggregateNonce, Digest, CacheBytes]),
    plain("secp256k1_musig_partial_sign", &[Context, Output(Of::Partial), SecretNonce, Keypair, Cache, Session]),
    computes("secp256k1_musig_partial_sig_verify", &[Context, Partial, PublicNonce, Pubkey, CacheBytes, Session]),
    plain("secp256k1_musig_partial_sig_agg", &[Context, Output(Of::Encoded), Session, Partials]),
    computes(
        "secp256k1_silentpayments_sender_create_outputs",
        &[Context, Recipients, Outpoint, KeypairList, SeckeyList],
    ),
    plain("secp256k1_silentpayments_recipient_label_parse", &[Context, Output(Of::Label), EncodedPoint]),
    plain("secp256k1_silentpayments_recipient_label_serialize", &[Context, Output(Of::EncodedPoint), Label]),
    plain(
        "secp256k1_silentpayments_recipient_label_create",
        &[Context, Output(Of::Label), Output(Of::Scalar), Number, Counter],
    ),
    computes(
        "secp256k1_silentpayments_recipient_create_labeled_spend_pubkey",
        &[Context, Output(Of::Pubkey), Spend, Label],
    ),
    computes(
        "secp256k1_silentpayments_recipient_prevouts_summary_create",
        &[Context, Output(Of::Summary), Outpoint, XonlyList, PubkeyList],
    ),
    computes(
        "secp256k1_silentpayments_recipient_scan_outputs",
        &[Context, Outputs, Number, Summary, Spend, LabelLookup],
    ),
    held("secp256k1_nonce_function_rfc6979", &[Output(Of::Scalar), Digest, Number, Algorithm, Data, Attempt]),
    held("secp256k1_nonce_function_default", &[Output(Of::Scalar), Digest, Number, Algorithm, Data, Attempt]),
    held("secp256k1_nonce_function_bip340", &[Output(Of::Scalar), Message, Number, X, NamedAlgorithm, Data]),
    held("secp256k1_ecdh_hash_function_sha256", &[Output(Of::Encoded), X, X, Data]),
    held("secp256k1_ecdh_hash_function_default", &[Output(Of::Encoded), X, X, Data]),
    held("secp256k1_ellswift_xdh_hash_function_prefix", &[Output(Of::Encoded), X, Encoding, Encoding, Prefix]),
    held("secp256k1_ellswift_xdh_hash_function_bip324", &[Output(Of::Encoded), X, Encoding, Encoding, Prefix]),
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
