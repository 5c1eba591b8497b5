//! Addresses: bech32m of two keys.

use std::fmt;
use std::str::FromStr;

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32m, ByteIterExt, Fe32, Fe32IterExt, Hrp};
use phalanx::{PublicKey, SecretKey};

use crate::wipe::{SINGLE, cleared};
use crate::{Error, hash};

/// The bytes of the keys.
const KEYS: usize = 2 * 33;
/// The version that BIP-352 keeps for what does not fit the others.
const RESERVED: u8 = 31;

/// An address of silent payments.
///
/// ```
/// use phalanx_silent::Address;
/// let text = "sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv";
/// let address: Address = text.parse()?;
/// assert!(address.is_mainnet());
/// assert_eq!(address.to_string(), text);
/// # Ok::<(), phalanx_silent::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    mainnet: bool,
    scan: PublicKey,
    spend: PublicKey,
}

impl Address {
    /// The address without a label, on Bitcoin's main network or on the test networks.
    pub const fn new(scan: PublicKey, spend: PublicKey, mainnet: bool) -> Address {
        Address { mainnet, scan, spend }
    }

    /// The address with a label. Label 0 is for change, and is given to nobody. Constant time in the scan secret.
    ///
    /// # Errors
    /// [`Error::BadLabel`].
    pub fn labelled(scan: &SecretKey, spend: &PublicKey, label: u32, mainnet: bool) -> Result<Address, Error> {
        let spend = cleared::<SINGLE, _>(|| labelled_key(spend, &hash::label_tweak(scan, label)?, label))?;
        Ok(Address { mainnet, scan: scan.public_key(), spend })
    }

    /// Whether it is for Bitcoin's main network (`sp`), or for a test network (`tsp`).
    pub const fn is_mainnet(&self) -> bool {
        self.mainnet
    }

    /// The scan key.
    pub const fn scan(&self) -> &PublicKey {
        &self.scan
    }

    /// The spend key, with the label in it.
    pub const fn spend(&self) -> &PublicKey {
        &self.spend
    }
}

/// A spend key with a label's tweak.
pub(crate) fn labelled_key(spend: &PublicKey, tweak: &SecretKey, label: u32) -> Result<PublicKey, Error> {
    // The sum of two public keys: who is given the address knows it.
    PublicKey::combine_keys(&[*spend, tweak.public_key()]).map_err(|_| Error::BadLabel(label))
}

impl FromStr for Address {
    type Err = Error;

