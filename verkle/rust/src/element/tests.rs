//! The constants, the two quadratic characters and the map to the Weierstrass curve, against their definitions.

use super::{
    Element,
    edwards::{D, Extended, MINUS_A},
    subgroup::{has_odd_order_vartime, is_member_vartime},
    weierstrass::S,
};
use crate::{
    Scalar,
    field::{Fe, is_equal_vartime, is_square_vartime, sqrt_vartime},
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Field, FieldX1},
    word::Mask,
};

fn number(value: u64) -> Fe {
    Fe::from_words([value, 0, 0, 0])
}

fn minus(a: Fe, b: Fe) -> Fe {
    a.sub(b, 1).weaken()
}

/// A point of the Edwards curve of any order, and the sum by the affine law, where it is defined.
type Point = [Fe; 2];

fn add([x1, y1]: Point, [x2, y2]: Point) -> Point {
    let m = x1.mul(x2).mul(y1).mul(y2).mul(Fe::constant(D));
    let x = x1.mul(y2).add(y1.mul(x2)).weaken().mul(Fe::one().add(m).weaken().invert());
    let y = y1.mul(y2).add(x1.mul(x2).mul(number(MINUS_A))).weaken().mul(minus(Fe::one(), m).invert());
    [x, y]
}

/// Points of the curve with x = 1, 2, 3 and so on: of all orders.
fn points() -> impl Iterator<Item = Point> {
    (1..).map(number).filter_map(|x| {
        let xx = x.square();
        let v = minus(Fe::one(), xx.mul(Fe::constant(D)));
        let yy = Fe::one().add(xx.mul(number(MINUS_A))).weaken().mul(v.invert());
        sqrt_vartime(yy).map(|y| [x, y])
    })
}

/// Whether r times a point is the neutral element, by doubling and adding from the point itself on. On the way a point
/// of even order may meet one for which the affine law is not defined, and then ends at a point with a zero too many.
fn is_of_odd_order(point: Point) -> bool {
    let [a, b, c, d] = Scalar::ORDER;
    let mut multiple = point;
    for bit in (0..252).rev() {
        multiple = add(multiple, multiple);
        if [a, b, c, d][bit / 64] >> (bit % 64) & 1 == 1 {
            multiple = add(multiple, point);
        }
    }
    is_equal_vartime(multiple[0], Fe::zero()) && is_equal_vartime(multiple[1], Fe::one())
}

#[test]
fn constants_are_what_they_are_said_to_be() {
    let (a, d) = (number(MINUS_A).negate(1).weaken(), Fe::constant(D));
    assert!([a, d, number(5), number(7)].iter().all(|number| !is_square_vartime(*number)));
    assert!(is_square_vartime(a.mul(d)) && is_square_vartime(number(1).negate(1)));
    // The constant of `subgroup`, by what it is used for: 4 (a + d - 2 s) is no square for either root.
    let s = sqrt_vartime(a.mul(d)).expect("a square");
    for s in [s, s.negate(1).weaken()] {
        assert!(!is_square_vartime(a.add(d).weaken().sub(s.scale(2), 2).weaken()));
    }
}

#[test]
fn two_characters_tell_membership_and_odd_order() {
    let mut seen = [0; 4];
    for [x, y] in points().take(200) {
        let negated = [x.negate(1).weaken(), y.negate(1).weaken()];
        let odd = [[x, y], negated].map(is_of_odd_order);
        let member = is_member_vartime(x);
        assert_eq!(member, odd[0] || odd[1], "the group is the points of odd order and those beside them");
        assert!(!(odd[0] && odd[1]));
        if member {
            assert_eq!([has_odd_order_vartime(y), has_odd_order_vartime(negated[1])], odd);
        }
        seen[usize::from(odd[0]) * 2 + usize::from(odd[1])] += 1;
    }
    assert!(seen[0] > 50 && seen[1] > 20 && seen[2] > 20 && seen[3] == 0, "{seen:?}");
    // The neutral element and the point beside it.
    assert!(is_member_vartime(Fe::zero()) && has_odd_order_vartime(Fe::one()));
    assert!(!has_odd_order_vartime(Fe::one().negate(1).weaken()));
}

