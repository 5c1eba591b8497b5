//! Amounts as Bitcoin Core's JSON has them: numbers of bitcoins with up to eight decimals.

/// The decimals of a bitcoin.
const DECIMALS: i32 = 8;

/// The satoshis of a number of bitcoins, as it is written: no float lies between, so none is rounded. None if it is no
/// whole number of satoshis, or more than 64 bits hold.
pub(super) fn satoshis(bitcoins: &str) -> Option<u64> {
    let (mantissa, exponent) = match bitcoins.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (bitcoins, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, decimals].concat();
    if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let shift = exponent.checked_add(DECIMALS)?.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    let below = if shift < 0 { shift.unsigned_abs() as usize } else { 0 };
    let (kept, cut) = digits.split_at(digits.len().saturating_sub(below));
    if cut.bytes().any(|digit| digit != b'0') {
        return None;
    }
    match if kept.is_empty() { 0 } else { kept.parse::<u64>().ok()? } {
        0 => Some(0),
        number => number.checked_mul(10_u64.checked_pow(shift.max(0).unsigned_abs())?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_satoshi_is_lost() {
        for (text, expected) in [
            ("0", 0),
            ("0.00000000", 0),
            ("0.00000001", 1),
            ("1e-08", 1),
            ("1E-8", 1),
            ("50", 5_000_000_000),
            ("50.00000000", 5_000_000_000),
            ("4.74236104", 474_236_104),
            ("0.049", 4_900_000),
            // As floats, these are not their numbers of satoshis.
            ("0.29", 29_000_000),
            ("1.1", 110_000_000),
            ("20999999.97690000", 2_099_999_997_690_000),
            ("20999999.99999999", 2_099_999_999_999_999),
            ("2.1e+7", 2_100_000_000_000_000),
            ("1.500000000000", 150_000_000),
            ("184467440737.09551615", u64::MAX),
            ("0e99", 0),
        ] {
            assert_eq!(satoshis(text), Some(expected), "{text}");
        }
        for wrong in
            ["", ".5", "-1", "+1", "1.234567891", "1e-9", "0x1", "1 ", "1.2.3", "184467440737.09551616", "1e99", "NaN"]
        {
            assert_eq!(satoshis(wrong), None, "{wrong}");
        }
        for place in 0..8 {
            let text = format!("0.{}1", "0".repeat(place));
            assert_eq!(satoshis(&text), Some(10_u64.pow(7 - place as u32)), "{text}");
        }
    }
}
