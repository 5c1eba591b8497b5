//! Operations of the field and formulas of points, as every test of them runs them.

use crate::backends::Operation;
use crate::secp256k1::Secp256k1;
use core::marker::PhantomData;
use phalanx_engine::curve::{Affine, Curve, ImageByX, Jacobian, SumEquation};
use phalanx_engine::field::Field;

/// Declares operations: a name, a number that a caller tells or that is known when it is compiled, the numbers of
/// inputs and outputs, what is computed, and the truth value where there is one.
macro_rules! operations {
    ($(
        $(#[$note:meta])*
        $name:ident $(<$known:ident>)? $(($told:ident))?: $n:literal => $m:literal,
        |$inputs:pat_param| $outputs:expr $(, $truth:expr)?;
    )*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name $(<const $known: u64>)? $((#[doc = stringify!($told)] pub(crate) u64))?;

        impl $(<const $known: u64>)? $crate::backends::Operation<$n, $m> for $name $(<$known>)? {
            #[inline(always)]
            fn call<F: phalanx_engine::field::Field>(self, inputs: [F; $n]) -> ([F; $m], F::Mask) {
                $(let Self($told) = self;)?
                let $inputs = inputs;
                let truth = <F::Mask as phalanx_engine::word::Mask>::NONE;
                $(let truth = { let _ = truth; $truth };)?
                ($outputs, truth)
            }
        }
    )*};
}
pub(crate) use operations;

operations! {
    Sum: 2 => 1, |[a, b]| [a.add(b)];
    Sub(magnitude): 2 => 1, |[a, b]| [a.sub(b, magnitude)];
    Negate(magnitude): 1 => 1, |[a]| [a.negate(magnitude)];
    Scale(factor): 1 => 1, |[a]| [a.scale(factor)];
    Carry: 1 => 1, |[a]| [a.carry()];
    Weaken: 1 => 1, |[a]| [a.weaken()];
    Mul: 2 => 1, |[a, b]| [a.mul(b)];
    Square: 1 => 1, |[a]| [a.square()];
    MulAdd: 3 => 1, |[a, b, c]| [a.mul_add(b, c)];
    SquareAdd: 2 => 1, |[a, b]| [a.square_add(b)];
    MulLess: 3 => 1, |[a, b, c]| [a.mul_less(b, c, 79)];
    SquareLess<K>: 2 => 1, |[a, b]| [a.square_less::<K>(b, 79 / K)];
    LeaveMontgomery: 1 => 0, |[a]| [], a.is_odd();
    MulScaled<K>: 2 => 1, |[a, b]| [a.mul_scaled::<K>(b)];
    SquareScaled<K>: 1 => 1, |[a]| [a.square_scaled::<K>()];
    MulLoose: 2 => 1, |[a, b]| [a.mul_loose::<2>(b)];
    Difference(magnitude): 2 => 1, |[a, b]| [a.difference(b, magnitude)];
    DifferenceOfProduct: 3 => 1, |[a, b, c]| [a.mul_loose::<2>(b).difference(c, 2)];
    MulPlus: 4 => 1, |[a, b, c, d]| [a.mul_plus(b, c.minus_product(d, 2))];
    MulPlusSquare: 3 => 1, |[a, b, c]| [a.mul_plus(b, c.minus_square::<2>(2))];
    SquarePlus: 3 => 1, |[a, b, c]| [a.square_plus(b.minus_product(c, 2))];
    Normalize: 1 => 1, |[a]| [a.normalize()];
    IsZero: 1 => 0, |[a]| [], a.is_zero();
    Equals: 2 => 0, |[a, b]| [], a.equals(b);
    Invert: 1 => 1, |[a]| [a.invert()];
    Double: 3 => 3, |[x, y, z]| coordinates(Jacobian { x, y, z }.double());
    NegatePoint: 3 => 3, |[x, y, z]| coordinates(Jacobian { x, y, z }.negate());
    AddMixed: 5 => 4, |[x, y, z, u, v]| {
        let (r, h) = Jacobian { x, y, z }.add_mixed(Affine { x: u, y: v });
        [r.x, r.y, r.z, h]
    };
    Add: 6 => 4, |[x, y, z, u, v, w]| {
        let (r, h) = Jacobian { x, y, z }.add(Jacobian { x: u, y: v, z: w });
        [r.x, r.y, r.z, h]
    };
    AddCoZ: 4 => 4, |[x, y, u, v]| {
        let (r, moved, _) = Affine { x, y }.add_co_z(Affine { x: u, y: v });
        [r.x, r.y, moved.x, moved.y]
    };
    /// The difference that [`AddCoZ`] gives beside its sum.
    AddCoZDifference: 4 => 1, |[x, y, u, v]| [Affine { x, y }.add_co_z(Affine { x: u, y: v }).2];
    DoubleCoZ: 2 => 4, |[x, y]| {
        let (r, moved, _) = Affine { x, y }.double_co_z_on::<Secp256k1>();
        [r.x, r.y, moved.x, moved.y]
    };
    AddWith: 5 => 2, |[x, y, u, v, i]| plane(Affine { x, y }.add_with(Affine { x: u, y: v }, i));
    DoubleWith: 3 => 2, |[x, y, i]| plane(Affine { x, y }.double_with(i));
    ChordDenominator: 4 => 1, |[x, y, u, v]| [Affine { x, y }.chord_denominator(&Affine { x: u, y: v })];
    TangentDenominator: 2 => 1, |[x, y]| [Affine { x, y }.tangent_denominator()];
    AddMixedComplete: 5 => 3, |[x, y, z, u, v]| {
        coordinates(Jacobian { x, y, z }.add_mixed_complete(Affine { x: u, y: v }))
    };
    AddComplete: 6 => 3, |[x, y, z, u, v, w]| {
        coordinates(Jacobian { x, y, z }.add_complete(Jacobian { x: u, y: v, z: w }))
    };
    SamePoint: 6 => 0, |[x, y, z, u, v, w]| [], Jacobian { x, y, z }.equals(Jacobian { x: u, y: v, z: w });
    IsInfinity: 3 => 0, |[x, y, z]| [], Jacobian { x, y, z }.is_infinity();
    ToAffine: 4 => 2, |[x, y, z, i]| plane(Jacobian { x, y, z }.to_affine_with(i));
    OnCurve: 2 => 0, |[x, y]| [], Affine { x, y }.is_on_curve::<Secp256k1>();
    Endomorphism: 2 => 2, |[x, y]| plane(Affine { x, y }.endomorphism::<Secp256k1>());
    NegateAffine: 2 => 2, |[x, y]| plane(Affine { x, y }.negate());
    Image: 1 => 3, |[x]| {
        let ImageByX { point, d } = ImageByX::new::<Secp256k1>(x);
        [point.x, point.y, d]
    };
    /// X, Y, Z and d of an image, a point, and r.
    Equation: 7 => 4, |[x, y, z, d, g, h, r]| {
        let equation = SumEquation::new(Jacobian { x, y, z }, d, Affine { x: g, y: h }, r);
        let SumEquation { width, height, divisor } = equation;
        [width, height, divisor, equation.denominator()]
    };
    EquationY: 6 => 1, |[width, height, divisor, y, d, inverse]| {
        [SumEquation { width, height, divisor }.y(y, d, inverse)]
    };
    EquationSumY: 9 => 1, |[width, height, divisor, product_y, y, g, h, r, inverse]| {
        [SumEquation { width, height, divisor }.sum_y(product_y, y, Affine { x: g, y: h }, r, inverse)]
    };
    Generator: 1 => 2, |[_unused]| plane(Affine::<F>::generator::<Secp256k1>());
}

#[inline(always)]
fn coordinates<F>(point: Jacobian<F>) -> [F; 3] {
    [point.x, point.y, point.z]
}

#[inline(always)]
fn plane<F>(point: Affine<F>) -> [F; 2] {
    [point.x, point.y]
}

/// From a and b in Jacobian coordinates, both in affine ones, and 1 / (2 y) of a: 2 a, a + b with b affine and with b
/// Jacobian, 2 a by its tangent, the side of the equation that x of a gives, and 2 a and a over 2 y of a; whether a is
/// on the curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formulas<C>(pub(crate) PhantomData<C>);

impl<C: Curve> Operation<11, 16> for Formulas<C> {
    #[inline(always)]
    fn call<F: Field>(self, [x, y, z, u, v, w, ax, ay, bx, by, inverse]: [F; 11]) -> ([F; 16], F::Mask) {
        let (a, b) = (Jacobian { x, y, z }, Jacobian { x: u, y: v, z: w });
        let (affine_a, affine_b) = (Affine { x: ax, y: ay }, Affine { x: bx, y: by });
        let double = a.double_on::<C>();
        let mixed = a.add_mixed_complete_on::<C>(affine_b);
        let sum = a.add_complete_on::<C>(b);
        let tangent = affine_a.double_with_on::<C>(inverse);
        let (twice, moved, _) = affine_a.double_co_z_on::<C>();
        let [[dx, dy, dz], [mx, my, mz], [sx, sy, sz]] = [double, mixed, sum].map(coordinates);
        let [[tx, ty], [cx, cy], [ux, uy]] = [tangent, twice, moved].map(plane);
        let results = [dx, dy, dz, mx, my, mz, sx, sy, sz, tx, ty, Affine::curve_side::<C>(ax), cx, cy, ux, uy];
        (results, affine_a.is_on_curve::<C>())
    }
}
