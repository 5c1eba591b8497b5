//! The forks that changed which signatures there may be.

use core::fmt;
use phalanx::LowS;

/// The forks that changed which signatures a transaction may have, in their order. Later forks have the rules of
/// [`Fork::Prague`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fork {
    /// High s is allowed.
    Frontier,
    /// High s is refused (EIP-2).
    Homestead,
    /// The chain id may be signed (EIP-155).
    SpuriousDragon,
    /// Access lists: type 1 (EIP-2930).
    Berlin,
    /// The fee market: type 2 (EIP-1559).
    London,
    /// Blobs: type 3 (EIP-4844).
    Cancun,
    /// Set code: type 4 (EIP-7702).
    Prague,
}

impl Fork {
    /// All forks, in their order.
    pub const ALL: [Fork; 7] =
        [Fork::Frontier, Fork::Homestead, Fork::SpuriousDragon, Fork::Berlin, Fork::London, Fork::Cancun, Fork::Prague];

    /// The fork that a block of Ethereum's main chain belongs to.
    ///
    /// ```
    /// use phalanx_ethereum::Fork;
    /// assert_eq!([0, 1_150_000, 22_431_084].map(Fork::of_mainnet_block), [Fork::Frontier, Fork::Homestead, Fork::Prague]);
    /// ```
    pub const fn of_mainnet_block(number: u64) -> Fork {
        match number {
            0..1_150_000 => Fork::Frontier,
            1_150_000..2_675_000 => Fork::Homestead,
            2_675_000..12_244_000 => Fork::SpuriousDragon,
            12_244_000..12_965_000 => Fork::Berlin,
            12_965_000..19_426_587 => Fork::London,
            19_426_587..22_431_084 => Fork::Cancun,
            _ => Fork::Prague,
        }
    }

    /// Whether s may be above half the group order.
    pub const fn low_s(self) -> LowS {
        match self {
            Fork::Frontier => LowS::Allow,
            _ => LowS::Require,
        }
    }
}

impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fork::Frontier => "Frontier",
            Fork::Homestead => "Homestead",
            Fork::SpuriousDragon => "Spurious Dragon",
            Fork::Berlin => "Berlin",
            Fork::London => "London",
            Fork::Cancun => "Cancun",
            Fork::Prague => "Prague",
        })
    }
}
