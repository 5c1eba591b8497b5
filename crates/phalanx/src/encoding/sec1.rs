//! Public keys as octet strings: SEC 1 version 2, sections 2.3.3 and 2.3.4, and the hybrid form of X9.62.

use crate::Error;

/// What an encoded public key says, before anyone asks whether it is a point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sec1<'a> {
    /// 02 or 03, then x: y is the root of that parity.
    Compressed { x: &'a [u8; 32], odd: bool },
    /// 04, then x and y; or, where hybrid keys are accepted, 06 or 07, which repeats the parity of y.
    Full { x: &'a [u8; 32], y: &'a [u8; 32], claimed_odd: Option<bool> },
}

impl<'a> Sec1<'a> {
    /// Reads 33 bytes (02, 03) or 65 bytes (04, and with `hybrid` also 06, 07).
    pub(crate) fn parse(bytes: &'a [u8], hybrid: bool) -> Result<Self, Error> {
        let (prefix, coordinates) = bytes.split_first().ok_or(Error::BadPublicKey)?;
        match (prefix, coordinates.as_chunks::<32>()) {
            (2 | 3, ([x], [])) => Ok(Sec1::Compressed { x, odd: *prefix == 3 }),
            (4, ([x, y], [])) => Ok(Sec1::Full { x, y, claimed_odd: None }),
            (6 | 7, ([x, y], [])) if hybrid => Ok(Sec1::Full { x, y, claimed_odd: Some(*prefix == 7) }),
            _ => Err(Error::BadPublicKey),
        }
    }
}

/// 02 or 03 by the parity of y, then x.
pub(crate) fn compressed(x: &[u8; 32], y_odd: bool) -> [u8; 33] {
    let mut bytes = [0; 33];
    bytes[0] = 2 + u8::from(y_odd);
    bytes[1..].copy_from_slice(x);
    bytes
}

/// 04, then x, then y.
pub(crate) fn uncompressed(x: &[u8; 32], y: &[u8; 32]) -> [u8; 65] {
    let mut bytes = [0; 65];
    bytes[0] = 4;
    bytes[1..33].copy_from_slice(x);
    bytes[33..].copy_from_slice(y);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_prefix_at_each_length() {
        let bytes: [u8; 131] = core::array::from_fn(|i| u8::try_from(i).unwrap_or(0));
        for prefix in 0..=255u8 {
            for length in 0..=130 {
                let mut key = bytes;
                key[0] = prefix;
                let key = &key[..length];
                let accepted = |hybrid| Sec1::parse(key, hybrid).is_ok();
                let plain = matches!((prefix, length), (2 | 3, 33) | (4, 65));
                assert_eq!(accepted(false), plain, "{prefix} {length}");
                assert_eq!(accepted(true), plain || matches!((prefix, length), (6 | 7, 65)), "{prefix} {length}");
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let (x, y) = ([1; 32], [2; 32]);
        assert_eq!(Sec1::parse(&compressed(&x, true), false), Ok(Sec1::Compressed { x: &x, odd: true }));
        assert_eq!(Sec1::parse(&uncompressed(&x, &y), false), Ok(Sec1::Full { x: &x, y: &y, claimed_odd: None }));
        let mut hybrid = uncompressed(&x, &y);
        hybrid[0] = 6;
        assert_eq!(Sec1::parse(&hybrid, true), Ok(Sec1::Full { x: &x, y: &y, claimed_odd: Some(false) }));
    }
}