    /// Reads addresses of version 0, and the keys of versions 1 to 30, which may have more behind them.
    ///
    /// # Errors
    /// [`Error::BadAddress`].
    fn from_str(text: &str) -> Result<Address, Error> {
        let checked = CheckedHrpstring::new::<Bech32m>(text).map_err(|_| Error::BadAddress)?;
        let mainnet = match checked.hrp().to_lowercase().as_str() {
            "sp" => true,
            "tsp" => false,
            _ => return Err(Error::BadAddress),
        };
        let mut digits = checked.fe32_iter();
        let version = digits.next().ok_or(Error::BadAddress)?.to_u8();
        let digits: Vec<Fe32> = digits.collect();
        let bytes: Vec<u8> = digits.iter().copied().fes_to_bytes().collect();
        // Less than a digit, and zero.
        let padding = 5 * digits.len() - 8 * bytes.len();
        let padded = padding < 5 && digits.last().is_none_or(|last| last.to_u8().trailing_zeros() as usize >= padding);
        let length_fits = if version == 0 { bytes.len() == KEYS } else { bytes.len() >= KEYS };
        if !padded || !length_fits || version == RESERVED {
            return Err(Error::BadAddress);
        }
        let key = |bytes: &[u8]| PublicKey::from_bytes(bytes).map_err(|_| Error::BadAddress);
        Ok(Address { mainnet, scan: key(&bytes[..33])?, spend: key(&bytes[33..KEYS])? })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hrp = Hrp::parse_unchecked(if self.mainnet { "sp" } else { "tsp" });
        let keys = self.scan.to_bytes().into_iter().chain(self.spend.to_bytes());
        keys.bytes_to_fes().with_checksum::<Bech32m>(&hrp).with_witness_version(Fe32::Q).chars().try_for_each(
            |character| {
                use fmt::Write;
                f.write_char(character)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> [PublicKey; 2] {
        [[3; 32], [5; 32]].map(|bytes| SecretKey::from_bytes(&bytes).unwrap().public_key())
    }

    /// The text of any version, with any bytes.
    fn text(hrp: &str, version: u8, bytes: &[u8]) -> String {
        let (hrp, version) = (Hrp::parse(hrp).unwrap(), Fe32::try_from(version).unwrap());
        let digits = bytes.iter().copied().bytes_to_fes();
        digits.with_checksum::<Bech32m>(&hrp).with_witness_version(version).chars().collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let [scan, spend] = keys();
        for mainnet in [true, false] {
            let address = Address::new(scan, spend, mainnet);
            let written = address.to_string();
            assert_eq!(written.parse(), Ok(address));
            assert_eq!(written.to_uppercase().parse(), Ok(address));
            assert_eq!(written.starts_with("sp1q"), mainnet);
        }
    }

    #[test]
    fn later_versions_are_read_as_far_as_they_are_known() {
        let [scan, spend] = keys();
        let bytes = [scan.to_bytes(), spend.to_bytes()].concat();
        let longer = [&bytes[..], &[7; 20]].concat();
        let address = Ok(Address::new(scan, spend, true));
        for version in 0..32 {
            let known = if version < 31 { address } else { Err(Error::BadAddress) };
            assert_eq!(text("sp", version, &bytes).parse(), known, "{version}");
            let known = if version == 0 { Err(Error::BadAddress) } else { known };
            assert_eq!(text("sp", version, &longer).parse(), known, "{version}");
            assert_eq!(text("sp", version, &bytes[1..]).parse::<Address>(), Err(Error::BadAddress), "{version}");
        }
    }

    /// The bits behind the last byte are fewer than a digit, and zero.
    #[test]
    fn padding_is_short_and_zero() {
        let [scan, spend] = keys();
        let bytes = [scan.to_bytes(), spend.to_bytes()].concat();
        // 66 bytes leave two bits of a digit over, and longer ones of later versions any number of them.
        for (version, longer) in [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)] {
            let bytes = [&bytes[..], &vec![7; longer]].concat();
            let digits: Vec<Fe32> = bytes.iter().copied().bytes_to_fes().collect();
            let read = |digits: &[Fe32]| {
                let (hrp, version) = (Hrp::parse("sp").unwrap(), Fe32::try_from(version).unwrap());
                let digits = digits.iter().copied().with_checksum::<Bech32m>(&hrp).with_witness_version(version);
                digits.chars().collect::<String>().parse::<Address>()
            };
            assert_eq!(read(&digits), Ok(Address::new(scan, spend, true)));
            let padding = 5 * digits.len() - 8 * bytes.len();
            for bit in 0..padding {
                let mut other = digits.clone();
                let last = other.last_mut().unwrap();
                *last = Fe32::try_from(last.to_u8() | 1 << bit).unwrap();
                assert_eq!(read(&other), Err(Error::BadAddress), "bit {bit} behind {} bytes", bytes.len());
            }
            // A digit that is padding alone; in version 0 it makes no difference to the bytes either.
            let longer = [&digits[..], &[Fe32::Q]].concat();
            let is_byte = (5 * longer.len()) % 8 < 5 && 5 * longer.len() / 8 > bytes.len();
            assert_eq!(read(&longer).is_ok(), is_byte && version > 0);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let [scan, spend] = keys();
        let bytes = [scan.to_bytes(), spend.to_bytes()].concat();
        let good = text("sp", 0, &bytes);
        assert!(good.parse::<Address>().is_ok());
        for at in 0..good.len() {
            let other = if good.as_bytes()[at] == b'q' { "p" } else { "q" };
            let changed = [&good[..at], other, &good[at + 1..]].concat();
            assert_eq!(changed.parse::<Address>(), Err(Error::BadAddress), "{changed}");
            assert_eq!(good[..at].parse::<Address>(), Err(Error::BadAddress));
        }
        for point in [0, 33] {
            let mut off = bytes.clone();
            off[point] = 5;
            assert_eq!(text("sp", 0, &off).parse::<Address>(), Err(Error::BadAddress));
        }
        assert_eq!(text("bc", 0, &bytes).parse::<Address>(), Err(Error::BadAddress));
        for long in [String::new(), "sp1".into(), "sp1".to_owned() + &"q".repeat(1 << 16)] {
            assert_eq!(long.parse::<Address>(), Err(Error::BadAddress));
        }
    }
}
