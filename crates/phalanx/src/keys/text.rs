//! Keys as text: hexadecimal digits in, hexadecimal digits out (public keys only), and serde.

use super::{PublicKey, SecretKey, XOnlyPublicKey};
use crate::{
    Error,
    encoding::{decode_hex_into, text},
    wipe::{ScalarStack, wipe},
};
use core::str::FromStr;

text!(PublicKey, "PublicKey", "a public key of 33 or 65 bytes", [33, 65], to_bytes, from_bytes);
text!(XOnlyPublicKey, "XOnlyPublicKey", "an x-only public key of 32 bytes", [32], to_bytes, from_bytes);

impl FromStr for SecretKey {
    type Err = Error;

    /// Reads 64 hexadecimal digits, in constant time except for what is wrong with them.
    fn from_str(text: &str) -> Result<Self, Error> {
        ScalarStack::cleared(|| {
            let mut bytes = [0; 32];
            let secret = decode_hex_into(text, &mut bytes).and_then(|()| Self::from_bytes(&bytes));
            wipe(&mut bytes);
            secret
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SecretKey {
    /// The 32 bytes of the key. Serialising gives the secret away to the format, which will not wipe it.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ScalarStack::cleared(|| {
            let mut bytes = self.to_bytes();
            let result = crate::encoding::serde::serialize(&bytes, serializer);
            wipe(&mut bytes);
            result
        })
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SecretKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = || crate::encoding::serde::deserialize(deserializer, "a secret key of 32 bytes", Self::from_bytes);
        ScalarStack::cleared(read)
    }
}
