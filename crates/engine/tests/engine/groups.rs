//! Groups to sum in, and their points as rows, made by chord and tangent on big integers.

use crate::backends::vector_units;
use crate::moduli::{BandersnatchBase, BanderwagonOrder, OrderN};
use crate::reference::{Point, from_words, multiple_modulo, negate_modulo, sum_modulo, to_words};
use crate::secp256k1::{P256k1, Secp256k1};
use num_bigint::BigUint;
use phalanx_engine::affine_add::{AffineAdder, EightLanes, OneLane};
use phalanx_engine::curve::{Affine, Curve, GlvCurve, RowModel};
use phalanx_engine::field::{BaseField, Field, FieldX1, Montgomery, MontgomeryPrime, PseudoMersenne};
use phalanx_engine::lanes::{INFINITY, is_infinity, read_entry, write_entry};
use phalanx_engine::msm::Sum;
use phalanx_engine::word::{CacheLine, Emulation, Mask, VectorUnit};

/// A group with what its sums are judged by.
pub(crate) trait Group: Curve {
    /// The order of the generator.
    fn order() -> BigUint;
}

/// A group with an endomorphism.
pub(crate) trait GlvGroup: Group + GlvCurve {
    /// What the endomorphism multiplies the generator by.
    fn lambda() -> BigUint;
}

const BETA: [u64; 4] = <Secp256k1 as GlvCurve>::BETA;

impl Group for Secp256k1 {
    /// Source: SEC 2, section 2.4.1.
    fn order() -> BigUint {
        from_words(<Montgomery<OrderN> as BaseField>::MODULUS.value())
    }
}

impl GlvGroup for Secp256k1 {
    fn lambda() -> BigUint {
        from_words(&LAMBDA)
    }
}

/// A cube root of one modulo the order of secp256k1's group, by which (BETA x, y) is (x, y) times.
const LAMBDA: [u64; 4] = [0xdf02967c1b23bd72, 0x122e22ea20816678, 0xa5261c028812645a, 0x5363ad4cc05c30e0];

/// The subgroups of order 7, 13 and 199 on y^2 = x^3 + B over secp256k1's field, for B = 6, 2 and 4: small enough to
/// try every case. [`generators_are_of_their_orders`] says all that is asked of the constants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiny<const ORDER: u64>;

impl<const ORDER: u64> Curve for Tiny<ORDER> {
    type Field = PseudoMersenne<P256k1>;
    const B: [u64; 4] = match ORDER {
        7 => [6, 0, 0, 0],
        13 => [2, 0, 0, 0],
        199 => [4, 0, 0, 0],
        _ => panic!("no such group"),
    };
    const GENERATOR: [[u64; 4]; 2] = match ORDER {
        7 => [
            [0xa42fee9ec9a0966f, 0x0df28ba73fbef210, 0x836d83a6ff2fec4a, 0x976b34c28be19dbb],
            [0xc4dabe7200b54b60, 0x9bdad0bd735bb1e8, 0xd20ac14967d8b00b, 0xe19f1768583ff383],
        ],
        13 => [
            [0x88e489aa3d68746b, 0x929c645be56584aa, 0x346a975330b12e1d, 0x3ad3e1ec92dc070a],
            [0x6c607f91c8520383, 0xf15065bc091001aa, 0xf787bb15bc0b9fc1, 0xab34e4942373ed8c],
        ],
        _ => [
            [0xfb12940c9ea66c18, 0x3b017a7da808c2f1, 0xa749dd392b4fb069, 0xfa7cc9a70737f2db],
            [0xcfe525727f0501ed, 0x48df246c808dae72, 0x8732bc911f3a2868, 0x78ac123a5ed8aef3],
        ],
    };
}

impl<const ORDER: u64> GlvCurve for Tiny<ORDER> {
    const BETA: [u64; 4] = BETA;
}

impl<const ORDER: u64> Group for Tiny<ORDER> {
    fn order() -> BigUint {
        ORDER.into()
    }
}

impl<const ORDER: u64> GlvGroup for Tiny<ORDER> {
    fn lambda() -> BigUint {
        BigUint::from(match ORDER {
            7 => 2u8,
            13 => 9,
            _ => 92,
        })
    }
}

/// secq256k1: y^2 = x^3 + 7 modulo n, the order of secp256k1's group, over a field in Montgomery's form. Its order is
/// secp256k1's p, because the two curves are a cycle, as `generators_are_of_their_orders` shows: p is prime, and p
/// times the generator is infinity. The generator has the smallest x, which is 1 (7 is not a square modulo n), and of
/// its two y the even one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Secq256k1;

