//! Numbers, hostile ones among them, and addresses of bytes.

use crate::random::Random;

/// The group order n, big-endian.
pub(crate) const ORDER: [u8; 32] =
    number(0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe, 0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141);
/// The prime p, big-endian.
const PRIME: [u8; 32] = number(u128::MAX, 0xffff_ffff_ffff_ffff_ffff_fffe_ffff_fc2f);

const fn number(high: u128, low: u128) -> [u8; 32] {
    let (high, low) = (high.to_be_bytes(), low.to_be_bytes());
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 16 {
        (bytes[i], bytes[i + 16]) = (high[i], low[i]);
        i += 1;
    }
    bytes
}

fn plus(bytes: [u8; 32], difference: i8) -> [u8; 32] {
    let mut bytes = bytes;
    // None of the numbers ends where this would carry.
    bytes[31] = bytes[31].wrapping_add_signed(difference);
    bytes
}

/// A number of 32 bytes: mostly any, else one at an end of a range.
pub(crate) fn hostile_number(random: &mut Random) -> [u8; 32] {
    let mut half = [0xff; 32];
    half[0] = 0x7f;
    half[16..].copy_from_slice(&0x5d57_6e73_57a4_501d_dfe9_2f46_681b_20a0u128.to_be_bytes());
    match random.below(16) {
        0 => [0; 32],
        1 => plus([0; 32], 1),
        2 => plus(ORDER, -1),
        3 => ORDER,
        4 => plus(ORDER, 1),
        5 => plus(PRIME, -1),
        6 => PRIME,
        7 => plus(PRIME, 1),
        8 => [0xff; 32],
        9 => half,
        10 => plus(half, 1),
        // x = 5 is on no point of the curve; small numbers are r of recovery ids 2 and 3.
        11 => plus([0; 32], random.below(9) as i8),
        12 => plus(number(1, 0x4551_2319_50b7_5fc4_402d_a172_2fc9_baee), random.below(3) as i8 - 1),
        _ => random.bytes(),
    }
}

/// The address of bytes that are read.
pub(crate) fn at<const N: usize>(bytes: &[u8; N]) -> usize {
    bytes.as_ptr().expose_provenance()
}

/// The address of bytes that are written.
pub(crate) fn at_mut<const N: usize>(bytes: &mut [u8; N]) -> usize {
    bytes.as_mut_ptr().expose_provenance()
}

/// A number of a structure, least significant byte first.
pub(crate) fn reversed(mut bytes: [u8; 32]) -> [u8; 32] {
    bytes.reverse();
    bytes
}

/// Two values, one after the other.
pub(crate) fn joined(a: [u8; 32], b: [u8; 32]) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&a);
    bytes[32..].copy_from_slice(&b);
    bytes
}
