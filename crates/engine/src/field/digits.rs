//! Sums and products of four digits to the base B = 2^64, modulo B^4 - C: what [`super::Fe4`] is made of. The
//! products are not reduced, and serve any modulus: [`super::Mont`] and scalars use them too. Constant time.
//!
//! A *long* number has a fifth digit, which is signed, and stands for any integer from -B^5 / 2 to B^5 / 2. A *closed*
//! number is four digits.
//!
//! Sums run along chains of carries, one chain after the other: the flags of a CPU hold one carry. So a row of a
//! product is first added up by itself, in one chain, and then to the rows before it, in a second.

use crate::word::Digit;

/// `a + b`.
#[inline(always)]
pub(super) fn add<L: Digit>(a: [L; 5], b: [L; 5]) -> [L; 5] {
    let (r0, carry) = a[0].carrying_add(b[0], L::NO_CARRY);
    let (r1, carry) = a[1].carrying_add(b[1], carry);
    let (r2, carry) = a[2].carrying_add(b[2], carry);
    let (r3, carry) = a[3].carrying_add(b[3], carry);
    [r0, r1, r2, r3, a[4].signed_add(b[4], carry)]
}

/// `a - b`.
#[inline(always)]
pub(super) fn sub<L: Digit>(a: [L; 5], b: [L; 5]) -> [L; 5] {
    let (r0, borrow) = a[0].borrowing_sub(b[0], L::NO_CARRY);
    let (r1, borrow) = a[1].borrowing_sub(b[1], borrow);
    let (r2, borrow) = a[2].borrowing_sub(b[2], borrow);
    let (r3, borrow) = a[3].borrowing_sub(b[3], borrow);
    [r0, r1, r2, r3, a[4].signed_sub(b[4], borrow)]
}

/// `2 a`.
#[inline(always)]
fn twice<L: Digit>(a: [L; 5]) -> [L; 5] {
    let (r0, carry) = a[0].twice(L::NO_CARRY);
    let (r1, carry) = a[1].twice(carry);
    let (r2, carry) = a[2].twice(carry);
    let (r3, carry) = a[3].twice(carry);
    [r0, r1, r2, r3, a[4].signed_add(a[4], carry)]
}

/// `factor * a` for a constant factor above zero. No loop for the usual ones: it is unrolled too late for its chains of
/// carries to be seen.
#[inline(always)]
pub(super) fn times<L: Digit>(a: [L; 5], factor: u64) -> [L; 5] {
    match factor {
        1 => a,
        2 => twice(a),
        3 => add(a, twice(a)),
        4 => twice(twice(a)),
        _ => (1..factor).fold(a, |sum, _| add(sum, a)),
    }
}

/// The product of four digits and one.
#[inline]
pub fn row<L: Digit>(a: [L; 4], b: L) -> [L; 5] {
    let (r0, h0) = a[0].product(b);
    let (l1, h1) = a[1].product(b);
    let (l2, h2) = a[2].product(b);
    let (l3, h3) = a[3].product(b);
    let (r1, carry) = l1.carrying_add(h0, L::NO_CARRY);
    let (r2, carry) = l2.carrying_add(h1, carry);
    let (r3, carry) = l3.carrying_add(h2, carry);
    [r0, r1, r2, r3, h3.last_add(carry)]
}

/// Four digits, such as those of the rows before, plus a row: at most B^4 - 1 + (B^4 - 1) (B - 1), below B^5.
#[inline]
pub fn add_row<L: Digit>(high: [L; 4], row: [L; 5]) -> [L; 5] {
    let (r0, carry) = high[0].carrying_add(row[0], L::NO_CARRY);
    let (r1, carry) = high[1].carrying_add(row[1], carry);
    let (r2, carry) = high[2].carrying_add(row[2], carry);
    let (r3, carry) = high[3].carrying_add(row[3], carry);
    [r0, r1, r2, r3, row[4].last_add(carry)]
}

/// `a b`, lowest digit first.
#[inline(always)]
pub fn product<L: Digit>(a: [L; 4], b: [L; 4]) -> [L; 8] {
    with_other_rows(row(a, b[0]), a, b)
}