impl Curve for Secq256k1 {
    type Field = Montgomery<OrderN>;
    const B: [u64; 4] = [7, 0, 0, 0];
    const GENERATOR: [[u64; 4]; 2] =
        [[1, 0, 0, 0], [0xc1b800d1ffc278c0, 0x48916189041f2af0, 0x4909abdf82c9bd02, 0x0c7c97045a207463]];
}

/// What is LAMBDA on one curve of the cycle is BETA on the other.
impl GlvCurve for Secq256k1 {
    const BETA: [u64; 4] = LAMBDA;
}

impl Group for Secq256k1 {
    fn order() -> BigUint {
        from_words(<PseudoMersenne<P256k1> as BaseField>::MODULUS.value())
    }
}

impl GlvGroup for Secq256k1 {
    fn lambda() -> BigUint {
        from_words(&BETA)
    }
}

/// The subgroups of order 7, 11 and 13 on y^2 = x^3 + A x + B over secp256k1's field, for an A that is small, large, and
/// small and negative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sloped<const ORDER: u64>;

impl<const ORDER: u64> Curve for Sloped<ORDER> {
    type Field = PseudoMersenne<P256k1>;
    const A: [u64; 4] = match ORDER {
        7 => [5, 0, 0, 0],
        11 => [0x0000000000003039, 0x5667788000000000, 0xb7e4806112233445, 0x00000005d1c3f9a2],
        13 => [0xfffffffefffffc2c, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff],
        _ => panic!("no such group"),
    };
    const B: [u64; 4] = match ORDER {
        7 => [1, 0, 0, 0],
        11 => [8, 0, 0, 0],
        _ => [9, 0, 0, 0],
    };
    const GENERATOR: [[u64; 4]; 2] = match ORDER {
        7 => [
            [0x17ada535c5ac2938, 0x4273455057b62dd8, 0xd9f38be070eb0c01, 0x04f744ea3de73d0f],
            [0x81617779fe0068a3, 0x176706785e3c3c31, 0x7b9ba62955748658, 0x3e7ab89ab2d28fbb],
        ],
        11 => [
            [0xe5d492df7ade0127, 0x2ea892fd57efb008, 0x14ba149cf636d998, 0x1c76e6b4e6cddf76],
            [0xdf792e17904bb41e, 0xc54d95b1bb51b7e4, 0x80188bb1396afb66, 0x4604a3526ed074cb],
        ],
        _ => [
            [0x612b40c97631ad9e, 0x50fe34b681269832, 0xd39597d761f9ad81, 0x46611d86c131fcd0],
            [0xa7023a7d0b3a7a59, 0xbcb505172f1b2be0, 0xb84c4208d24a0ba7, 0x6c27b3a4bf8f85c9],
        ],
    };
}

impl<const ORDER: u64> Group for Sloped<ORDER> {
    fn order() -> BigUint {
        ORDER.into()
    }
}

/// Bandersnatch's group of prime order on the short Weierstrass model that its Edwards form gives, whose A is large:
/// cofactor 4, 253 bits. The generator is that of Banderwagon.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bandersnatch;

impl Curve for Bandersnatch {
    type Field = Montgomery<BandersnatchBase>;
    const A: [u64; 4] = [0xe0720f8033267935, 0xe32913d24f20541d, 0x8c4a118e26da26e5, 0x17d15ecbe9f0fc8b];
    const B: [u64; 4] = [0x07bb3d28d5e8bbbf, 0xfa2d24f0ab8c2569, 0x11194e6b4d5d4625, 0x415fcb20d12e60a8];
    const GENERATOR: [[u64; 4]; 2] = [
        [0x47ac4aea0a73f2f7, 0x3f83a04d7022aead, 0xbd002014ef530ad6, 0x4450f9122ae57d5c],
        [0x795a3eb57763c1b2, 0x27f74e164a63e0be, 0x592598412a2b2726, 0x1bff80ef062fe4b1],
    ];
}

impl Group for Bandersnatch {
    fn order() -> BigUint {
        from_words(&BanderwagonOrder::MODULUS)
    }
}

/// The same group on the model on which one lane adds.
impl<C: Group> Group for RowModel<C> {
    fn order() -> BigUint {
        C::order()
    }
}

/// The prime of the coordinates.
pub(crate) fn prime<C: Curve>() -> BigUint {
    from_words(C::Field::MODULUS.value())
}

pub(crate) fn generator<C: Curve>() -> Point {
    let [x, y] = C::GENERATOR;
    Some((from_words(&x), from_words(&y)))
}

/// `k G`.
pub(crate) fn multiple<C: Curve>(k: &BigUint) -> Point {
    multiple_of::<C>(k, &generator::<C>())
}

