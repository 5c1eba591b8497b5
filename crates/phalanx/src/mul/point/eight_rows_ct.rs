//! k P for secret k and public P.
//!
//! As in `double/eight_rows.rs`: k is split into odd halves, whose table entries are added window by
//! window in affine coordinates, and the sums go into one Jacobian chain. The tables are public; an entry is chosen by
//! reading all of them.
//!
//! # No exceptional addition can occur
//!
//! Every sum on the way is (a + b lambda) P for integers a, b; it is zero modulo n exactly when (a, b) lies in the
//! lattice of `docs/inside/glv.md`, whose non-zero vectors have a coordinate of at least 2^125 in absolute value.
//!
//! The sum of two table entries belongs to (d, e) with odd |d|, |e| < 32, and d P is neither e lambda P nor its
//! negative, since (d, -e) and (d, e) are no lattice vectors. Before the addition of (d, e) to the chain it stands at
//! (32 a, 32 b), where a, b are odd; so the two points' sum and difference belong to (32 a + d, 32 b + e) and (32 a -
//! d, 32 b - e), neither of which is zero. In all windows but the last the coordinates are at most 2^129 / 32 + 64 <
//! 2^125, and they are no lattice vectors either. The last addition is a complete one. (For one k its points are
//! equal.)

use crate::tuning::GROUPS_PER_INVERSION;
use crate::{
    group::Secp256k1,
    lanes::{
        inversion::divide_secret,
        memory::{AffineLanes, AffineX8, CacheLine, FeX8, FeX8Mem, JacobianX8, Machine, Numbers, U256x8},
        to_affine::to_affine_secret,
    },
    mul::{
        digits::POINT_WINDOWS,
        digits_ct::PointDigits,
        odd_multiples::{ENTRIES, odd_multiples, per_group},
        pair_sums::{Adding, ChainPairs, ChainRound},
    },
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::Word,
};
use zeroize::optimization_barrier;

/// The canonical coordinates of k P for the k and P of each group, k not zero and P finite. Constant time. The caller
/// wipes `sums`, which hold a secret sum for each group in the end.
pub(crate) fn mul_point_rows_ct<M: Machine>(
    machine: M,
    points: &[AffineLanes],
    digits: &[PointDigits],
    sums: &mut [JacobianX8],
    coordinates: &mut [[U256x8; 2]],
    memory: &mut [CacheLine],
) {
    let parts = points.chunks(GROUPS_PER_INVERSION).zip(digits.chunks(GROUPS_PER_INVERSION));
    for ((points, digits), sums) in parts.zip(sums.chunks_mut(GROUPS_PER_INVERSION)) {
        let mut numbers = Numbers::new(&mut *memory);
        let (multiples, _) = odd_multiples(machine, points, ENTRIES, &mut numbers);
        let spare: &mut [[FeX8Mem; 3]] = numbers.take(POINT_WINDOWS * points.len());
        let chains = ChainsCt { digits, multiples, sums };
        divide_secret(machine, &mut Adding(ChainRound { chains, spare: &mut *spare }));
        // Wiped as the chains went.
        optimization_barrier(spare);
    }
    to_affine_secret(machine, sums, coordinates, memory);
}

/// The pairs of the chains: of each window a multiple for either half.
struct ChainsCt<'a> {
    digits: &'a [PointDigits],
    multiples: &'a [AffineX8],
    sums: &'a mut [JacobianX8],
}

impl ChainPairs for ChainsCt<'_> {
    const SECRET: bool = true;

    #[inline(always)]
    fn x<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.choose::<W>(group, window, |multiple| &multiple.x);
        [first, Affine::endomorphism_of_x::<Secp256k1>(second)]
    }
    #[inline(always)]
    fn y<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.choose::<W>(group, window, |multiple| &multiple.y);
        let (digits, positive) = (&self.digits[group], W::splat(ENTRIES as u64));
        [
            first.negate_where(digits.code::<W>(0, window).less(positive), 1),
            second.negate_where(digits.code::<W>(1, window).less(positive), 1),
        ]
    }
    #[inline(always)]
    fn end<W: Word>(&mut self, group: usize, chain: Jacobian<FeX8<W>>, addend: Affine<FeX8<W>>) {
        self.sums[group].store(chain.add_mixed_complete(addend));
    }
}

impl ChainsCt<'_> {
    /// A coordinate of the multiples for both halves' digits, whatever their signs.
    #[inline(always)]
    fn choose<W: Word>(&self, group: usize, window: usize, coordinate: impl Fn(&AffineX8) -> &FeX8Mem) -> [FeX8<W>; 2] {
        let multiples = &self.multiples[per_group(ENTRIES) * group..][..ENTRIES];
        let digits = &self.digits[group];
        [
            choose(multiples, digits.code::<W>(0, window), &coordinate),
            choose(multiples, digits.code::<W>(1, window), &coordinate),
        ]
    }
}

/// A coordinate of the multiple for each lane's code. All are read.
#[inline(always)]
fn choose<W: Word>(multiples: &[AffineX8], codes: W, coordinate: impl Fn(&AffineX8) -> &FeX8Mem) -> FeX8<W> {
    let index = codes.and(W::splat(ENTRIES as u64 - 1));
    let mut chosen: FeX8<W> = coordinate(&multiples[0]).load();
    for (j, multiple) in (1u64..).zip(&multiples[1..ENTRIES]) {
        chosen = FeX8::select(index.equal(W::splat(j)), coordinate(multiple).load(), chosen);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::tests::{on_machines, scalar};
    use alloc::vec;
    use phalanx_engine::{arena::lines_for, word::LANES};

    on_machines! {
        fn no_secret_coordinate_stays_in_memory(machine) {
            for groups in [1, 3] {
                let mut digits = vec![PointDigits::of_one(); groups];
                (0..groups * LANES).for_each(|row| digits[row / LANES].set(row % LANES, &scalar(row as u64)));
                let points = vec![AffineLanes::generator(); groups];
                let (mut sums, mut products) = (vec![JacobianX8::ZERO; groups], vec![[U256x8::ZERO; 2]; groups]);
                let mut memory = vec![CacheLine([u64::MAX; 8]); 1 << 14];
                mul_point_rows_ct(machine, &points, &digits, &mut sums, &mut products, &mut memory);
                let chains = lines_for::<AffineX8>(per_group(ENTRIES) * groups);
                let lines = lines_for::<[FeX8Mem; 3]>(POINT_WINDOWS * groups);
                assert!(memory[chains..][..lines].iter().all(|line| line.0 == [0; 8]));
            }
        }
    }
}