/// `a b + c`, lowest digit first. It fits eight digits.
#[inline(always)]
pub fn product_and<L: Digit>(a: [L; 4], b: [L; 4], c: [L; 4]) -> [L; 8] {
    with_other_rows(add_row(c, row(a, b[0])), a, b)
}

/// The row of `b[0]` plus the others.
#[inline(always)]
fn with_other_rows<L: Digit>(first: [L; 5], a: [L; 4], b: [L; 4]) -> [L; 8] {
    let [r0, h0, h1, h2, h3] = first;
    let [r1, h0, h1, h2, h3] = add_row([h0, h1, h2, h3], row(a, b[1]));
    let [r2, h0, h1, h2, h3] = add_row([h0, h1, h2, h3], row(a, b[2]));
    let [r3, r4, r5, r6, r7] = add_row([h0, h1, h2, h3], row(a, b[3]));
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

/// The square, lowest digit first: the products of two different digits, twice, plus the squares of digits.
#[inline]
pub fn square<L: Digit>(a: [L; 4]) -> [L; 8] {
    // a0 a1, a0 a2, a0 a3, a1 a3 and a2 a3 stand side by side; a1 a2 stands across.
    let (c1, h1) = a[0].product(a[1]);
    let (l2, h2) = a[0].product(a[2]);
    let (l3, h3) = a[0].product(a[3]);
    let (l4, h4) = a[1].product(a[3]);
    let (l5, h5) = a[2].product(a[3]);
    let (across3, across4) = a[1].product(a[2]);
    let (c2, carry) = l2.carrying_add(h1, L::NO_CARRY);
    let (c3, carry) = l3.carrying_add(h2, carry);
    let (c4, carry) = l4.carrying_add(h3, carry);
    let (c5, carry) = l5.carrying_add(h4, carry);
    let c6 = h5.last_add(carry);
    let (c3, carry) = c3.carrying_add(across3, L::NO_CARRY);
    let (c4, carry) = c4.carrying_add(across4, carry);
    let (c5, carry) = c5.carrying_add(L::literal(0), carry);
    let c6 = c6.last_add(carry);

    let (c1, carry) = c1.twice(L::NO_CARRY);
    let (c2, carry) = c2.twice(carry);
    let (c3, carry) = c3.twice(carry);
    let (c4, carry) = c4.twice(carry);
    let (c5, carry) = c5.twice(carry);
    let (c6, top) = c6.twice(carry);

    let (r0, h0) = a[0].product(a[0]);
    let (l1, h1) = a[1].product(a[1]);
    let (l2, h2) = a[2].product(a[2]);
    let (l3, h3) = a[3].product(a[3]);
    let (r1, carry) = c1.carrying_add(h0, L::NO_CARRY);
    let (r2, carry) = c2.carrying_add(l1, carry);
    let (r3, carry) = c3.carrying_add(h1, carry);
    let (r4, carry) = c4.carrying_add(l2, carry);
    let (r5, carry) = c5.carrying_add(h2, carry);
    let (r6, carry) = c6.carrying_add(l3, carry);
    // A square of four digits fits eight.
    let r7 = h3.last_add(top).last_add(carry);
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

/// A number congruent to eight digits: the lower four plus C times the upper four, at most (B^4 - 1) (C + 1). So its
/// top digit is at most C.
#[inline]
pub(super) fn fold<L: Digit>(wide: [L; 8], c: L) -> [L; 5] {
    let (l0, h0) = wide[4].product(c);
    let (l1, h1) = wide[5].product(c);
    let (l2, h2) = wide[6].product(c);
    let (l3, h3) = wide[7].product(c);
    let (r0, carry) = wide[0].carrying_add(l0, L::NO_CARRY);
    let (r1, carry) = wide[1].carrying_add(l1, carry);
    let (r2, carry) = wide[2].carrying_add(l2, carry);
    let (r3, carry) = wide[3].carrying_add(l3, carry);
    let r4 = h3.last_add(carry);
    let (r1, carry) = r1.carrying_add(h0, L::NO_CARRY);
    let (r2, carry) = r2.carrying_add(h1, carry);
    let (r3, carry) = r3.carrying_add(h2, carry);
    [r0, r1, r2, r3, r4.last_add(carry)]
}

/// The closed number congruent to a long one whose top digit t is not negative, where t C and C together are below B^2.
///
/// B^4 is C, so t goes to the bottom as t C. Where that carries out of the fourth digit, what is left is below t C, and
/// the carry, which is C once more, ends within the lowest two digits.
#[inline(always)]
pub(super) fn close_unsigned<L: Digit>(a: [L; 5], c: L) -> [L; 4] {
    let zero = L::literal(0);
    let (low, high) = a[4].product(c);
    let (r0, carry) = a[0].carrying_add(low, L::NO_CARRY);
    let (r1, carry) = a[1].carrying_add(high, carry);
    let (r2, carry) = a[2].carrying_add(zero, carry);
    let (r3, carry) = a[3].carrying_add(zero, carry);
    let (r0, carry) = r0.carrying_add(L::mask(carry).and(c), L::NO_CARRY);
    [r0, r1.last_add(carry), r2, r3]
}

/// As [`close_unsigned`], for a top digit t of either sign, where |t| C and C together are below B^2 / 2.
///
/// Where t is below zero, a carry out of the fourth digit says that the sum is not. No carry says that the sum is below
/// zero, and then what is left is B^4 - |t| C or more, from which C can be taken within the lowest two digits.
#[inline(always)]
pub(super) fn close<L: Digit>(a: [L; 5], c: L) -> [L; 4] {
    let (low, high) = a[4].signed_product(c);
    let sign = high.sign();
    let (r0, carry) = a[0].carrying_add(low, L::NO_CARRY);
    let (r1, carry) = a[1].carrying_add(high, carry);
    let (r2, carry) = a[2].carrying_add(sign, carry);
    let (r3, carry) = a[3].carrying_add(sign, carry);
    // -1, 0 or 1.
    let left = sign.signed_add(L::literal(0), carry).opaque().small_product(c);
    let (r0, carry) = r0.carrying_add(left, L::NO_CARRY);
    [r0, r1.last_signed_add(left.sign(), carry), r2, r3]
}

/// The closed number congruent to the difference of two.
///
/// A borrow stands for B^4, which is C. Where taking C borrows again, what is left is B^4 - C or more, and the lowest
/// digit has room for C.
#[inline(always)]
pub(super) fn closed_difference<L: Digit>(a: [L; 4], b: [L; 4], c: L) -> [L; 4] {
    let zero = L::literal(0);
    let (r0, borrow) = a[0].borrowing_sub(b[0], L::NO_CARRY);
    let (r1, borrow) = a[1].borrowing_sub(b[1], borrow);
    let (r2, borrow) = a[2].borrowing_sub(b[2], borrow);
    let (r3, borrow) = a[3].borrowing_sub(b[3], borrow);
    let (r0, borrow) = r0.borrowing_sub(L::mask(borrow).and(c), L::NO_CARRY);
    let (r1, borrow) = r1.borrowing_sub(zero, borrow);
    let (r2, borrow) = r2.borrowing_sub(zero, borrow);
    let (r3, borrow) = r3.borrowing_sub(zero, borrow);
    [r0.last_sub(L::mask(borrow).and(c)), r1, r2, r3]
}

/// As [`close`], where |t| C and C together are below B / 2: within the lowest digit.
#[inline(always)]
pub(super) fn close_small<L: Digit>(a: [L; 5], c: L) -> [L; 4] {
    let low = a[4].small_product(c);
    let sign = low.sign();
    let (r0, carry) = a[0].carrying_add(low, L::NO_CARRY);
    let (r1, carry) = a[1].carrying_add(sign, carry);
    let (r2, carry) = a[2].carrying_add(sign, carry);
    let (r3, carry) = a[3].carrying_add(sign, carry);
    let left = sign.signed_add(L::literal(0), carry).opaque().small_product(c);
    let (r0, carry) = r0.carrying_add(left, L::NO_CARRY);
    // Taking C from B - |t| C or more carries, which here says that nothing was borrowed; adding it does not.
    [r0, r1.last_signed_add(left.sign(), carry), r2, r3]
}
