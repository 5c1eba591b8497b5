//! Two elements at once are each what it would be alone, in every operation.

use crate::backends::Operation;
use crate::operations::operations;
use crate::reference::to_words;
use crate::samples::Random;
use crate::secp256k1::P256k1;
use phalanx_engine::curve::Affine;
use phalanx_engine::field::{Fe4, Field, FieldPair};
use phalanx_engine::word::Mask;

operations! {
    Sums: 2 => 4, |[a, b]| [a.add(b), a.sub(b, 1), a.negate(1), a.scale(3)];
    Carries: 2 => 4, |[a, b]| [a.add(b).carry(), a.add(b).weaken(), a.difference(b, 1), a.mul_loose::<2>(b).difference(a, 2)];
    Products: 2 => 3, |[a, b]| [a.mul(b), a.square(), a.mul_scaled::<2>(b)];
    Fused: 3 => 4, |[a, b, c]| [a.mul_add(b, c), a.square_add(b), a.square_scaled::<3>(), a.mul_plus(b, c.minus_product(a, 1))];
    Minus: 3 => 2, |[a, b, c]| [a.square_plus(b.minus_square::<2>(2)), a.mul_plus(b, c.minus_square::<2>(2))];
    Less: 3 => 2, |[a, b, c]| [a.mul_less(b, c, 1), a.square_less::<2>(b, 1)];
    Choices: 3 => 1, |[a, b, c]| [F::select(a.normalize().is_odd(), b, c)], a.sub(b, 1).is_zero();
    Others: 2 => 4, |[a, _b]| [a.invert(), F::zero(), F::one(), F::constant([5, 6, 7, 8])], a.equals(a);
    Chord: 5 => 2, |[x, y, u, v, i]| { let r = Affine { x, y }.add_with(Affine { x: u, y: v }, i); [r.x, r.y] };
}

type One = Fe4<P256k1>;

/// Runs the operation on two samples, apart and together.
fn check<const N: usize, const M: usize>(random: &mut Random, operation: impl Operation<N, M>) {
    let mut sample = || core::array::from_fn(|_| One::from_words(to_words(&random.canonical())));
    // Every other time the first two numbers are equal on one side.
    for round in 0..200 {
        let (mut a, b): ([One; N], [One; N]) = (sample(), sample());
        if round % 2 == 0 && N > 1 {
            a[1] = a[0];
        }
        let (first, first_mask) = operation.call(a);
        let (second, second_mask) = operation.call(b);
        let (both, mask) = operation.call(core::array::from_fn::<_, N, _>(|i| FieldPair(a[i], b[i])));
        for ((first, second), FieldPair(one, other)) in first.into_iter().zip(second).zip(both) {
            assert_eq!(one.normalize().to_words(), first.normalize().to_words());
            assert_eq!(other.normalize().to_words(), second.normalize().to_words());
        }
        assert_eq!([mask.lane(0), mask.lane(1)], [first_mask.lane(0), second_mask.lane(0)]);
        assert_eq!(mask.any(), first_mask.any() || second_mask.any());
        assert_eq!(mask.not().and(mask).any(), mask.xor(mask).or(mask.not().and(mask)).any());
    }
}

#[test]
fn two_are_each_alone() {
    let mut random = Random::new(20);
    check(&mut random, Sums);
    check(&mut random, Carries);
    check(&mut random, Products);
    check(&mut random, Fused);
    check(&mut random, Minus);
    check(&mut random, Less);
    check(&mut random, Choices);
    check(&mut random, Others);
    check(&mut random, Chord);
}
