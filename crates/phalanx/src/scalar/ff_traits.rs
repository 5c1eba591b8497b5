//! The traits of the crate `ff`: scalars as other people's generic code wants a field.

use super::{Scalar, modn};
use crate::{arithmetic::ff_traits, encoding::words};
use group::ff::{PrimeField, helpers};
use subtle::{Choice, CtOption};

/// (t - 1) / 2, where n - 1 = 2^6 t with t odd.
const HALF_OF_T_MINUS_ONE: [u64; 4] =
    [0x777f_a4bd_19a0_6c82, 0xfd75_5db9_cd5e_9140, 0xffff_ffff_ffff_ffff, 0x01ff_ffff_ffff_ffff];

// Square roots are by the method of Tonelli and Shanks, as `ff` has it.
ff_traits!(Scalar, |scalar| helpers::sqrt_tonelli_shanks(scalar, HALF_OF_T_MINUS_ONE));

/// The encoding is that of [`Scalar::to_bytes`]: 32 bytes, big-endian.
impl PrimeField for Scalar {
    type Repr = [u8; 32];

    const MODULUS: &'static str = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    const NUM_BITS: u32 = 256;
    const CAPACITY: u32 = 255;
    const TWO_INV: Self = Scalar::from_hex_const("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1");
    /// 7, the smallest: the primes that divide n - 1 are in this project's tests.
    const MULTIPLICATIVE_GENERATOR: Self = Scalar::from_u128(7);
    const S: u32 = 6;
    /// 7^t.
    const ROOT_OF_UNITY: Self =
        Scalar::from_hex_const("0c1dc060e7a91986df9879a3fbc483a898bdeab680756045992f4b5402b052f2");
    const ROOT_OF_UNITY_INV: Self =
        Scalar::from_hex_const("fd3ae181f12d7096efc7b0c75b8cbb7277a275910aa413c3b6fb30a0884f0d1c");
    /// 7^(2^6).
    const DELTA: Self = Scalar::from_hex_const("cbc21fe4561c8d63b78e780e1341e199417c8c0bb7601");

    fn from_repr(repr: [u8; 32]) -> CtOption<Self> {
        let (reduced, overflow) = modn::reduce_once(&words(&repr));
        CtOption::new(Scalar(reduced), Choice::from(u8::from(!overflow)))
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Scalar::is_odd(self)
    }
}
