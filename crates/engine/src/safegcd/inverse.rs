//! Modular inversion, in constant and in variable time.

use super::divsteps::{divsteps_59, signed_steps_vartime};
use super::signed62::{LIMB_MASK, Signed62, update_de, update_fg};
use super::{Modulus, signed62};
use crate::mask::{from_bit, from_sign};

impl Modulus {
    /// The inverse of `x` modulo `self`, both in little-endian limbs and below the modulus; zero where `x` has no
    /// inverse (for a prime modulus: where `x` is zero).
    ///
    /// Constant time in `x`. Always 590 division steps; [the module](crate::safegcd#590-steps) proves that they
    /// suffice.
    #[inline(always)]
    pub fn invert(&self, x: &[u64; 4]) -> [u64; 4] {
        debug_assert!(self.is_reduced(x));
        let (mut d, mut e) = (Signed62::ZERO, Signed62::ONE);
        let (mut f, mut g) = (self.balanced, Signed62::from_limbs(x));
        let mut zeta = -1;
        for _ in 0..10 {
            let (next, matrix) = divsteps_59(zeta, f.0[0] as u64, g.0[0] as u64);
            zeta = next;
            update_fg(&mut f, &mut g, &matrix, 5);
            update_de(&mut d, &mut e, &matrix, self);
            debug_assert!(f.is_within(self) && g.is_within(self));
        }
        debug_assert!(g.0 == [0; 5]);
        // Now f is plus or minus the greatest common divisor, and f = d x mod the modulus.
        let sign = from_sign(f.0[4]);
        let [a, b, c, d3, e4] = f.0.map(|limb| limb ^ sign);
        // |f| = 1 is limb 0 equal to 1 for f = 1, and to 2^62 - 1 for f = -1, whose complement in 62 bits is 0.
        let low = (a as u64 & LIMB_MASK) ^ (1 ^ (sign as u64 & 1));
        let rest = (b as u64 | c as u64 | d3 as u64) & LIMB_MASK | e4 as u64;
        let differs = low | rest;
        let is_unit = from_bit(1 ^ ((differs | differs.wrapping_neg()) >> 63));
        let result = d.normalised(sign, self).to_limbs();
        result.map(|limb| limb & is_unit)
    }

    /// As [`Modulus::invert`], in time that depends on `x`: for public values only.
    #[inline(always)]
    pub fn invert_vartime(&self, x: &[u64; 4]) -> [u64; 4] {
        debug_assert!(self.is_reduced(x));
        let (mut f, mut g) = (self.balanced.carried(), Signed62::from_limbs(x));
        let (mut eta, matrix) = signed_steps_vartime(-1, f.0[0] as u64, g.0[0] as u64);
        update_fg(&mut f, &mut g, &matrix, 5);
        // The first update apart, where d = 0 and e = 1 make most of its products vanish.
        let (mut d, mut e) = (Signed62::ZERO, Signed62::ONE);
        update_de(&mut d, &mut e, &matrix, self);
        let mut length = 5;
        // At most 724 steps from delta = 1, so at most twelve blocks.
        let mut _blocks = 1;
        while g.0[..length].iter().any(|&limb| limb != 0) {
            length = signed62::shorten(&mut f, &mut g, length);
            let (next, matrix) = signed_steps_vartime(eta, f.0[0] as u64, g.0[0] as u64);
            eta = next;
            update_fg(&mut f, &mut g, &matrix, length);
            update_de(&mut d, &mut e, &matrix, self);
            _blocks += 1;
            debug_assert!(_blocks <= 12);
        }
        let sign = f.0[length - 1] >> 63;
        let is_unit = if sign == 0 {
            f.0[0] == 1 && f.0[1..length].iter().all(|&limb| limb == 0)
        } else {
            f.0[..length - 1].iter().all(|&limb| limb as u64 == LIMB_MASK) && f.0[length - 1] == -1
                || length == 1 && f.0[0] == -1
        };
        if is_unit { d.normalised(sign, self).to_limbs() } else { [0; 4] }
    }

    /// Whether `x` is below the modulus.
    pub(super) fn is_reduced(&self, x: &[u64; 4]) -> bool {
        x.iter().rev().lt(self.value.iter().rev())
    }
}
