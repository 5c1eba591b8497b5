//! The rows the sample is made of, before they take the form of a file.

/// The signature scheme of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Ecdsa,
    Schnorr,
}

impl Scheme {
    /// The name in a `scheme` column.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scheme::Ecdsa => "ecdsa",
            Scheme::Schnorr => "schnorr",
        }
    }
}

/// A signature to verify.
#[derive(Debug, Clone)]
pub(crate) struct VerifyRow {
    /// Where it stands on its chain.
    pub id: String,
    pub scheme: Scheme,
    /// The digest that was signed; for BIP-340 the message.
    pub msg_hash: [u8; 32],
    /// 33 or 65 bytes (SEC 1) for ECDSA, 32 bytes for BIP-340.
    pub pubkey: Vec<u8>,
    /// DER for ECDSA, 64 bytes for BIP-340; no sighash byte.
    pub sig: Vec<u8>,
}

/// An Ethereum transaction whose sender is to be recovered.
#[derive(Debug, Clone)]
pub(crate) struct SenderRow {
    pub transaction_hash: [u8; 32],
    pub block_number: u64,
    pub transaction_index: u32,
    pub msg_hash: [u8; 32],
    pub r: [u8; 32],
    pub s: [u8; 32],
    /// The parity of R.y, 0 or 1: what a typed transaction carries.
    pub parity: u8,
    /// `v` as the transaction carries it: the parity, 27 or 28, or chain id times two plus 35 or 36 (EIP-155).
    pub v_on_chain: u64,
    pub from_address: [u8; 20],
}
