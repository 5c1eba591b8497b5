//! Numbers of 256 bits: from hex, from decimal digits, from bytes, and to fewer bits.

use phalanx_rows::RowFault;

/// A number in bytes, the most significant first.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<[u8; 32], RowFault> {
    let mut number = [0; 32];
    let place = number.len().checked_sub(bytes.len()).ok_or(RowFault::WrongLength)?;
    number[place..].copy_from_slice(bytes);
    Ok(number)
}

/// A number in hex digits after `0x`.
pub(super) fn from_hex(text: &[u8]) -> Result<[u8; 32], RowFault> {
    let digits = text.strip_prefix(b"0x").filter(|digits| !digits.is_empty()).ok_or(RowFault::NotHex)?;
    let mut padded = [b'0'; 64];
    let place = padded.len().checked_sub(digits.len()).ok_or(RowFault::WrongLength)?;
    padded[place..].copy_from_slice(digits);
    let mut number = [0; 32];
    const_hex::decode_to_slice(padded, &mut number).map_err(|_| RowFault::NotHex)?;
    Ok(number)
}

/// A number in decimal digits.
pub(super) fn from_decimal(text: &[u8]) -> Result<[u8; 32], RowFault> {
    if text.is_empty() || text.len() > 78 {
        return Err(RowFault::NotNumber);
    }
    let mut number = [0; 32];
    for digit in text {
        let mut carry = match digit {
            b'0'..=b'9' => u16::from(digit - b'0'),
            _ => return Err(RowFault::NotNumber),
        };
        for byte in number.iter_mut().rev() {
            carry += u16::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return Err(RowFault::WrongLength);
        }
    }
    Ok(number)
}

/// The same number in 128 bits, if it has no more.
pub(super) fn to_u128(number: [u8; 32]) -> Result<u128, RowFault> {
    let (high, low) = number.split_at(16);
    match high.iter().all(|byte| *byte == 0) {
        true => Ok(low.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))),
        false => Err(RowFault::WrongLength),
    }
}

/// The same number in 64 bits, if it has no more.
pub(super) fn to_u64(number: [u8; 32]) -> Result<u64, RowFault> {
    to_u128(number)?.try_into().map_err(|_| RowFault::WrongLength)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_number() {
        assert_eq!(from_hex(b"0x1ff").and_then(to_u64), Ok(511));
        assert_eq!(from_decimal(b"511").and_then(to_u64), Ok(511));
        assert_eq!(from_bytes(&[1, 255]).and_then(to_u64), Ok(511));
        assert_eq!(from_hex(b"0x0000000000000000001").and_then(to_u64), Ok(1));
        let largest = b"115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(from_decimal(largest), Ok([255; 32]));
        let mut more = *largest;
        more[77] = b'6';
        assert_eq!(from_decimal(&more), Err(RowFault::WrongLength));
        assert_eq!(from_decimal(&[b'9'; 79]), Err(RowFault::NotNumber));
        assert_eq!(from_hex(&[b"0x".as_slice(), &[b'f'; 65]].concat()), Err(RowFault::WrongLength));
        for wrong in ["", "0x", "1f", "0x-1", "0xg", "0x 1"] {
            assert_eq!(from_hex(wrong.as_bytes()), Err(RowFault::NotHex), "{wrong}");
        }
        for wrong in ["", "-1", "+1", "1.0", "1e3", "0x1"] {
            assert_eq!(from_decimal(wrong.as_bytes()), Err(RowFault::NotNumber), "{wrong}");
        }
        assert_eq!(from_bytes(&[0; 33]), Err(RowFault::WrongLength));
        assert_eq!(from_hex(b"0x10000000000000000").and_then(to_u64), Err(RowFault::WrongLength));
        assert_eq!(from_hex(b"0x10000000000000000").and_then(to_u128), Ok(1 << 64));
    }
}
