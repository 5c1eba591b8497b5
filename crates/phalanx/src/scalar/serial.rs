//! serde for [`Scalar`]: 64 hexadecimal digits in text formats, 32 big-endian bytes in binary ones.

use super::Scalar;
use crate::{Error, encoding::serde};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::serialize(&self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        serde::deserialize(deserializer, "a scalar as 64 hexadecimal digits or 32 bytes", |bytes| {
            let bytes = bytes.try_into().map_err(|_| Error::BadHex)?;
            Scalar::from_bytes(bytes).ok_or(Error::OutOfRange)
        })
    }
}
