//! Keys and signatures in serde's formats: hexadecimal text where people read it, bytes elsewhere.

use super::{Hex, decode_hex_prefix};
use crate::{Error, wipe::wipe};
use core::{fmt, marker::PhantomData};
use serde::{
    Deserializer, Serializer,
    de::{self, SeqAccess, Visitor},
};

/// The longest encoding of any type here: an uncompressed public key.
const LONGEST: usize = 65;

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() { serializer.collect_str(&Hex(bytes)) } else { serializer.serialize_bytes(bytes) }
}

/// Reads what `parse` makes of the bytes; `what` names it in error messages.
pub(crate) fn deserialize<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    what: &'static str,
    parse: fn(&[u8]) -> Result<T, Error>,
) -> Result<T, D::Error> {
    let visitor = Encoding { what, parse, value: PhantomData };
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(visitor)
    } else {
        deserializer.deserialize_bytes(visitor)
    }
}

struct Encoding<T> {
    what: &'static str,
    parse: fn(&[u8]) -> Result<T, Error>,
    value: PhantomData<T>,
}

impl<'de, T> Visitor<'de> for Encoding<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        let mut buffer = [0; LONGEST];
        let value = decode_hex_prefix(text, &mut buffer).and_then(self.parse).map_err(E::custom);
        wipe(&mut buffer);
        value
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.parse)(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<T, A::Error> {
        let mut buffer = [0; LONGEST];
        let filled = self.fill(&mut bytes, &mut buffer);
        let value = filled.and_then(|length| (self.parse)(&buffer[..length]).map_err(de::Error::custom));
        wipe(&mut buffer);
        value
    }
}

impl<T> Encoding<T> {
    /// Fills the front of the buffer, and says how much of it.
    fn fill<'de, A: SeqAccess<'de>>(&self, bytes: &mut A, buffer: &mut [u8; LONGEST]) -> Result<usize, A::Error>
    where
        Self: Visitor<'de>,
    {
        let mut length = 0;
        while let Some(byte) = bytes.next_element()? {
            *buffer.get_mut(length).ok_or_else(|| de::Error::invalid_length(length + 1, self))? = byte;
            length += 1;
        }
        Ok(length)
    }
}
