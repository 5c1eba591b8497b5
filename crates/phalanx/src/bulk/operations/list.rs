//! The list of the operations on rows. The library's interfaces for Rust, C, Go and Python are made from it.

/// Calls a macro with every operation: its description, its name in Rust and elsewhere, what it reads, what all rows
/// share, and what it writes. An output that is `optional` may be left out. Where the outputs of a row are one value in
/// Go, the name of many such values and that of their type stand before the outputs.
///
/// Names are those of C's and Go's parameters, so all names of an operation differ. The kinds of inputs and outputs are
/// those of [`ColumnKind`](crate::bulk::columns::ColumnKind), and what rows share is a
/// [`SharedKind`](crate::bulk::columns::SharedKind). There are at most four inputs and three outputs. A description
/// begins with a verb and ends with what holds for the time. New operations come last: their numbers are those of the
/// list. Entries that follow the macro's name are those of crates above this one, and stand at the end.
#[cfg_attr(feature = "bindings", macro_export)]
macro_rules! operations_on_rows {
    ($then:ident $($more:tt)*) => {
        $then! {
            /// Verifies ECDSA signatures. Variable time.
            VerifyEcdsa verify_ecdsa(digests: Digest, signatures: Signature, public_keys: PublicKey) [flags: LowS] -> ();
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
            /// Derives children of extended public keys (BIP-32), and what scripts hold of them. A parent is its key
            /// and its chain code, and is read once for rows that follow each other. An index of 2^31 or more is that
            /// of a hardened child, which no public key has, and makes a row malformed. Variable time.
            DeriveChildren derive_children(parent_keys: PublicKey, chain_codes: ChainCode, indices: Number)
                [payload: PayloadKind] -> children: Child
                (child_keys: PublicKey optional, child_chain_codes: ChainCode optional, payloads: Payload optional);
            $($more)*
        }
    };
}

/// Declares the operations of a list: an enumeration, and the declaration of each. `Declaration`, `ColumnKind` and
/// `SharedKind` are in scope where it is called.
#[cfg_attr(feature = "bindings", macro_export)]
macro_rules! declare_operations {
    ($(
        #[doc = $first:literal] $(#[doc = $more:literal])*
        $operation:ident $name:ident ($($input:ident: $kind:ident $(($bytes:literal))?),*) [$($shared:ident: $shared_kind:ident),*]
            -> $($many:ident: $record:ident)?
            ($($output:ident: $out:ident $(($out_bytes:literal))? $($optional:ident)?),*);
    )*) => {
        /// What a bulk call computes.
        #[non_exhaustive]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(#[doc = $first] $(#[doc = $more])* $operation,)*
        }

        impl Operation {
            /// Every operation.
            pub const ALL: [Operation; [$(Operation::$operation),*].len()] = [$(Operation::$operation),*];

            /// The name and the columns.
            pub const fn declaration(self) -> Declaration {
                match self {
                    $(Operation::$operation => Declaration {
                        name: stringify!($name),
                        about: concat!($first $(, $more)*),
                        inputs: &[$((stringify!($input), ColumnKind::$kind $(($bytes))?)),*],
                        outputs: &[$((stringify!($output), ColumnKind::$out $(($out_bytes))?)),*],
                        optional_outputs: 0 $($(+ { let _ = stringify!($optional); 1 })?)*,
                        record: [$([stringify!($many), stringify!($record)])?].first().copied(),
                        shared: &[$((stringify!($shared), SharedKind::$shared_kind)),*],
                    },)*
                }
            }
        }
    };
}
