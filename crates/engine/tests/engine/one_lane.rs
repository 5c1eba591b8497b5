//! The Montgomery field of one lane modulo numbers of every length it takes, on every pair of edge values; and the bounds
//! that its text claims. Some of the moduli are no primes: only inverses notice.

use crate::moduli::{BandersnatchBase, BanderwagonOrder, OrderN};
use crate::reference::{from_words, to_words};
use crate::samples::Random;
use num_bigint::BigUint;
use phalanx_engine::field::{Field, FieldX1, Mont, MontgomeryPrime};
use phalanx_engine::word::Mask;

macro_rules! moduli {
    ($($(#[$note:meta])* $name:ident = $words:expr;)*) => {
        $(
            $(#[$note])*
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct $name;
            impl MontgomeryPrime for $name {
                const MODULUS: [u64; 4] = $words;
            }
        )*

        /// Every modulus of this file.
        fn on_each_modulus(work: &impl OnModulus) {
            $(work.run::<$name>();)*
            work.run::<OrderN>();
            work.run::<BandersnatchBase>();
            work.run::<BanderwagonOrder>();
        }
    };
}

const ALL: u64 = u64::MAX;

moduli! {
    /// The greatest.
    Full = [ALL, ALL, ALL, ALL];
    /// The greatest prime below 2^256.
    FullPrime = [ALL - 188, ALL, ALL, ALL];
    /// The least that fills 256 bits.
    Half = [1, 0, 0, 1 << 63];
    /// The greatest of 255 bits.
    AlmostHalf = [ALL, ALL, ALL, ALL >> 1];
    /// The least whose rows are divided by one small step.
    Long = [1, 0, 0, 1 << 60];
    /// The greatest whose rows are not.
    AlmostLong = [ALL, ALL, ALL, ALL >> 4];
    /// The prime of the field of P-224.
    P224 = [1, ALL << 32, ALL, ALL >> 32];
    /// The least.
    Least = [1, 0, 0, 1];
}

/// Work for every modulus.
trait OnModulus {
    fn run<M: MontgomeryPrime>(&self);
}

fn modulus<M: MontgomeryPrime>() -> BigUint {
    from_words(&M::MODULUS)
}

fn power(bits: u32) -> BigUint {
    BigUint::from(1u8) << bits
}

/// Numbers of up to 256 bits around every multiple of M up to 40 M, every power of two, and words of all zeros and ones.
fn edges<M: MontgomeryPrime>() -> Vec<BigUint> {
    let m = modulus::<M>();
    let mut numbers: Vec<BigUint> = (0..5u8).map(BigUint::from).collect();
    let near = |center: BigUint| (0..5u8).map(move |off| &center + off - 2u8);
    numbers.extend((1..40u8).chain([255]).flat_map(|times| near(&m * times)));
    numbers.extend([4u32, 32, 60, 64, 128, 192, 252, 255, 256].into_iter().flat_map(|bits| near(power(bits))));
    numbers.extend(
        (1..16u8).map(|bits| from_words(&[0, 1, 2, 3].map(|word| if bits >> word & 1 == 1 { ALL } else { 0 }))),
    );
    // What makes the form's own number small or large.
    numbers.extend([256u32, 260, 512].into_iter().flat_map(|bits| near(power(bits) % &m + 2u8)));
    numbers.extend(near(&m / 2u8));
    numbers.retain(|number| number.bits() <= 256);
    numbers.sort();
    numbers.dedup();
    numbers
}

/// Elements whose form, and whose value, is an edge.
fn elements<M: MontgomeryPrime>(random: &mut Random) -> Vec<(Mont<M>, BigUint)> {
    let m = modulus::<M>();
    let mut values: Vec<BigUint> = edges::<M>().into_iter().filter(|number| *number < m).collect();
    let leave = power(256).modinv(&m).expect("the modulus is odd");
    let forms: Vec<BigUint> = values.iter().map(|value| value * &leave % &m).collect();
    values.extend(forms);
    values.extend((0..10).map(|_| random.number() % &m));
    values.sort();
    values.dedup();
    values.into_iter().map(|value| (Mont::from_words(to_words(&value)), value)).collect()
}

struct Pairs;
impl OnModulus for Pairs {
    fn run<M: MontgomeryPrime>(&self) {
        let (m, mut random) = (modulus::<M>(), Random::new(61));
        let elements = elements::<M>(&mut random);
        let minus = |x: BigUint| (&m - x % &m) % &m;
        for (i, (a, x)) in elements.iter().enumerate() {
            for (j, (b, y)) in elements.iter().enumerate() {
                let (c, z) = &elements[(7 * i + 3 * j) % elements.len()];
                let (d, w) = &elements[(3 * i + 5 * j + 1) % elements.len()];
                let is = |what: &str, found: Mont<M>, wanted: BigUint| {
                    assert_eq!(
                        from_words(&found.to_words()),
                        wanted % &m,
                        "{what} of {x:x}, {y:x}, {z:x}, {w:x} mod {m:x}"
                    );
                };
                is("a sum", a.add(*b), x + y);
                is("a difference", a.sub(*b, 1), x + minus(y.clone()));
                is("a difference to multiply", a.difference(*b, 1), x + minus(y.clone()));
                is("a product", a.mul(*b), x * y);
                is("a loose product", a.mul_loose::<2>(*b), 2u8 * x * y);
                is("a square less two squares", a.square_plus(b.minus_square::<2>(1)), x * x + minus(2u8 * y * y));
                is("a tripled product", a.mul_scaled::<3>(*b), 3u8 * x * y);
                is("a product and", a.mul_add(*b, *c), x * y + z);
                is("a square and", a.square_add(*b), x * x + y);
                is("a product less one", a.mul_plus(*b, c.minus_product(*d, 1)), x * y + minus(z * w));
                is("a product less a square", a.mul_plus(*b, c.minus_square::<2>(1)), x * y + minus(2u8 * z * z));
                is("a square less a product", a.square_plus(b.minus_product(*c, 1)), x * x + minus(y * z));
                assert_eq!(a.equals(*b).any(), i == j);
                assert_eq!(from_words(&Mont::select(Mask::ALL, *a, *b).to_words()), *x);
                assert_eq!(from_words(&Mont::select(Mask::NONE, *a, *b).to_words()), *y);
            }
        }
    }
}

#[test]
fn every_pair_of_edges() {
    on_each_modulus(&Pairs);
}

struct Singles;
impl OnModulus for Singles {
    fn run<M: MontgomeryPrime>(&self) {
        let (m, mut random) = (modulus::<M>(), Random::new(62));
        for (a, x) in elements::<M>(&mut random) {
            let is = |what: &str, found: Mont<M>, wanted: BigUint| {
                assert_eq!(from_words(&found.to_words()), wanted % &m, "{what} of {x:x} mod {m:x}");
            };
            is("the same", a, x.clone());
            is("the same", a.carry(), x.clone());
            is("the same", a.weaken(), x.clone());
            is("the same", a.normalize(), x.clone());
            is("a negation", a.negate(1), &m - &x);
            is("a square", a.square(), &x * &x);
            is("a square taken four times", a.square_scaled::<4>(), 4u8 * &x * &x);
            for factor in 1..10 {
                is("a multiple", a.scale(factor), &x * factor);
            }
            assert_eq!(a.is_zero().any(), x == BigUint::ZERO);
            assert_eq!(a.is_zero_vartime(), x == BigUint::ZERO);
            assert_eq!(a.is_odd().any(), x.bit(0));
            if x == BigUint::ZERO {
                is("the inverse of zero", a.invert(), BigUint::ZERO);
            } else if let Some(inverse) = x.modinv(&m) {
                is("an inverse", a.invert(), inverse);
            }
            // A row is canonical, and comes back.
            assert_eq!(from_words(&a.to_row()), &x * power(260) % &m);
            is("a row", Mont::from_row(a.to_row()), x.clone());
            // A row's words as they stand are u^2 = 16 times the number.
            assert_eq!(1 << Mont::<M>::ROW_ROOT_BITS, 4);
            is("a row as it stands", Mont::from_row_as_it_stands_vartime(a.to_row()), 16u8 * &x);
            assert_eq!(a.scale(16).to_row_as_it_stands(), a.to_row());
            is("u times", a.times_row_root(), 4u8 * &x);
            is("u times a u-th", a.divide_by_row_root().scale(4), x.clone());
        }
        is_constant::<M>();
    }
}

fn is_constant<M: MontgomeryPrime>() {
    let number = |element: Mont<M>| from_words(&element.to_words());
    assert_eq!(number(Field::zero()), BigUint::ZERO);
    assert_eq!(number(Field::one()), BigUint::from(1u8));
    assert_eq!(number(Field::constant([5, 6, 7, 8])), from_words(&[5, 6, 7, 8]) % modulus::<M>());
}

#[test]
fn every_edge() {
    on_each_modulus(&Singles);
}

struct AnyWords;
impl OnModulus for AnyWords {
    fn run<M: MontgomeryPrime>(&self) {
        let (m, mut random) = (modulus::<M>(), Random::new(63));
        let leave = power(260).modinv(&m).expect("the modulus is odd");
        for number in edges::<M>().into_iter().chain((0..100).map(|_| random.number())) {
            let element = Mont::<M>::from_words(to_words(&number));
            assert_eq!(from_words(&element.to_words()), &number % &m, "words {number:x} mod {m:x}");
            let element = Mont::<M>::from_row(to_words(&number));
            assert_eq!(from_words(&element.to_words()), &number * &leave % &m, "row {number:x} mod {m:x}");
            assert_eq!(from_words(&element.to_row()), &number % &m, "row {number:x} mod {m:x}");
            assert_eq!(element.is_zero_vartime(), &number % &m == BigUint::ZERO, "row {number:x} mod {m:x}");
            let element = Mont::<M>::from_row_as_it_stands_vartime(to_words(&number));
            assert_eq!(from_words(&element.to_row_as_it_stands()), &number % &m, "row {number:x} mod {m:x}");
        }
    }
}

#[test]
fn any_words_and_rows_are_taken() {
    on_each_modulus(&AnyWords);
}

/// The bounds in `field/redc.rs`, each where it is closest.
struct Bounds;
impl OnModulus for Bounds {
    fn run<M: MontgomeryPrime>(&self) {
        let (m, r, b) = (modulus::<M>(), power(256), power(64));
        let (twice, greatest_digit) = (&m * 2u8, &b - 1u8);
        let fits_twice = M::MODULUS[3] >> 63 == 0;
        assert_eq!(fits_twice, twice <= r);

        // Each clearing of four words leaves four. Four clearings leave at most M, and an upper half is below M.
        let clear = |t: BigUint| (t + &greatest_digit * &m) / &b;
        let cleared = (0..4).fold(&r - 1u8, |t, _| {
            let next = clear(t);
            assert!(next < r);
            next
        });
        assert!(cleared <= m && cleared + (&m - 1u8) < twice);

        // A row with a clearing: below twice M comes out where that went in. With 2^64 more it does not.
        let row_cleared = |t: BigUint| (t + &greatest_digit * (&m - 1u8 + &m)) / &b;
        assert!(row_cleared(&twice - 1u8) < twice);
        assert!(row_cleared(&twice - 1u8 + &b) >= twice);

        // A sum of two products: below M R by itself where twice M fits, else below twice M R.
        let sum = 2u8 * &m * &m;
        assert_eq!(sum < &m * &r, fits_twice);
        assert!(sum / &r < twice);

        if M::MODULUS[3] >> 60 != 0 {
            // A row over 16.
            let quotient = (&r - 1u8 + 15u8 * &m) / 16u8;
            assert!(quotient < twice && quotient < r);

            // The quotient of a row is at most one too small: as a number that is not rounded, it is too small by what
            // grows steadily with the top word d, and is below 2^-54 at both of its ends. All times M 2^120.
            let top = BigUint::from(M::MODULUS[3]);
            let constant = power(124) / (&top + 1u8);
            for d in [BigUint::ZERO, top] {
                let (least, most) = (&d * power(316), (&d + 1u8) * power(316));
                let estimate = &d * &constant * &m;
                assert!(estimate <= least, "the estimate of {d:x} is too large");
                assert!(most - estimate < &m * power(66), "the estimate of {d:x} is too small");
            }
        }
    }
}

#[test]
fn bounds_hold_at_their_closest() {
    on_each_modulus(&Bounds);
}
