//! Addresses that end before they say a version or have two keys, with a checksum that holds.

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32m, Fe32IterExt, Hrp};
use phalanx::SecretKey;
use phalanx_silent::{Address, Error};

#[test]
fn an_address_has_a_version_and_two_keys() {
    let key = || SecretKey::random().public_key();
    let whole = Address::new(key(), key(), true).to_string();
    let decoded = CheckedHrpstring::new::<Bech32m>(&whole).expect("a checksum that holds");
    let digits: Vec<bech32::Fe32> = decoded.fe32_iter().collect();
    for length in [0, 1, 2, digits.len() / 2, digits.len() - 1] {
        let hrp = Hrp::parse("sp").expect("a name");
        let text: String = digits[..length].iter().copied().with_checksum::<Bech32m>(&hrp).chars().collect();
        assert!(CheckedHrpstring::new::<Bech32m>(&text).is_ok());
        assert_eq!(text.parse::<Address>(), Err(Error::BadAddress), "{length} digits");
    }
}
