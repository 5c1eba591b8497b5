//! Which rules a script is held to.

use std::ops::{BitOr, Sub};

/// A set of script rules. [`Network::flags`](crate::Network::flags) has those of consensus for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u32);

/// Each rule with its name in Bitcoin Core and its bit there.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $name: Flags = Flags(1 << $bit);)*

            /// The rule of this name, as Bitcoin Core's vectors write it.
            pub fn from_name(name: &str) -> Option<Flags> {
                match name {
                    $(stringify!($name) => Some(Flags::$name),)*
                    _ => None,
                }
            }
        }
    };
}

rules! {
    /// BIP-16: an output can name the hash of the script that spends it.
    P2SH = 0;
    /// Policy: signatures, keys and sighash types have the usual forms.
    STRICTENC = 1;
    /// BIP-66: signatures are strict DER.
    DERSIG = 2;
    /// Policy: s is at most half the group order.
    LOW_S = 3;
    /// BIP-147: the superfluous element that CHECKMULTISIG takes is empty.
    NULLDUMMY = 4;
    /// Policy: the script of an input only pushes.
    SIGPUSHONLY = 5;
    /// Policy: pushes and numbers are the shortest.
    MINIMALDATA = 6;
    /// Policy: NOPs kept for later rules are not used.
    DISCOURAGE_UPGRADABLE_NOPS = 7;
    /// Policy: nothing but the result is left on the stack.
    CLEANSTACK = 8;
    /// BIP-65.
    CHECKLOCKTIMEVERIFY = 9;
    /// BIP-112.
    CHECKSEQUENCEVERIFY = 10;
    /// BIP-141 and BIP-143.
    WITNESS = 11;
    /// Policy: witness versions kept for later rules are not used.
    DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM = 12;
    /// Policy: conditions in version 0 are empty or the byte 1.
    MINIMALIF = 13;
    /// Policy: a signature that does not hold is empty.
    NULLFAIL = 14;
    /// Policy: keys in version 0 are compressed.
    WITNESS_PUBKEYTYPE = 15;
    /// Policy: legacy scripts neither delete signatures nor separate code.
    CONST_SCRIPTCODE = 16;
    /// BIP-341 and BIP-342.
    TAPROOT = 17;
    /// Policy: leaf versions kept for later rules are not used.
    DISCOURAGE_UPGRADABLE_TAPROOT_VERSION = 18;
    /// Policy: opcodes kept for later rules are not used.
    DISCOURAGE_OP_SUCCESS = 19;
    /// Policy: forms of keys kept for later rules are not used.
    DISCOURAGE_UPGRADABLE_PUBKEYTYPE = 20;
}

impl Flags {
    /// No rule beyond the first.
    pub const NONE: Flags = Flags(0);

    /// Whether all rules of the other set are in this one.
    pub const fn contains(self, others: Flags) -> bool {
        self.0 & others.0 == others.0
    }

    /// Whether some rule is in both sets.
    pub const fn intersects(self, others: Flags) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl Sub for Flags {
    type Output = Flags;

    /// The rules of the first set that are not in the second.
    fn sub(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
}
