//! DER signatures of any two numbers, in range or not.

/// The DER form of 64 bytes of r and s, in range or not.
pub fn encode(signature: &[u8]) -> Vec<u8> {
    let body: Vec<u8> = signature.chunks_exact(32).flat_map(|number| integer(&minimal(number))).collect();
    sequence(&body)
}

/// A sequence of less than 128 bytes.
pub fn sequence(body: &[u8]) -> Vec<u8> {
    [&[0x30, body.len() as u8], body].concat()
}

/// An integer of these digits, be they as few as they can or not.
pub fn integer(digits: &[u8]) -> Vec<u8> {
    [&[2, digits.len() as u8], digits].concat()
}

/// As few bytes as a number that is not negative can have.
pub fn minimal(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|byte| **byte == 0).count().min(number.len() - 1);
    let sign = if number[zeros] & 0x80 == 0 { &[][..] } else { &[0] };
    [sign, &number[zeros..]].concat()
}
