//! The list of the operations on rows. The library's interfaces for Rust, C, Go and Python are made from it.

/// Calls a macro with every operation: its description, its name in Rust and elsewhere, what it reads, `flags` where
/// high s may be allowed, and what it writes. An output that is `optional` may be left out.
///
/// The names of inputs and outputs are C's and Go's parameters, so all names of an operation differ. Their kinds are
/// those of [`ColumnKind`](crate::bulk::columns::ColumnKind). There are at most three inputs and two outputs. A description
/// begins with a verb and ends with what holds for the time. New operations come last: their numbers are those of the
/// list.
#[cfg_attr(feature = "bindings", macro_export)]
macro_rules! operations_on_rows {
    ($then:ident) => {
        $then! {
            /// Verifies ECDSA signatures. Variable time.
            VerifyEcdsa verify_ecdsa(digests: Digest, signatures: Signature, public_keys: PublicKey) [flags] -> ();
            /// Verifies Schnorr signatures of BIP-340. Variable time.
            VerifySchnorr verify_schnorr(
                messages: Message, signatures: SchnorrSignature, public_keys: XOnlyPublicKey
            ) [] -> ();
            /// Recovers the public keys of ECDSA signatures by recovery ids from 0 to 3. High s is accepted. Variable
            /// time.
            Recover recover(digests: Digest, signatures: Signature, recovery_ids: RecoveryId) []
                -> (found_keys: PublicKey);
            /// Computes the public keys of secret keys. Constant time.
            PublicKeys public_keys(secret_keys: SecretKey) [] -> (public_keys: PublicKey);
            /// Signs digests by secret keys: ECDSA with the nonces of RFC 6979 and low s. Constant time.
            SignEcdsa sign_ecdsa(digests: Digest, secret_keys: SecretKey) []
                -> (signatures: Signature, recovery_ids: RecoveryId optional);
            /// Signs messages by secret keys and auxiliary randomness, which may be zero: BIP-340. Constant time.
            SignSchnorr sign_schnorr(messages: Message, secret_keys: SecretKey, randomness: Bytes(32)) []
                -> (signatures: SchnorrSignature);
            /// Computes the shared secrets of public keys and secret keys: ECDH with the hash that libsecp256k1 takes
            /// by default, SHA-256 of the compressed point. Constant time in the secret keys.
            SharedSecrets shared_secrets(public_keys: PublicKey, secret_keys: SecretKey) []
                -> (shared_secrets: Bytes(32));
            /// Adds tweaks times the generator to public keys. Constant time in the tweaks, except that it tells
            /// whether a row has a result.
            TweakAddPublic tweak_add_public(public_keys: PublicKey, tweaks: Bytes(32)) []
                -> (tweaked_keys: PublicKey);
            /// Reads public keys, and writes them in another form. Variable time.
            Decompress decompress(public_keys: PublicKey) [] -> (found_keys: PublicKey);
        }
    };
}
