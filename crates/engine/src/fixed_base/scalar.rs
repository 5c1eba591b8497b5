//! Scalars: reduction modulo the order, and their digits by columns.

use crate::limbs::{add, half, less, subtract};

/// The bytes of a number whose bits are dealt to columns: up to 256 bits, as many as the columns fill up, below 512,
/// and what is read beside them.
pub(super) type Bits = [u8; 80];

/// The number modulo the order, by taking away its multiples by powers of two. Variable time.
pub(super) fn reduce(number: &[u64; 4], order: &[u64; 4]) -> [u64; 4] {
    if less(number, order) {
        return *number;
    }
    // The greatest of them that fits 256 bits.
    let zeros = order.iter().rev().take_while(|word| **word == 0).count();
    let up = 64 * zeros as u32 + order[3 - zeros].leading_zeros();
    let (mut rest, mut multiple) = (*number, (0..up).fold(*order, |multiple, _| add(&multiple, &multiple).0));
    for _ in 0..=up {
        if !less(&rest, &multiple) {
            rest = subtract(&rest, &multiple).0;
        }
        multiple = half(&multiple);
    }
    rest
}

/// -number modulo the order, for a number below it.
pub(super) fn negate(number: &[u64; 4], order: &[u64; 4]) -> [u64; 4] {
    if *number == [0; 4] { *number } else { subtract(order, number).0 }
}

/// The sum modulo the order, of numbers below it.
pub(super) fn plus(a: &[u64; 4], b: &[u64; 4], order: &[u64; 4]) -> [u64; 4] {
    let (sum, carry) = add(a, b);
    if carry || !less(&sum, order) { subtract(&sum, order).0 } else { sum }
}

/// The number itself or the order less the number, whichever is smaller, and whether it is the latter.
pub(super) fn shorter(number: &[u64; 4], order: &[u64; 4]) -> ([u64; 4], bool) {
    let other = subtract(order, number).0;
    if less(&other, number) { (other, true) } else { (*number, false) }
}

/// The number in bytes.
pub(super) fn plain([a, b, c, d]: &[u64; 4]) -> Bits {
    bytes([*a, *b, *c, *d, 0, 0, 0, 0, 0])
}

fn bytes(words: [u64; 9]) -> Bits {
    let mut bits = [0; 80];
    bits.chunks_exact_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    bits
}

/// D = (k + 2^length - 1) / 2 for an odd k that is the number or the number less the odd order; zero counts as the
/// order. Bit i of D, below `length`, says whether 2^i is added or taken away: k is the sum of +-2^i.
pub(super) fn signs(number: &[u64; 4], order: &[u64; 4], length: usize) -> Bits {
    let number = if *number == [0; 4] { order } else { number };
    // k >> 1 is (k - 1) / 2, with the sign of k above.
    let (k, negative) = if number[0] & 1 == 1 { (*number, false) } else { subtract(number, order) };
    let fill = if negative { u64::MAX } else { 0 };
    let [a, b, c, d] = half(&k);
    let d = d | fill << 63;
    let mut words = [a, b, c, d, fill, fill, fill, fill, fill];
    // Plus 2^(length - 1).
    let (mut word, mut carry) = ((length - 1) / 64, 1 << ((length - 1) % 64));
    while carry != 0 && word < words.len() {
        let (sum, over) = words[word].overflowing_add(carry);
        (words[word], carry, word) = (sum, u64::from(over), word + 1);
    }
    bytes(words)
}

/// The eight bits from this one on.
#[inline(always)]
fn byte(bits: &Bits, at: usize) -> u64 {
    let place = at / 8;
    u64::from(u16::from_le_bytes([bits[place], bits[place + 1]]) >> (at % 8) & 0xff)
}

/// Bit c of byte r goes to bit r of byte c. Source: Warren, Hacker's Delight, section 7-3.
#[inline(always)]
fn transpose(mut x: u64) -> u64 {
    let swap = |x: u64, shift: u32, mask: u64| {
        let moved = (x ^ x >> shift) & mask;
        x ^ moved ^ moved << shift
    };
    x = swap(x, 7, 0x00aa_00aa_00aa_00aa);
    x = swap(x, 14, 0x0000_cccc_0000_cccc);
    swap(x, 28, 0x0000_0000_f0f0_f0f0)
}

/// A number and the first of as many of its bits as there are columns.
pub(super) type RowBits<'a> = (&'a Bits, usize);

/// Deals bits to columns: bit c from its first one of row r becomes bit `at + r` of `columns[c]`.
#[inline(always)]
pub(super) fn deal(rows: &[RowBits<'_>], at: usize, columns: &mut [u32]) {
    for (eight, rows) in rows.chunks(8).enumerate() {
        let at = at + 8 * eight;
        let (blocks, rest) = columns.as_chunks_mut::<8>();
        for (block, columns) in blocks.iter_mut().enumerate() {
            deal_square(rows, 8 * block, at, columns);
        }
        let before = 8 * blocks.len();
        deal_square(rows, before, at, rest);
    }
}

/// As [`deal`], for up to eight rows and columns. The columns are those from number `before` on.
#[inline(always)]
fn deal_square(rows: &[RowBits<'_>], before: usize, at: usize, columns: &mut [u32]) {
    let numbered = rows.iter().enumerate();
    let square = numbered.fold(0, |square, (row, (bits, first))| square | byte(bits, first + before) << (8 * row));
    let turned = transpose(square);
    for (index, column) in columns.iter_mut().enumerate() {
        *column |= ((turned >> (8 * index) & 0xff) as u32) << at;
    }
}

/// The signed digits of b bits of a number below 2^(windows b - 1): `found(window, digit)` for those that are not zero,
/// from -2^(b-1) + 1 to 2^(b-1).
#[inline(always)]
pub(super) fn signed_digits(number: &[u64; 4], b: u32, mut found: impl FnMut(usize, i64)) {
    let (mut rest, mut window, mut carry) = (*number, 0, 0);
    while rest != [0; 4] || carry != 0 {
        let digit = (rest[0] & ((1 << b) - 1)) as i64 + carry;
        carry = i64::from(digit > 1 << (b - 1));
        let digit = digit - (carry << b);
        if digit != 0 {
            found(window, digit);
        }
        rest = [
            rest[0] >> b | rest[1] << (64 - b),
            rest[1] >> b | rest[2] << (64 - b),
            rest[2] >> b | rest[3] << (64 - b),
            rest[3] >> b,
        ];
        window += 1;
    }
}
