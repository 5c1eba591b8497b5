//! How work reaches the vector unit.
//!
//! A piece of work is generic over the word: an `Op` whose `call` is inlined, with all that it calls, into a root of
//! its own that is compiled for the instruction set of that word. Detection is the only way to the vector words, so a
//! CPU without them never runs their instructions; `Emulated` runs the same source anywhere.
//!
//! The program computes 2^k G, and the sums that follow, for eight different k at once, on every word that this CPU
//! has, and says whether they agree. The test `roots` of `phalanx-testkit` looks at the machine code of the roots of
//! its release build.

use phalanx_engine::curve::{Affine, Curve, Jacobian};
use phalanx_engine::field::{FeX8, Field, FieldX8, MontX8, MontgomeryPrime, Prime, PseudoMersenne};
use phalanx_engine::word::{Emulation, Fma, Fma512, Ifma, LANES, Machine, Neon, Op, Word};

/// secp256k1's p.
#[derive(Clone, Copy)]
struct P;
impl Prime for P {
    const C: u64 = 0x1_0000_03d1;
    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        // p - 2 is 2^256 - 2^32 - 979: 223 ones, a zero, then the 32 bits of 2^32 - 979.
        let mut power = x;
        for bit in (0..255u32).rev() {
            power = power.square();
            if bit > 32 || (bit < 32 && 0xffff_fc2du32 >> bit & 1 == 1) {
                power = power.mul(x);
            }
        }
        power
    }
}

/// secp256k1's group order.
#[derive(Clone, Copy)]
struct N;
impl MontgomeryPrime for N {
    const MODULUS: [u64; 4] = [0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff];
}

#[derive(Clone, Copy)]
struct Secp256k1;
impl Curve for Secp256k1 {
    type Field = PseudoMersenne<P>;
    const B: [u64; 4] = [7, 0, 0, 0];
    const GENERATOR: [[u64; 4]; 2] = [
        [0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac],
        [0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465],
    ];
}

/// Numbers in eight lanes as they lie in memory: five words, each of eight lanes.
type Limbs = [[u64; LANES]; 5];
/// The coordinates of eight points.
type Points = [Limbs; 3];

#[inline(always)]
fn load<W: Word>(limbs: &Limbs) -> FeX8<P, W> {
    let [a, b, c, d, e] = *limbs;
    FeX8::from_memory([W::from_lanes(a), W::from_lanes(b), W::from_lanes(c), W::from_lanes(d), W::from_lanes(e)])
}

#[inline(always)]
fn store<W: Word>(number: FeX8<P, W>, limbs: &mut Limbs) {
    let [a, b, c, d, e] = number.to_memory();
    *limbs = [a.to_lanes(), b.to_lanes(), c.to_lanes(), d.to_lanes(), e.to_lanes()];
}

#[inline(always)]
fn load_point<W: Word>(points: &Points) -> Jacobian<FeX8<P, W>> {
    Jacobian { x: load(&points[0]), y: load(&points[1]), z: load(&points[2]) }
}

#[inline(always)]
fn store_point<W: Word>(point: Jacobian<FeX8<P, W>>, points: &mut Points) {
    let [x, y, z] = points;
    store(point.x, x);
    store(point.y, y);
    store(point.z, z);
}

/// Doubles the points in place.
struct Double<'a>(&'a mut Points);
impl Op for Double<'_> {
    type Output = ();
    #[inline(always)]
    fn call<W: Word>(self) {
        store_point(load_point::<W>(self.0).double(), self.0);
    }
}

/// Adds the generator; the lanes where that formula was not valid.
struct AddGenerator<'a>(&'a mut Points);
impl Op for AddGenerator<'_> {
    type Output = u8;
    #[inline(always)]
    fn call<W: Word>(self) -> u8 {
        let (sum, difference) = load_point::<W>(self.0).add_mixed(Affine::generator::<Secp256k1>());
        store_point(sum, self.0);
        difference.is_zero().0
    }
}

/// Adds other points, which are in general position.
struct Add<'a>(&'a mut Points, &'a Points);
impl Op for Add<'_> {
    type Output = ();
    #[inline(always)]
    fn call<W: Word>(self) {
        store_point(load_point::<W>(self.0).add(load_point(self.1)).0, self.0);
    }
}

/// Adds the generator, whatever the points are.
struct AddGeneratorComplete<'a>(&'a mut Points);
impl Op for AddGeneratorComplete<'_> {
    type Output = ();
    #[inline(always)]
    fn call<W: Word>(self) {
        let sum = load_point::<W>(self.0).add_mixed_complete(Affine::generator::<Secp256k1>());
        store_point(sum, self.0);
    }
}