/// `k` times a point.
pub(crate) fn multiple_of<C: Curve>(k: &BigUint, point: &Point) -> Point {
    multiple_modulo(&prime::<C>(), &from_words(&C::A), k, point)
}

/// The sum of two points.
pub(crate) fn sum_of<C: Curve>(a: &Point, b: &Point) -> Point {
    sum_modulo(&prime::<C>(), &from_words(&C::A), a, b)
}

type X1<C> = <<C as Curve>::Field as BaseField>::X1;

/// The row of a point.
pub(crate) fn row<C: Curve>(point: &Point) -> CacheLine {
    point.as_ref().map_or(INFINITY, |(x, y)| {
        let (x, y) = (X1::<C>::from_words(to_words(x)), X1::<C>::from_words(to_words(y)));
        write_entry(&Affine { x, y }.normalize())
    })
}

fn read<C: Curve>(point: Affine<X1<C>>) -> Point {
    let Affine { x, y } = point.normalize();
    Some((from_words(&x.to_words()), from_words(&y.to_words())))
}

/// The point of a row.
pub(crate) fn point<C: Curve>(row: &CacheLine) -> Point {
    if is_infinity(row) { None } else { read::<C>(read_entry(row)) }
}

/// The point of a sum.
pub(crate) fn point_of_sum<C: Curve>(sum: Sum<C>) -> Point {
    if sum.is_infinity().any() { None } else { read::<C>(sum.to_affine_with(sum.z.invert())) }
}

/// The multiples of the generator from 0 on, by adding it again and again.
pub(crate) fn multiples<C: Curve>(count: usize) -> Vec<Point> {
    let next = |point: &Point| Some(sum_of::<C>(point, &generator::<C>()));
    core::iter::successors(Some(None), next).take(count).collect()
}

/// Work for adders of a curve.
pub(crate) trait WithAdder<C: Group> {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str);
}

/// On one lane and on emulated words of eight: for a curve whose code differs from another's, which runs on every
/// machine, in a constant.
pub(crate) fn with_any_words<C: Group>(work: &impl WithAdder<C>) {
    work.run(&OneLane::<C>::new(), "one lane");
    work.run(&EightLanes::<_, C>::new(Emulation), "emulated");
}

/// On one lane and on every machine of eight that there is.
///
/// Additions know a curve's field and A, and not its B or its group. So groups that have these in common are given to
/// the adders of one of the curves, which are compiled once.
pub(crate) fn with_every_adder<C: Group>(work: &impl WithAdder<C>) {
    with_any_words(work);
    let ran = vector_units().map(|unit| work.run(&EightLanes::<_, C>::new(unit), unit.name())).count();
    if ran < VectorUnit::NAMES_HERE.len() {
        phalanx_tiers::skipped("vector words", "additions and sums in eight lanes; each ran on emulated words");
    }
}

fn check_generator<C: Group>() {
    let (p, [x, y]) = (prime::<C>(), C::GENERATOR.each_ref().map(|words| from_words(words)));
    assert_eq!(&y * &y % &p, (&x * &x * &x + from_words(&C::A) * &x + from_words(&C::B)) % &p);
    assert!(x < p && y < p);
    // The orders are prime, and the generator is finite, so that no smaller number makes infinity.
    assert_eq!(multiple::<C>(&C::order()), None);
}

fn check_endomorphism<C: GlvGroup>() {
    check_generator::<C>();
    let (p, [x, y]) = (prime::<C>(), C::GENERATOR.each_ref().map(|words| from_words(words)));
    let beta = from_words(&C::BETA);
    assert_eq!(beta.modpow(&3u8.into(), &p), 1u8.into());
    assert_eq!(multiple::<C>(&C::lambda()), Some((beta * &x % &p, y)));
}

#[test]
fn generators_are_of_their_orders() {
    check_endomorphism::<Tiny<7>>();
    check_endomorphism::<Tiny<13>>();
    check_endomorphism::<Tiny<199>>();
    check_endomorphism::<Secp256k1>();
    check_endomorphism::<Secq256k1>();
    check_generator::<Sloped<7>>();
    check_generator::<Sloped<11>>();
    check_generator::<Sloped<13>>();
    check_generator::<Bandersnatch>();
    check_generator::<RowModel<Bandersnatch>>();
    check_generator::<RowModel<Secq256k1>>();
    check_generator::<RowModel<Sloped<11>>>();
    // The generator of secq256k1 is as it is said to be: 7 is not a square (Euler's criterion), and y is even.
    let n = prime::<Secq256k1>();
    assert_eq!(BigUint::from(7u8).modpow(&((&n - 1u8) / 2u8), &n), negate_modulo(&n, &1u8.into()));
    assert_eq!(Secq256k1::GENERATOR[1][0] % 2, 0);
}
