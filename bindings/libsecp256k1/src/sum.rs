//! Sums of public keys. Variable time.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::{NO_PUBKEY, finish},
};
use phalanx::{FieldElement, Point, bindings::add_key_vartime};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// The sum of keys; zeros where it is infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_combine(
    ctx: Ctx,
    sum: Out<PubkeyBytes>,
    keys: In<In<PubkeyBytes>>,
    count: usize,
) -> c_int {
    check!(ctx, !sum.is_null(), c"pubnonce != NULL");
    sum.write(NO_PUBKEY);
    check!(ctx, count >= 1, c"n >= 1");
    check!(ctx, !keys.is_null(), c"pubnonces != NULL");
    let mut total = Sum::Point(Point::IDENTITY);
    for i in 0..count {
        let key = keys.at(i);
        check!(ctx, !key.is_null(), c"pubnonces[i] != NULL");
        let key = key.read();
        // What is no key is reported, and then added as what it holds.
        let term = Coordinates::load(ctx, &key).unwrap_or_else(|| Coordinates::read(&key));
        total = total.plus(&term);
    }
    finish(sum, total.coordinates())
}

/// A sum so far.
enum Sum {
    /// Of keys alone.
    Point(Point),
    /// With a term that is no point of the curve: coordinates, none for infinity.
    Other(Option<[FieldElement; 2]>),
}

impl Sum {
    fn plus(self, term: &Coordinates) -> Sum {
        match (self, term.key()) {
            (Sum::Point(sum), Some(key)) => Sum::Point(add_key_vartime(&sum, &key)),
            (sum, _) => Sum::Other(add(sum.elements(), term.elements())),
        }
    }

    fn elements(&self) -> Option<[FieldElement; 2]> {
        match self {
            Sum::Point(point) => point.to_affine_vartime().map(|(x, y)| [x, y]),
            Sum::Other(elements) => *elements,
        }
    }

    fn coordinates(&self) -> Option<Coordinates> {
        self.elements().map(|[x, y]| Coordinates::of_elements(&x, &y))
    }
}

/// 1/2 modulo p: (p + 1) / 2.
const HALF: FieldElement =
    FieldElement::from_hex_const("7fffffffffffffffffffffffffffffffffffffffffffffffffffffff7ffffe18");

/// The sum by the formula that adds and doubles alike (Brier and Joye, 2002), with the slope of the chord where its
/// denominator is zero. For points of the curve it is their sum. Of other coordinates it makes what the original makes
/// of them.
fn add(sum: Option<[FieldElement; 2]>, [x2, y2]: [FieldElement; 2]) -> Option<[FieldElement; 2]> {
    let Some([x1, y1]) = sum else { return Some([x2, y2]) };
    let (xs, ys) = (x1 + x2, y1 + y2);
    let (numerator, denominator) =
        if bool::from(ys.is_zero()) { (y1.double(), x1 - x2) } else { (xs.square() - x1 * x2, ys) };
    let slope = numerator * denominator.invert_vartime()?;
    let x = slope.square() - xs;
    let y = -(slope * (x.double() - xs) + ys) * HALF;
    Some([x, y])
}
