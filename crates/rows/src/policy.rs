//! What rows are held to.

use phalanx::LowS;

/// How ECDSA signatures and keys are read, and which of them count.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Whether a high s is refused.
    pub low_s: LowS,
    /// How DER is read.
    pub der: DerRules,
    /// Accept 65-byte keys that begin with 06 or 07.
    pub hybrid_keys: bool,
}

/// How DER is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerRules {
    /// As BIP-66 and X.690 say: one encoding for each signature.
    Strict,
    /// As OpenSSL once did and old blocks need it: padding, odd lengths and trailing bytes are forgiven.
    Lax,
}
