//! DER signatures as the original reads them: strict in every length and byte, but a number that is negative or not
//! below n is read as zero.

use phalanx::Scalar;

/// The two numbers, none where DER forbids the encoding.
pub(crate) fn parse(bytes: &[u8]) -> Option<[Scalar; 2]> {
    let mut after = bytes;
    let mut rest = value(&mut after, 0x30)?;
    if !after.is_empty() {
        return None;
    }
    let numbers = [integer(&mut rest)?, integer(&mut rest)?];
    rest.is_empty().then_some(numbers)
}

/// The contents of the value at the front, which must carry this tag. What follows it stays.
fn value<'a>(bytes: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    let [first, rest @ ..] = *bytes else { return None };
    if *first != tag {
        return None;
    }
    let (length, rest) = length(rest)?;
    let (contents, after) = rest.split_at_checked(length)?;
    *bytes = after;
    Some(contents)
}

/// The length at the front, in the shortest form (X.690, sections 8.1.3 and 10.1), and what follows it.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    if *first < 0x80 {
        return Some((usize::from(*first), rest));
    }
    // 0x80 alone is the indefinite form, 0xff reserved.
    if matches!(first, 0x80 | 0xff) {
        return None;
    }
    let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    if digits[0] == 0 || digits.len() > size_of::<usize>() {
        return None;
    }
    let length = digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit));
    (length >= 0x80).then_some((length, rest))
}

fn integer(bytes: &mut &[u8]) -> Option<Scalar> {
    let digits = value(bytes, 2)?;
    match digits {
        [] => return None,
        // Superfluous in front of a number, positive or negative.
        [0, second, ..] if second & 0x80 == 0 => return None,
        [0xff, second, ..] if second & 0x80 != 0 => return None,
        _ => {}
    }
    // Negative.
    if digits[0] & 0x80 != 0 {
        return Some(Scalar::ZERO);
    }
    let digits = digits.strip_prefix(&[0]).unwrap_or(digits);
    let mut number = [0; 32];
    let Some(start) = number.len().checked_sub(digits.len()) else { return Some(Scalar::ZERO) };
    number[start..].copy_from_slice(digits);
    Some(Scalar::from_bytes(&number).unwrap_or(Scalar::ZERO))
}

/// The encoding, at most 72 bytes, and its length.
pub(crate) fn serialize(numbers: [&[u8; 32]; 2]) -> ([u8; 72], usize) {
    let mut bytes = [0; 72];
    let mut end = 2;
    for number in numbers {
        let zeros = number.iter().take(31).take_while(|byte| **byte == 0).count();
        let digits = &number[zeros..];
        // A number whose top bit is set would read as negative without a zero in front.
        let padding = usize::from(digits[0] >> 7);
        bytes[end..end + 2].copy_from_slice(&[2, (padding + digits.len()) as u8]);
        end += 2 + padding + digits.len();
        bytes[end - digits.len()..end].copy_from_slice(digits);
    }
    bytes[..2].copy_from_slice(&[0x30, (end - 2) as u8]);
    (bytes, end)
}
