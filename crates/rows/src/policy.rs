//! What rows are held to.

use phalanx::LowS;

/// How ECDSA signatures and keys are read, and which of them count. By default high s is allowed, DER is strict, and the
/// recovery id is the last byte.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Whether a high s is refused.
    pub low_s: LowS,
    /// How DER is read.
    pub der: DerRules,
    /// Accept 65-byte keys that begin with 06 or 07.
    pub hybrid_keys: bool,
    /// Where recovery ids stand.
    pub recovery_ids: RecoveryIds,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { low_s: LowS::Allow, der: DerRules::Strict, hybrid_keys: false, recovery_ids: RecoveryIds::Last }
    }
}

/// Where the recovery id of an ECDSA signature stands, and which numbers encode one.
///
/// A `v` in a column of its own may be 0 to 3, 27 to 30, or 35 and above (EIP-155) under all but [`Self::Header`]. Under
/// that it is 27 to 42.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecoveryIds {
    /// The last of 65 bytes: 0 to 3, or 27 to 30.
    #[default]
    Last,
    /// The last of 65 bytes: 0 to 3, 27 to 30, or 35 and above.
    Eip155,
    /// The first of 65 bytes: 27 to 42, as BIP-137 has it, or 0 to 3.
    Header,
    /// The highest bit of 64 bytes' s, as EIP-2098 has it; or the last of 65 bytes: 0 to 3, or 27 to 30.
    Eip2098,
}

/// How DER is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerRules {
    /// As BIP-66 and X.690 say: one encoding for each signature.
    Strict,
    /// As OpenSSL once did and old blocks need it: padding, odd lengths and trailing bytes are forgiven.
    Lax,
}
