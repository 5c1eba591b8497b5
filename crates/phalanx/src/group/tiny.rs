//! Groups small enough to try every case: the subgroups of order 7, 13 and 199 on y^2 = x^3 + B over secp256k1's own
//! field, for B = 6, 2 and 4. Formulas and field code are the ones that ship.

use super::{Affine, Coordinates, Group, Jacobian, to_affine_vartime};
use crate::glv::{BETA, Half};
use alloc::vec::Vec;
use core::ops::{Mul, Neg};
use phalanx_engine::curve::{Curve, GlvCurve};
use std::sync::OnceLock;

/// The group of this order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiny<const ORDER: u64>;

impl<const ORDER: u64> Curve for Tiny<ORDER> {
    type Field = Coordinates;
    const B: [u64; 4] = match ORDER {
        7 => [6, 0, 0, 0],
        13 => [2, 0, 0, 0],
        199 => [4, 0, 0, 0],
        _ => panic!("no such group"),
    };
    /// The order times this is infinity, and (BETA x, y) is 2, 9 or 92 times it. On the first curve, which has 7^2
    /// points of order 7 or 1, that singles out the subgroup.
    const GENERATOR: [[u64; 4]; 2] = match ORDER {
        7 => [
            [0xa42f_ee9e_c9a0_966f, 0x0df2_8ba7_3fbe_f210, 0x836d_83a6_ff2f_ec4a, 0x976b_34c2_8be1_9dbb],
            [0xc4da_be72_00b5_4b60, 0x9bda_d0bd_735b_b1e8, 0xd20a_c149_67d8_b00b, 0xe19f_1768_583f_f383],
        ],
        13 => [
            [0x88e4_89aa_3d68_746b, 0x929c_645b_e565_84aa, 0x346a_9753_30b1_2e1d, 0x3ad3_e1ec_92dc_070a],
            [0x6c60_7f91_c852_0383, 0xf150_65bc_0910_01aa, 0xf787_bb15_bc0b_9fc1, 0xab34_e494_2373_ed8c],
        ],
        _ => [
            [0xfb12_940c_9ea6_6c18, 0x3b01_7a7d_a808_c2f1, 0xa749_dd39_2b4f_b069, 0xfa7c_c9a7_0737_f2db],
            [0xcfe5_2572_7f05_01ed, 0x48df_246c_808d_ae72, 0x8732_bc91_1f3a_2868, 0x78ac_123a_5ed8_aef3],
        ],
    };
}

impl<const ORDER: u64> GlvCurve for Tiny<ORDER> {
    const BETA: [u64; 4] = BETA;
}

/// An integer modulo the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TinyScalar<const ORDER: u64>(pub(crate) u64);

impl<const ORDER: u64> TinyScalar<ORDER> {
    /// Every scalar but zero.
    pub(crate) fn nonzero() -> impl Iterator<Item = Self> {
        (1..ORDER).map(Self)
    }

    /// Every scalar.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..ORDER).map(Self)
    }

    pub(crate) fn invert(self) -> Self {
        Self::nonzero().find(|inverse| self.0 * inverse.0 % ORDER == 1).unwrap()
    }
}

impl<const ORDER: u64> Mul for TinyScalar<ORDER> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0 % ORDER)
    }
}

impl<const ORDER: u64> Neg for TinyScalar<ORDER> {
    type Output = Self;

    fn neg(self) -> Self {
        Self((ORDER - self.0) % ORDER)
    }
}

/// A 256-bit number modulo a small one.
pub(crate) fn remainder(words: [u64; 4], modulus: u64) -> u64 {
    words.iter().rev().fold(0, |high, word| ((u128::from(high) << 64 | u128::from(*word)) % u128::from(modulus)) as u64)
}

/// Every finite point: element i is (i + 1) G, found by adding G again and again.
pub(crate) fn points<const ORDER: u64>() -> Vec<Affine> {
    let generator = Affine::generator::<Tiny<ORDER>>();
    let mut sum = generator.to_jacobian();
    let points: Vec<_> = (1..ORDER)
        .map(|_| {
            let point = to_affine_vartime(&sum).unwrap();
            sum = sum.add_mixed_complete(generator);
            point
        })
        .collect();
    assert!(to_affine_vartime(&sum).is_none());
    points
}

impl<const ORDER: u64> Group for Tiny<ORDER> {
    type Scalar = TinyScalar<ORDER>;

    /// No multiples of the point but itself: the order may be as small as 7.
    const POINT_WIDTH: u32 = 2;
    const GENERATOR_WIDTH: u32 = 2;

    /// Halves that are not the obvious ones, of either sign, so that both terms take part.
    fn halves(k: &Self::Scalar) -> [Half; 2] {
        let lambda = match ORDER {
            7 => 2,
            13 => 9,
            _ => 92,
        };
        let second = (k.0 * 5 + 3) % ORDER;
        let first = (k.0 + lambda * (ORDER - second)) % ORDER;
        [
            Half { neg: 0, magnitude: first.into() },
            // second - ORDER is the same residue.
            Half { neg: u64::MAX, magnitude: (ORDER - second).into() },
        ]
    }

    /// k = k0 + 2^128 k1 modulo the order, with both not zero for most k.
    fn low_high(k: &Self::Scalar) -> [u128; 2] {
        let power = remainder([0, 0, 1, 0], ORDER);
        let high = (k.0 * 3 + 1) % ORDER;
        [((k.0 + power * (ORDER - high)) % ORDER).into(), high.into()]
    }

    /// At width 2 only index 0 occurs: the generator and 2^128 times it, which is found by adding once and kept.
    fn generator_odd_multiple(table: usize, index: usize) -> Affine {
        static HIGH: [OnceLock<Affine>; 3] = [const { OnceLock::new() }; 3];
        assert_eq!(index, 0);
        if table == 0 {
            return Affine::generator::<Self>();
        }
        let slot = match ORDER {
            7 => &HIGH[0],
            13 => &HIGH[1],
            _ => &HIGH[2],
        };
        *slot.get_or_init(|| points::<ORDER>()[remainder([0, 0, 1, 0], ORDER) as usize - 1])
    }

    /// With an order so far below p, many x reduce to one r, and only x itself tells.
    fn x_reduces_to_vartime(point: &Jacobian, r: &Self::Scalar) -> bool {
        to_affine_vartime(point).is_some_and(|point| remainder(point.x.to_words(), ORDER) == r.0)
    }
}