#[test]
fn extended_formulas_are_the_affine_law() {
    let odd: alloc::vec::Vec<Point> = points().filter(|point| is_of_odd_order(*point)).take(6).collect();
    for p in &odd {
        for q in &odd {
            let [x, y] = add(*p, *q);
            let sum = Extended::from_affine(p[0], p[1]).add(&Extended::from_affine(q[0], q[1]).to_addend());
            assert!(is_equal_vartime(sum.x, x.mul(sum.z)) && is_equal_vartime(sum.y, y.mul(sum.z)));
            assert!(is_equal_vartime(sum.t.mul(sum.z), sum.x.mul(sum.y)));
        }
        let [x, y] = add(*p, *p);
        let double = Extended::from_affine(p[0], p[1]).double();
        assert!(is_equal_vartime(double.x, x.mul(double.z)) && is_equal_vartime(double.y, y.mul(double.z)));
        assert!(is_equal_vartime(double.t.mul(double.z), double.x.mul(double.y)));
    }
}

#[test]
fn tuple_of_zeroes_equals_nothing() {
    let zeroes = Extended { x: Fe::zero(), y: Fe::zero(), z: Fe::zero(), t: Fe::zero() };
    for other in [zeroes, Extended::identity(), Extended::generator()] {
        assert!(!zeroes.equals(&other).any() && !other.equals(&zeroes).any());
    }
}

/// The sum of affine points of y^2 = x^3 - 5 x + B with different x.
fn chord(p: Affine<Fe>, q: Affine<Fe>) -> Affine<Fe> {
    let slope = minus(q.y, p.y).mul(minus(q.x, p.x).invert());
    let x = minus(minus(slope.square(), p.x), q.x);
    Affine { x, y: minus(slope.mul(minus(p.x, x)), p.y) }
}

#[test]
fn map_to_the_weierstrass_curve_is_a_homomorphism_and_goes_back() {
    let affine = |element: &Element| {
        let (denominator, neutral) = element.0.weierstrass_denominator();
        assert!(!neutral);
        element.0.to_weierstrass_with(denominator.invert())
    };
    // S is 4 k with k^2 = 1 / 6, and B is 56 k^3.
    let k = Fe::constant(S).mul(number(4).invert());
    assert!(is_equal_vartime(k.square().mul(number(6)), Fe::one()));
    let b = k.square().mul(k).mul(number(56));
    let (mut p, mut q) = (Element::generator(), Element::generator().double());
    for _ in 0..20 {
        let (a, c) = (affine(&p), affine(&q));
        let side = a.x.square().mul(a.x).add(b).weaken();
        assert!(is_equal_vartime(a.y.square(), minus(side, a.x.mul(number(5)))));
        let (sum, expected) = (chord(a, c), affine(&(p + q)));
        assert!(is_equal_vartime(sum.x, expected.x) && is_equal_vartime(sum.y, expected.y));
        // Over any denominator.
        let z = a.x.add(number(3)).weaken();
        let jacobian = Jacobian { x: a.x.mul(z.square()), y: a.y.mul(z.square().mul(z)), z };
        let back = Element::from_sum(jacobian);
        assert_eq!(back, p);
        assert!(is_equal_vartime(back.0.t.mul(back.0.z), back.0.x.mul(back.0.y)));
        (p, q) = (q, p + q);
    }
    assert!(Element::identity().0.weierstrass_denominator().1);
    for infinity in [
        Jacobian::infinity(),
        Jacobian { x: number(4), y: number(8), z: Fe::zero() },
        Jacobian { x: Fe::zero(), y: Fe::zero(), z: Fe::zero() },
    ] {
        assert_eq!(Element::from_sum(infinity), Element::identity());
    }
}
