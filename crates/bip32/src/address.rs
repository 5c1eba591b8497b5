//! Scripts that one key unlocks, and their addresses.

use bech32::segwit;
use phalanx::PublicKey;
use phalanx::children::{Child, Payload, PayloadKind};

use crate::text::encode_hash;
use crate::{Chain, Error};

/// A kind of script that one key unlocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptKind {
    /// Pay to the hash of a key.
    P2pkh,
    /// The hash of a key in SegWit, within the hash of a script: BIP-49.
    P2shP2wpkh,
    /// The hash of a key in SegWit: BIP-84.
    P2wpkh,
    /// A taproot output key without a tree of scripts: BIP-86.
    P2tr,
}

impl ScriptKind {
    /// Every kind.
    pub const ALL: [ScriptKind; 4] = [ScriptKind::P2pkh, ScriptKind::P2shP2wpkh, ScriptKind::P2wpkh, ScriptKind::P2tr];

    /// The name by which users ask for it.
    pub const fn name(self) -> &'static str {
        match self {
            ScriptKind::P2pkh => "p2pkh",
            ScriptKind::P2shP2wpkh => "p2sh-p2wpkh",
            ScriptKind::P2wpkh => "p2wpkh",
            ScriptKind::P2tr => "p2tr",
        }
    }

    /// What such a script holds of a key.
    pub fn payload(self) -> PayloadKind {
        match self {
            ScriptKind::P2pkh | ScriptKind::P2wpkh => PayloadKind::KeyHash,
            ScriptKind::P2shP2wpkh => PayloadKind::ScriptHash,
            ScriptKind::P2tr => PayloadKind::TaprootKey,
        }
    }
}

/// A script that one key unlocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockingScript {
    kind: ScriptKind,
    payload: Payload,
}

impl LockingScript {
    /// The script of a key. Variable time.
    ///
    /// # Errors
    /// [`Error::NoChild`] if the key has no taproot output key. No such key is known.
    pub fn of_key(kind: ScriptKind, key: &PublicKey) -> Result<Self, Error> {
        Ok(LockingScript { kind, payload: kind.payload().of(key)? })
    }

    /// The script of a child that was derived with [`ScriptKind::payload`]; none if it has another payload.
    pub fn of_child(kind: ScriptKind, child: &Child) -> Option<Self> {
        (child.payload.kind() == kind.payload()).then_some(LockingScript { kind, payload: child.payload })
    }

    /// The script as an output has it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (before, behind): (&[u8], &[u8]) = match self.kind {
            ScriptKind::P2pkh => (&[0x76, 0xa9, 20], &[0x88, 0xac]),
            ScriptKind::P2shP2wpkh => (&[0xa9, 20], &[0x87]),
            ScriptKind::P2wpkh => (&[0, 20], &[]),
            ScriptKind::P2tr => (&[0x51, 32], &[]),
        };
        [before, self.payload.as_bytes(), behind].concat()
    }

    /// The address on a network.
    pub fn address(&self, chain: Chain) -> String {
        let (payload, [key_hash, script_hash]) = (self.payload.as_bytes(), chain.base58_prefixes());
        match self.kind {
            ScriptKind::P2pkh => encode_hash(key_hash, payload),
            ScriptKind::P2shP2wpkh => encode_hash(script_hash, payload),
            ScriptKind::P2wpkh => segwit::encode_v0(chain.hrp(), payload).expect("a program of 20 bytes"),
            ScriptKind::P2tr => segwit::encode_v1(chain.hrp(), payload).expect("a program of 32 bytes"),
        }
    }
}
