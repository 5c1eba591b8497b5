//! secp256k1, as the tests need it. Source of the constants: SEC 2, section 2.4.1.

use phalanx_engine::curve::{Curve, GlvCurve};
use phalanx_engine::field::{Field, Prime, PseudoMersenne};

/// 2^256 - 2^32 - 977.
#[derive(Clone, Copy, Debug)]
pub(crate) struct P256k1;

impl Prime for P256k1 {
    const C: u64 = 0x1_0000_03d1;

    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        power(x, [Self::C.wrapping_neg() - 2, u64::MAX, u64::MAX, u64::MAX])
    }
}

/// `x^exponent` by squaring and multiplying, for a public exponent.
#[inline(always)]
pub(crate) fn power<F: Field>(x: F, exponent: [u64; 4]) -> F {
    let mut result = F::one();
    for bit in (0..256).rev() {
        result = result.square();
        if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
            result = result.mul(x);
        }
    }
    result
}

/// y^2 = x^3 + 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secp256k1;

impl Curve for Secp256k1 {
    type Field = PseudoMersenne<P256k1>;
    const B: [u64; 4] = [7, 0, 0, 0];
    const GENERATOR: [[u64; 4]; 2] = [
        [0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac],
        [0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465],
    ];
}

impl GlvCurve for Secp256k1 {
    const BETA: [u64; 4] = [0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710];
}
