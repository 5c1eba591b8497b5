//! Values of public bytes as text.

/// Gives a type its bytes, of one of these lengths, as hexadecimal text, and serde: text or bytes, by the format.
macro_rules! text {
    ($type:ident, $name:literal, $what:literal, [$($length:literal),*], $write:ident, $read:ident) => {
        impl core::str::FromStr for $type {
            type Err = $crate::Error;

            #[doc = concat!("Reads hexadecimal digits: [`", stringify!($type), "::", stringify!($read), "`] of the bytes.")]
            fn from_str(text: &str) -> Result<$type, $crate::Error> {
                let mut buffer = [0; 65];
                let bytes = $crate::encoding::decode_hex_prefix(text, &mut buffer)?;
                if matches!(bytes.len(), $($length)|*) { $type::$read(bytes) } else { Err($crate::Error::BadHex) }
            }
        }

        impl core::fmt::Display for $type {
            #[doc = concat!("The bytes of [`", stringify!($type), "::", stringify!($write), "`] in hexadecimal.")]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::encoding::Hex(&self.$write()).fmt(f)
            }
        }

        impl core::fmt::LowerHex for $type {
            /// As [`Display`](core::fmt::Display).
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({self})", $name)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            #[doc = concat!("The bytes of [`", stringify!($type), "::", stringify!($write), "`].")]
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::encoding::serde::serialize(&self.$write(), serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                $crate::encoding::serde::deserialize(deserializer, $what, $type::$read)
            }
        }
    };
}

pub(crate) use text;
