//! Eight lanes against one, on every machine there is.

use super::*;
use crate::{
    Backend, PublicKey, Scalar, SecretKey,
    glv::LAMBDA,
    group::{Jacobian, Secp256k1, to_affine_vartime},
    hash::sha256,
    mul::{Combine, Digits, DoubleMuls, Unit, double_mul_rows, same_x},
    tuning::LINES_OF_EIGHT_LANES,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::VectorUnit;
use phalanx_engine::word::{CacheLine, Emulation, LANES, Mask, Mask8, Op, Word};

/// One body for all machines; says which ran.
pub(crate) fn on_every_machine(test: impl TestOnMachine) {
    assert_eq!(Emulation.run(Name), "emulated");
    test.run(Emulation);
    #[cfg(feature = "tracking")]
    {
        use phalanx_engine::word::proof::Tracking;
        assert_eq!(Tracking.run(Name), "tracked");
        test.run(Tracking);
        std::println!("ran on tracked words");
    }
    let mut names = std::vec!["emulated"];
    for unit in Backend::VECTORS.into_iter().filter_map(Backend::vectors) {
        if !phalanx_tiers::is_emulated() {
            names.push(Backend::of_vectors(unit).name());
            assert_eq!(Machine::run(unit, Name), *names.last().unwrap());
            test.run(unit);
        }
    }
    std::println!("ran on the words of {}", names.join(", "));
    // Those that a CPU of this architecture may have.
    for name in VectorUnit::NAMES_HERE.iter().filter(|name| !names.contains(name)) {
        let what = std::format!("every test of eight lanes on those of {name}; each ran on emulated words");
        phalanx_tiers::skipped("vector words", &what);
    }
}

/// The backends for tests of bulk calls: those of this CPU, and emulated words where it has no vector words.
pub(crate) fn backends() -> Vec<Backend> {
    let available = Backend::available().iter().copied();
    let mut backends: Vec<_> =
        available.filter(|backend| *backend == Backend::Portable || !phalanx_tiers::is_emulated()).collect();
    if backends == [Backend::Portable] {
        backends.push(crate::internals::EMULATED);
    }
    backends
}

pub(crate) trait TestOnMachine {
    fn run<M: Machine>(&self, machine: M);
}

/// Tests whose bodies run on every machine.
macro_rules! on_machines {
    ($($(#[$note:meta])* fn $test:ident($machine:ident) $body:block)*) => {$(
        $(#[$note])*
        #[test]
        fn $test() {
            struct Body;

            impl $crate::lanes::tests::TestOnMachine for Body {
                fn run<M: $crate::lanes::Machine>(&self, $machine: M) $body
            }

            $crate::lanes::tests::on_every_machine(Body);
        }
    )*};
}

pub(crate) use on_machines;

pub(crate) struct Name;

impl Op for Name {
    type Output = &'static str;
    fn call<W: Word>(self) -> &'static str {
        W::NAME
    }
}

/// Lends memory for a step, full of numbers that none may read.
pub(crate) fn with_memory<T>(work: impl FnOnce(&mut [CacheLine]) -> T) -> T {
    work(&mut vec![CacheLine([0x5a5a_5a5a_5a5a_5a5a >> 13; 8]); LINES_OF_EIGHT_LANES])
}

/// A scalar for each label, random but for some edges.
pub(crate) fn scalar(label: u64) -> Scalar {
    match label % 16 {
        0 => Scalar::from(label / 16),
        1 => -Scalar::from(label / 16),
        2 => LAMBDA * Scalar::from(label / 16 + 1),
        3 => Scalar::from(1u64 << (label / 16 % 64)).square().square(),
        4 => -Scalar::from(1u64 << (label / 16 % 64)).square(),
        _ => Scalar::from_bytes_reduced(&sha256(&label.to_be_bytes())),
    }
}

/// The number with these digits in windows of `width` bits, least significant first.
pub(crate) fn from_digits(width: u32, digits: impl DoubleEndedIterator<Item = i64>) -> Scalar {
    digits.rev().fold(Scalar::ZERO, |sum, digit| {
        let magnitude = Scalar::from(digit.unsigned_abs());
        sum * Scalar::from(1u64 << width) + if digit < 0 { -magnitude } else { magnitude }
    })
}

/// Digit `window` of 2 h + 1 in the form without zeros. Bit i of h is `half(i)`, and the form has `bits` bits.
pub(crate) fn digit(half: impl Fn(usize) -> bool, bits: usize, width: usize, window: usize) -> i64 {
    let bit = |at: usize| i64::from(half(at) || at == bits - 1);
    2 * (0..width).map(|i| bit(width * window + i) << i).sum::<i64>() - ((1 << width) - 1)
}

/// Digit `window` of n in the form without zeros, in as many windows of `width` bits as 256 bits need.
pub(crate) fn digit_of_order(width: usize, window: usize) -> i64 {
    let half = (-Scalar::from(2u64).inverse()).limbs();
    digit(|at| at < 256 && half[at / 64] >> (at % 64) & 1 == 1, 256usize.next_multiple_of(width), width, window)
}

/// x and y, none for infinity.
pub(crate) fn coordinates(point: &Jacobian) -> Option<[[u64; 4]; 2]> {
    to_affine_vartime(point).map(|point| [point.x.to_words(), point.y.to_words()])
}

pub(crate) fn key(scalar: Scalar) -> PublicKey {
    SecretKey::from_bytes(&scalar.to_bytes()).unwrap().public_key()
}

/// a P + b G for rows (a, d, b) with P = d G. Asserts that each is that of one lane, by coordinates and by the
/// comparison of x; returns which are infinity.
fn combined<M: Machine>(machine: M, rows: &[[Scalar; 3]]) -> Vec<bool> {
    let groups = rows.len().div_ceil(LANES);
    let mut points = vec![AffineLanes::generator(); groups];
    let mut digits = vec![Digits::ZERO; groups];
    for (i, [a, d, b]) in rows.iter().enumerate() {
        points[i / LANES].set(i % LANES, &key(*d).affine());
        digits[i / LANES].set(i % LANES, a, b);
    }
    for i in rows.len()..groups * LANES {
        digits[i / LANES].set(i % LANES, &Scalar::ONE, &Scalar::ONE);
    }
    let mut sums = vec![JacobianX8::ZERO; groups];
    let (mut infinite, mut affine) = (vec![Mask8::ALL; groups], vec![[U256x8::ZERO; 2]; groups]);
    with_memory(|memory| {
        let work = DoubleMuls { points: &points, digits: &digits, sums: &mut sums, infinite: &mut infinite };
        double_mul_rows(machine, work, memory);
        assert_eq!(to_affine(machine, &sums, &mut affine, memory), Mask::NONE);
    });
    let check = |(i, [a, d, b]): (usize, &[Scalar; 3])| {
        let (group, lane) = (i / LANES, i % LANES);
        let expected = coordinates(&Secp256k1::double_mul_vartime(Unit::OneLane, a, &key(*d).affine(), b));
        let [x, y] = &affine[group];
        let infinite = infinite[group].lane(lane);
        assert_eq!((!infinite).then_some([x.get(lane), y.get(lane)]), expected, "{a} ({d} G) + {b} G");
        assert!(infinite || same_x(machine, &sums[group], x).lane(lane));
        infinite
    };
    rows.iter().enumerate().map(check).collect()
}

on_machines! {
    fn combinations_are_those_of_one_lane(machine) {
        // 23 groups: more than are computed together, and a tail.
        let row = |i: u64| [scalar(3 * i + 5), scalar(16 * i + 7), scalar(16 * i + 9)];
        assert!(!combined(machine, &(0..8 * 23 - 3).map(row).collect::<Vec<_>>()).contains(&true));
        assert!(combined(machine, &[]).is_empty());
        for b in [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(2u64)] {
            assert_eq!(combined(machine, &[[scalar(5), scalar(6), b]]), [false]);
        }
    }
}

/// What the even windows of an odd b stand for.
fn even_windows(b: &Scalar) -> Scalar {
    let [b0, b1, b2, b3] = b.limbs();
    let k = [b0 >> 1 | b1 << 63, b1 >> 1 | b2 << 63, b2 >> 1 | b3 << 63, b3 >> 1 | 1 << 63];
    let digit = |window: usize| 2 * (k[window / 8] >> (8 * (window % 8)) & 255);
    let digit = |window: usize| Scalar::from(digit(window)) - Scalar::from(255u64);
    (0..32).step_by(2).rev().fold(Scalar::ZERO, |sum, window| sum * Scalar::from(1u64 << 16) + digit(window))
}

on_machines! {
    fn exceptional_additions_are_right(machine) {
        let mut rows = Vec::new();
        // The chain ends at plus or minus the generator's part or one half of it, or at infinity.
        for label in 5..12 {
            let (a, d) = (scalar(label), scalar(label + 16));
            let product = a * d;
            rows.extend([product, -product, product.double(), -product.double()].map(|b| [a, d, b]));
        }
        for d in [Scalar::ONE, -Scalar::ONE, LAMBDA, -LAMBDA, Scalar::from(2u64)] {
            for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
                rows.push([Scalar::from(a as u64), d, -Scalar::from(b as u64)]);
            }
        }
        // For one of these, 2 (11 - 29 lambda), the chain before its last addition stands at the addend.
        let odd = || (0..32u64).map(|i| Scalar::from(2 * i) - Scalar::from(31u64));
        for digits in odd().flat_map(|i| odd().map(move |j| i + j * LAMBDA)).skip(1).step_by(3) {
            rows.push([digits.double(), scalar(7), scalar(8)]);
        }
        // The chain ends at plus or minus the sum of the generator's even windows, or of its odd ones.
        for label in 5..12 {
            let (d, b) = (scalar(label), scalar(label + 16).double() + Scalar::ONE);
            let b = if b.limbs()[0] & 1 == 1 { b } else { -b };
            let even = even_windows(&b);
            for part in [even, -even, b - even, even - b] {
                rows.push([part * d.invert().unwrap(), d, b]);
            }
        }
        // The generator's number whose upper and lower halves are equal modulo n.
        let low = Scalar::from_u128(0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141);
        rows.push([scalar(9), scalar(10), -low.double()]);
        let infinite = combined(machine, &rows).into_iter().filter(|infinite| *infinite).count();
        assert!(infinite > 20, "sums are infinity: {infinite}");
        // Each among ordinary rows, which are computed again with it.
        for (i, row) in rows.iter().enumerate().step_by(17) {
            let mut group: Vec<_> =
                (0..8).map(|lane| [scalar(lane + 5), scalar(lane + 21), scalar(lane + 37)]).collect();
            group[i % 8] = *row;
            combined(machine, &group);
        }
    }
}

fn check_lifts<M: Machine>(machine: M, lifts: &[Lift], first: u64, odd: u8) {
    let mut points = vec![AffineLanes::generator(); lifts.len()];
    let mut missing = vec![Mask8::ALL; lifts.len()];
    lift(machine, lifts, &mut points, &mut missing);
    for (group, (point, missing)) in points.iter().zip(&missing).enumerate() {
        for lane in 0..8 {
            let alone = PublicKey::lift([first + lane as u64, 0, 0, 0], odd >> lane & 1 == 1);
            let keep = lifts[group].keep.lane(lane);
            assert_eq!(missing.lane(lane), alone.is_err() && !keep, "group {group} of {}", lifts.len());
            let expected = match alone {
                Ok(point) if !keep && group == 1 => point.negate(),
                Ok(point) if !keep => point,
                _ => PublicKey::GENERATOR,
            };
            assert_eq!(PublicKey::from_affine(point.get(lane)), expected, "group {group} of {}", lifts.len());
        }
    }
}

on_machines! {
    fn lifting_is_that_of_one_lane(machine) {
        for first in [0u64, 1, 100] {
            for odd in [0u8, 0xff, 0b1010_0110] {
                let mut x = U256x8::ZERO;
                (0..8).for_each(|lane| x.set(lane, [first + lane as u64, 0, 0, 0]));
                let given = |odd, keep| Lift { x, odd: Mask8(odd), keep: Mask8(keep) };
                // As many groups as are computed side by side, and one more or fewer; the second has others to keep.
                let lifts = [given(odd, 0), given(!odd, 0xf0), given(odd, 0), given(0, 0xff), given(odd, 0)];
                for groups in 1..=lifts.len() {
                    check_lifts(machine, &lifts[..groups], first, odd);
                }
            }
        }
    }
}
