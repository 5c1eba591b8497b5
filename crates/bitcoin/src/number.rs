//! Numbers as scripts have them: little-endian, with a sign in the last byte's top bit.

use crate::script_error::ScriptError;

/// The bytes of a number that arithmetic takes.
pub(crate) const NUMBER_BYTES: usize = 4;

/// The bytes of a lock time.
pub(crate) const LOCK_TIME_BYTES: usize = 5;

/// Reads a number of at most `longest` bytes, eight at most.
///
/// # Errors
/// It is longer, or `minimal` and not the shortest.
pub(crate) fn read(bytes: &[u8], longest: usize, minimal: bool) -> Result<i64, ScriptError> {
    let Some((last, rest)) = bytes.split_last() else { return Ok(0) };
    let padded = last & 0x7f == 0 && rest.last().is_none_or(|before| before & 0x80 == 0);
    if bytes.len() > longest || minimal && padded {
        return Err(ScriptError::ScriptNumber);
    }
    let absolute = rest.iter().rfold(i64::from(last & 0x7f), |number, byte| number << 8 | i64::from(*byte));
    Ok(if last & 0x80 == 0 { absolute } else { -absolute })
}

/// The shortest form of a number.
pub(crate) fn write(number: i64) -> Vec<u8> {
    let mut bytes = number.unsigned_abs().to_le_bytes().to_vec();
    while bytes.pop_if(|last| *last == 0).is_some() {}
    if bytes.last().is_some_and(|last| last & 0x80 != 0) {
        bytes.push(0);
    }
    if number < 0
        && let Some(last) = bytes.last_mut()
    {
        *last |= 0x80;
    }
    bytes
}

/// Whether a value counts as true: some byte is not zero, but for the sign of a negative zero.
pub(crate) fn is_true(bytes: &[u8]) -> bool {
    bytes.split_last().is_some_and(|(last, rest)| last & 0x7f != 0 || rest.iter().any(|byte| *byte != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, -1, 127, -127, 128, -128, 255, 256, 32767, 32768, -0x7fff_ffff, 0x7fff_ffff] {
            assert_eq!(read(&write(number), NUMBER_BYTES, true), Ok(number));
        }
        assert_eq!(
            (write(0), write(-1), write(128), write(-255)),
            (vec![], vec![0x81], vec![0x80, 0], vec![0xff, 0x80])
        );
    }

    #[test]
    fn long_and_padded_numbers_are_refused() {
        assert_eq!(read(&[0; 5], NUMBER_BYTES, false), Err(ScriptError::ScriptNumber));
        assert_eq!(read(&[0; 5], LOCK_TIME_BYTES, false), Ok(0));
        for padded in [&[0][..], &[0x80], &[1, 0], &[1, 0x80]] {
            assert_eq!(read(padded, NUMBER_BYTES, true), Err(ScriptError::ScriptNumber));
            assert!(read(padded, NUMBER_BYTES, false).is_ok());
        }
        assert_eq!(read(&[0xff, 0x80], NUMBER_BYTES, true), Ok(-255));
    }

    #[test]
    fn zeros_are_false() {
        assert!([&[][..], &[0], &[0, 0], &[0x80], &[0, 0x80]].iter().all(|zero| !is_true(zero)));
        assert!([&[1][..], &[0, 1], &[0x80, 0], &[0x81]].iter().all(|value| is_true(value)));
    }
}
