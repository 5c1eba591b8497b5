//! The bulk operations by name.

/// What a bulk call computes: for those who ask how much memory it takes.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Verification of ECDSA signatures.
    VerifyEcdsa,
    /// Verification of BIP-340 signatures.
    VerifySchnorr,
    /// Recovery of public keys.
    Recover,
    /// Public keys of secret keys.
    PublicKeys,
    /// ECDSA signing.
    SignEcdsa,
    /// BIP-340 signing.
    SignSchnorr,
    /// ECDH.
    SharedSecrets,
    /// Public keys plus tweaks.
    TweakAddPublic,
    /// Public keys from their encodings.
    Decompress,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 9] = [
        Operation::VerifyEcdsa,
        Operation::VerifySchnorr,
        Operation::Recover,
        Operation::PublicKeys,
        Operation::SignEcdsa,
        Operation::SignSchnorr,
        Operation::SharedSecrets,
        Operation::TweakAddPublic,
        Operation::Decompress,
    ];
}
