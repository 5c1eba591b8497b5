//! Numbers modulo the group order n: folded by 2^256 - n, as ships, and in Montgomery's form.

use crate::median_table;
use phalanx_engine::field::{Field, FieldX1, Mont, MontgomeryPrime};
use std::{hint::black_box, time::Instant};

/// What ships, by its source.
#[allow(dead_code)]
#[path = "../../../crates/phalanx/src/scalar/modn.rs"]
mod modn;

#[derive(Clone, Copy)]
struct Order;

impl MontgomeryPrime for Order {
    const MODULUS: [u64; 4] = modn::ORDER;
}

const STEPS: usize = 2000;
const NUMBERS: [[u64; 4]; 4] = [
    [0xc7c0_708e_3350_1dfd, 0x27f4_4ef4_dc4d_1c13, 0xfbb2_c1cd_5771_e88b, 0x82af_8765_3903_e214],
    [0xfaa9_3da8_3857_784f, 0x7d05_2111_83c8_b94a, 0x9e6b_6458_dd80_8c66, 0x4e0e_849b_03c2_b5e9],
    [0x8057_8c2c_708d_c35c, 0xb5c0_4ab9_6e97_ac44, 0x58e2_6267_033a_63f6, 0x3475_6ce4_9418_5afc],
    [0xa5f8_c807_6a81_841d, 0xe48c_34bd_af9e_0a0b, 0x5735_d543_e7c5_1304, 0x95cd_d116_f49b_6439],
];

/// The operations of a layout.
trait Layout: Copy {
    fn of(limbs: [u64; 4]) -> Self;
    fn limbs(self) -> [u64; 4];
    fn product(self, other: Self) -> Self;
    fn square(self) -> Self;
}

#[derive(Clone, Copy)]
struct Folded([u64; 4]);

impl Layout for Folded {
    #[inline(always)]
    fn of(limbs: [u64; 4]) -> Self {
        Self(limbs)
    }
    #[inline(always)]
    fn limbs(self) -> [u64; 4] {
        self.0
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self(modn::multiply(&self.0, &other.0))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self(modn::square(&self.0))
    }
}

impl Layout for Mont<Order> {
    #[inline(always)]
    fn of(limbs: [u64; 4]) -> Self {
        Mont::from_words(limbs)
    }
    #[inline(always)]
    fn limbs(self) -> [u64; 4] {
        self.to_words()
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        self.mul(other)
    }
    #[inline(always)]
    fn square(self) -> Self {
        Field::square(self)
    }
}

/// What is timed: a product and a square of the one before, and each of which four do not wait for each other.
const NAMES: [&str; 4] = ["product, a chain", "square, a chain", "product, 4 chains", "square, 4 chains"];

fn per_step<T: Copy>(start: T, step: impl Fn(T) -> T, products: usize) -> f64 {
    let mut value = black_box(start);
    let begin = Instant::now();
    for _ in 0..STEPS {
        value = step(value);
    }
    black_box(value);
    begin.elapsed().as_nanos() as f64 / (STEPS * products) as f64
}

#[inline(never)]
fn sample<L: Layout>() -> [f64; 4] {
    let [a, b, c, d] = black_box(NUMBERS).map(L::of);
    [
        per_step(a, |value| value.product(b), 1),
        per_step(a, |value| value.square(), 1),
        per_step([a, b, c, d], |values| values.map(|value| value.product(b)), 4),
        per_step([a, b, c, d], |values| values.map(Layout::square), 4),
    ]
}

/// A chain of products and squares, which must be the same number in each layout.
fn chain<L: Layout>() -> [u64; 4] {
    let [a, b, ..] = NUMBERS.map(L::of);
    (0..100).fold(a, |value, _| value.product(b).square()).limbs()
}

/// Prints the table of scalars.
pub fn print() {
    assert_eq!(chain::<Folded>(), chain::<Mont<Order>>(), "Montgomery's form computes something else");
    let layouts: [(&str, fn() -> [f64; 4]); 2] =
        [("folded by 2^256 - n (ships)", sample::<Folded>), ("Montgomery's form", sample::<Mont<Order>>)];
    median_table("modulo n", &NAMES, &layouts);
}
