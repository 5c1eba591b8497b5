//! k G for a secret k.
//!
//! k, or n - k, whichever is below 2^255, is written in signed windows, and each digit's multiple of G comes from a
//! committed table that holds every window's, so there are no doublings. The whole window is read for each digit.
//!
//! # No exceptional addition can occur
//!
//! The incomplete mixed addition is wrong only for equal points, for a point and its negative, and for infinity. Infinity
//! is handled by a mask. Let s be the sum of the windows below window j, as an integer:
//! |s| <= 2^(w-1) (2^(wj) - 1) / (2^w - 1) < 2^(wj). The next addend is e = d 2^(wj) with d not zero, so
//! |e| >= 2^(wj) > |s|, hence s is neither e nor -e. Both are below n/2 + 2^250 in absolute value with |s| < 2^252, since
//! their sum is at most (n-1)/2; so s - e and s + e lie strictly between -n and n and are not zero modulo n either.

use super::one_row_ct::mul_generator_row_ct;
use crate::mul::Unit;
use crate::{
    Scalar,
    arithmetic::mask,
    group::{Affine, Fe, Jacobian, Secp256k1},
    tables::{Entry, G_COMB_6, G_COMB_6_WIDTH},
};
use phalanx_engine::{
    field::Field,
    mask::{entry, from_sign},
    recode::signed_windows,
    word::{Mask, Mask1},
};
use zeroize::Zeroize;

const ENTRIES: usize = 1 << (G_COMB_6_WIDTH - 1);
const DIGITS: usize = G_COMB_6.len() / ENTRIES;

/// k G. Constant time.
pub(crate) fn mul_generator_ct(unit: Unit, k: &Scalar) -> Jacobian {
    match unit {
        Unit::OneLane => one_lane(k),
        Unit::Ifma(machine) => {
            let [even, odd] = mul_generator_row_ct(machine, k);
            even.add_any::<Secp256k1>(odd)
        }
    }
}

fn one_lane(k: &Scalar) -> Jacobian {
    let high = k.is_high();
    let flip = mask(high);
    let mut digits = [0i16; DIGITS];
    signed_windows(&k.negate_if(high).limbs(), G_COMB_6_WIDTH, &mut digits);

    let mut sum = Jacobian::infinity();
    let mut started = Mask1::NONE;
    for (digit, window) in digits.iter().zip(G_COMB_6.chunks_exact(ENTRIES)) {
        let (point, present) = read(window, *digit, flip);
        let (next, _) = sum.add_mixed(point);
        let next = Jacobian::select(started, next, point.to_jacobian());
        sum = Jacobian::select(present, next, sum);
        started = started.or(present);
    }
    digits.zeroize();
    sum
}

/// The multiple of a window that a digit stands for, negated under `flip`, and whether the digit is not zero. Reads the
/// whole window.
#[inline(always)]
fn read(window: &[Entry], digit: i16, flip: Mask1) -> (Affine, Mask1) {
    let sign = from_sign(digit.into());
    let magnitude = ((i64::from(digit) ^ sign) - sign) as u64;
    let [x0, x1, x2, x3, y0, y1, y2, y3] = entry(window.iter().map(|entry| entry.0), magnitude);
    let y = Fe::from_words([y0, y1, y2, y3]);
    let negative = Mask1::from_bit(sign as u64 & 1).xor(flip);
    let y = Fe::select(negative, y.negate(1), y).weaken();
    (Affine { x: Fe::from_words([x0, x1, x2, x3]), y }, Mask1::is_zero(magnitude).not())
}
