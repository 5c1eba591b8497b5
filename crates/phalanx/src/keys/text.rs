//! Keys as text: hexadecimal digits in, hexadecimal digits out (public keys only), and serde.

use super::{PublicKey, SecretKey, XOnlyPublicKey};
use crate::{
    Error,
    encoding::{Hex, decode_hex, decode_hex_into, decode_hex_prefix},
    wipe::{ScalarStack, wipe},
};
use core::{fmt, str::FromStr};

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

impl FromStr for PublicKey {
    type Err = Error;

    /// Reads 66 or 130 hexadecimal digits, as [`PublicKey::from_bytes`].
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut buffer = [0; 65];
        let bytes = decode_hex_prefix(text, &mut buffer)?;
        if matches!(bytes.len(), 33 | 65) { Self::from_bytes(bytes) } else { Err(Error::BadHex) }
    }
}

impl FromStr for XOnlyPublicKey {
    type Err = Error;

    /// Reads 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_bytes(&decode_hex::<32>(text)?)
    }
}

impl fmt::Display for PublicKey {
    /// The compressed encoding in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.to_bytes()).fmt(f)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl fmt::Display for XOnlyPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.to_bytes()).fmt(f)
    }
}

impl fmt::Debug for XOnlyPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "XOnlyPublicKey({self})")
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use super::*;
    use crate::encoding::serde::{deserialize, serialize};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for SecretKey {
        /// The 32 bytes of the key. Serialising gives the secret away to the format, which will not wipe it.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            ScalarStack::cleared(|| {
                let mut bytes = self.to_bytes();
                let result = serialize(&bytes, serializer);
                wipe(&mut bytes);
                result
            })
        }
    }

    impl<'de> Deserialize<'de> for SecretKey {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            ScalarStack::cleared(|| deserialize(deserializer, "a secret key of 32 bytes", Self::from_slice))
        }
    }

    impl Serialize for PublicKey {
        /// The compressed encoding.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serialize(&self.to_bytes(), serializer)
        }
    }

    impl<'de> Deserialize<'de> for PublicKey {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserialize(deserializer, "a public key of 33 or 65 bytes", Self::from_bytes)
        }
    }

    impl Serialize for XOnlyPublicKey {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serialize(&self.to_bytes(), serializer)
        }
    }

    impl<'de> Deserialize<'de> for XOnlyPublicKey {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserialize(deserializer, "an x-only public key of 32 bytes", Self::from_bytes)
        }
    }
}