/// Adds other points, whatever either are.
struct AddComplete<'a>(&'a mut Points, &'a Points);
impl Op for AddComplete<'_> {
    type Output = ();
    #[inline(always)]
    fn call<W: Word>(self) {
        store_point(load_point::<W>(self.0).add_complete(load_point(self.1)), self.0);
    }
}

/// The affine coordinates in canonical limbs, and which of the points are on the curve.
struct ToAffine<'a>(&'a Points, &'a mut [Limbs; 2]);
impl Op for ToAffine<'_> {
    type Output = u8;
    #[inline(always)]
    fn call<W: Word>(self) -> u8 {
        let point = load_point::<W>(self.0);
        let affine = point.to_affine_with(point.z.invert()).normalize();
        let [x, y] = self.1;
        store(affine.x, x);
        store(affine.y, y);
        affine.is_on_curve::<Secp256k1>().0
    }
}

/// The lanes in which the points are equal.
struct Equals<'a>(&'a Points, &'a Points);
impl Op for Equals<'_> {
    type Output = u8;
    #[inline(always)]
    fn call<W: Word>(self) -> u8 {
        load_point::<W>(self.0).equals(load_point(self.1)).0
    }
}

/// 1 / x modulo the group order, back in four words.
struct InvertScalars<'a>(&'a [[u64; LANES]; 4], &'a mut [[u64; LANES]; 4]);
impl Op for InvertScalars<'_> {
    type Output = ();
    #[inline(always)]
    fn call<W: Word>(self) {
        let [a, b, c, d] = *self.0;
        let words = [W::from_lanes(a), W::from_lanes(b), W::from_lanes(c), W::from_lanes(d)];
        let [a, b, c, d] = MontX8::<N, W>::from_words(words).invert().to_words();
        *self.1 = [a.to_lanes(), b.to_lanes(), c.to_lanes(), d.to_lanes()];
    }
}

/// Everything above in turn; equal results on every backend.
fn compute(backend: impl Machine) -> ([Limbs; 2], [[u64; LANES]; 4]) {
    let [x, y] = Secp256k1::GENERATOR;
    let limbs = |[a, b, c, d]: [u64; 4]| {
        const FULL: u64 = (1 << 52) - 1;
        let limbs =
            [a & FULL, (a >> 52 | b << 12) & FULL, (b >> 40 | c << 24) & FULL, (c >> 28 | d << 36) & FULL, d >> 16];
        limbs.map(|limb| [limb; LANES])
    };
    let generator: Points = [limbs(x), limbs(y), limbs([1, 0, 0, 0])];
    // Lane k becomes 2^k G: where a lane is done, what is computed for it is thrown away.
    let mut points = generator;
    for k in 1..LANES {
        let mut doubled = points;
        backend.run(Double(&mut doubled));
        for (limb, doubled) in points.as_flattened_mut().iter_mut().zip(doubled.as_flattened()) {
            limb[k..].copy_from_slice(&doubled[k..]);
        }
    }
    // Lane 0 is G + G, which the incomplete formula cannot add.
    let mut sum = points;
    assert_eq!(backend.run(AddGenerator(&mut sum)), 1);
    let mut complete = points;
    backend.run(AddGeneratorComplete(&mut complete));
    assert_eq!(backend.run(Equals(&sum, &complete)), 0xfe);
    let mut more = complete;
    backend.run(Add(&mut more, &points));
    let mut again = complete;
    backend.run(AddComplete(&mut again, &points));
    assert_eq!(backend.run(Equals(&more, &again)), 0xff);

    let mut affine = [[[0; LANES]; 5]; 2];
    assert_eq!(backend.run(ToAffine(&again, &mut affine)), 0xff);
    let mut inverses = [[0; LANES]; 4];
    backend.run(InvertScalars(&core::array::from_fn(|word| affine[0][word]), &mut inverses));
    (affine, inverses)
}

fn main() {
    let emulated = compute(Emulation);
    println!("emulated: 2^k G + 2^k G + G for k = 0 to 7, lowest limbs of x: {:x?}", emulated.0[0][0]);
    let say = |name, results: Option<_>| {
        let same = results.map(|results| if results == emulated { "the same" } else { "NOT the same" });
        println!("{name}: {}", same.unwrap_or("not on this CPU"));
    };
    say("neon", Neon::detect().map(compute));
    say("fma", Fma::detect().map(compute));
    say("fma512", Fma512::detect().map(compute));
    say("ifma", Ifma::detect().map(compute));
}
