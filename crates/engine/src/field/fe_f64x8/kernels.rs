//! Products, squares and carries of numbers of five digits.
//!
//! # Products
//!
//! Column k collects the products of digits i and j with i + j = k, from the grid [`column_grid`] of k upwards. Each
//! product is split at the grid of column k + 1: rounded in a sum that starts at a large constant, it leaves its coarse
//! part in that sum and its fine part to be added up on its own (four operations per product). A column's products go
//! into two sums, one of which they are taken away from: the difference of the two is the coarse part of the column,
//! without the constant. Where the fine parts add up to too much for what follows, one more sum splits them in the same
//! way.
//!
//! # Reduction
//!
//! Columns 5 to 8 are worth 2^256 = C each more than columns 0 to 3. Column 9, the coarse part of column 8, is folded
//! into columns 4 and 5 first, since it would reach beyond digit 4. Then column 5 + i is folded into column i and the
//! sum is carried, in one step for each i: digits may be negative, so that nothing waits for the carry of another.

use super::{GRIDS, Prime};
use crate::word::doubles::{Double, Lanewise, Split, Step, power_of_two};
use core::marker::PhantomData;

/// The grid of a column, from which its products are multiples.
#[inline(always)]
const fn column_grid(column: usize) -> i32 {
    GRIDS[column % 5] + GRIDS[5] * (column / 5) as i32
}

/// Where a column's sums start: in the middle of the doubles whose gap is the grid of the next column, and a little
/// more, for products of digits that are a little more than half a gap. `K` is the factor of the products.
#[inline(always)]
fn start<D: Double, const K: u64>(column: usize) -> D {
    D::splat((1.5 + power_of_two(-8)) * K as f64 * power_of_two(52 + column_grid(column + 1)))
}

/// C / 2^256: what a multiple of 2^256 is worth.
#[inline(always)]
fn wrap<P: Prime>() -> f64 {
    P::C as f64 * power_of_two(-GRIDS[5])
}

/// What a column adds to the next one, and what stays.
#[derive(Clone, Copy)]
struct SplitColumn<D> {
    coarse: D,
    fine: D,
}

/// One or two products added to a column's start, or taken away from it.
#[derive(Clone, Copy)]
struct ColumnSum<D> {
    high: D,
    coarse: D,
    fine: D,
}

impl<D: Double> ColumnSum<D> {
    #[inline(always)]
    fn of(Step { high, coarse, fine }: Step<D>) -> Self {
        Self { high, coarse, fine }
    }
    #[inline(always)]
    fn up(start: D, [a, b]: [D; 2]) -> Self {
        Self::of(start.plus_product(a, b))
    }
    #[inline(always)]
    fn down(start: D, [a, b]: [D; 2]) -> Self {
        Self::of(start.minus_product(a, b))
    }
    #[inline(always)]
    fn up_two(start: D, x: [D; 2], [a, b]: [D; 2]) -> Self {
        let first = Self::up(start, x);
        let second = first.high.plus_product(a, b);
        Self { fine: first.fine.add(second.fine), ..Self::of(second) }
    }
    #[inline(always)]
    fn down_two(start: D, x: [D; 2], [a, b]: [D; 2]) -> Self {
        let first = Self::down(start, x);
        let second = first.high.minus_product(a, b);
        Self { fine: first.fine.add(second.fine), ..Self::of(second) }
    }

    /// The column of one product.
    #[inline(always)]
    fn alone(self) -> SplitColumn<D> {
        SplitColumn { coarse: self.coarse, fine: self.fine }
    }
    /// The column of this sum and of one that went down.
    #[inline(always)]
    fn less(self, down: Self) -> SplitColumn<D> {
        SplitColumn { coarse: self.high.sub(down.high), fine: self.fine.add(down.fine) }
    }
    /// [`Self::less`], with the sum of the fine parts split.
    #[inline(always)]
    fn less_settled(self, down: Self) -> SplitColumn<D> {
        self.settle(down, self.fine.add(down.fine))
    }
    /// The column of this sum, of one that went down, and of fine parts to be split.
    #[inline(always)]
    fn settle(self, down: Self, fine: D) -> SplitColumn<D> {
        let Step { high, fine, .. } = self.high.plus(fine);
        SplitColumn { coarse: high.sub(down.high), fine }
    }
}

impl<D: Double> SplitColumn<D> {
    #[inline(always)]
    fn and_coarse(self, more: D) -> Self {
        Self { coarse: self.coarse.add(more), ..self }
    }
    /// The column and a digit.
    #[inline(always)]
    fn and(self, addend: Addend<D>, digit: usize) -> Self {
        Self { fine: addend.to(digit, self.fine), ..self }
    }
}

/// What a kernel adds to a product.
#[derive(Clone, Copy)]
enum Addend<D> {
    None,
    Plus([D; 5]),
    Minus([D; 5]),
}

impl<D: Double> Addend<D> {
    #[inline(always)]
    fn is_some(self) -> bool {
        !matches!(self, Self::None)
    }
    /// The number and a digit.
    #[inline(always)]
    fn to(self, digit: usize, number: D) -> D {
        match self {
            Self::None => number,
            Self::Plus(digits) => number.add(digits[digit]),
            Self::Minus(digits) => number.sub(digits[digit]),
        }
    }
}

/// `K a b` and the addend, for a K of 1 or 2 by which `a` is multiplied already.
#[inline(always)]
fn product<P: Prime, D: Double, const K: u64>(a: [D; 5], b: [D; 5], addend: Addend<D>) -> [D; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
    let start = start::<D, K>;

    let c8 = ColumnSum::up(start(8), [a4, b4]).alone();
    let nine = start(4).plus_product(c8.coarse, D::splat(wrap::<P>()));
    let c3 = ColumnSum::up_two(start(3), [a0, b3], [a3, b0]);
    let c3 = c3.less_settled(ColumnSum::down_two(start(3), [a1, b2], [a2, b1]));
    let up = ColumnSum::up_two(start(4), [a0, b4], [a4, b0]);
    let down = ColumnSum::down_two(start(4), [a1, b3], [a3, b1]);
    let middle = ColumnSum::up(start(4), [a2, b2]);
    let fine = up.fine.add(down.fine).add(middle.fine);
    // A sum of one product has room for the fine parts without leaving its binade, which an addend needs.
    let c4 = if addend.is_some() {
        let Step { high, fine, .. } = middle.high.plus(fine);
        SplitColumn { coarse: up.high.sub(down.high).add(high.sub(start(4))), fine: addend.to(4, fine) }
    } else {
        up.settle(down, fine).and_coarse(middle.coarse)
    };
    let c5 = ColumnSum::up_two(start(5), [a1, b4], [a4, b1]);
    let c5 = c5.less_settled(ColumnSum::down_two(start(5), [a2, b3], [a3, b2]));
    let c0 = ColumnSum::up(start(0), [a0, b0]).alone();
    let c7 = ColumnSum::up(start(7), [a3, b4]).less(ColumnSum::down(start(7), [a4, b3]));
    let c6 = ColumnSum::up_two(start(6), [a2, b4], [a4, b2]).less(ColumnSum::down(start(6), [a3, b3]));
    let c1 = ColumnSum::up(start(1), [a0, b1]).less(ColumnSum::down(start(1), [a1, b0]));
    let c2 = if addend.is_some() {
        let middle = ColumnSum::up(start(2), [a1, b1]);
        let outer = ColumnSum::up(start(2), [a0, b2]).less(ColumnSum::down(start(2), [a2, b0]));
        SplitColumn { coarse: outer.coarse.add(middle.coarse), fine: outer.fine.add(middle.fine) }
    } else {
        ColumnSum::up_two(start(2), [a0, b2], [a2, b0]).less(ColumnSum::down(start(2), [a1, b1]))
    };
    let (c0, c1, c2, c3) = (c0.and(addend, 0), c1.and(addend, 1), c2.and(addend, 2), c3.and(addend, 3));
    reduce::<P, D>([c0, c1, c2, c3, c4, c5, c6, c7, c8], nine)
}

/// `K a^2` and the addend, where `b` is `K a` and `twice` is `2 a`.
#[inline(always)]
fn square<P: Prime, D: Double, const K: u64>(a: [D; 5], twice: [D; 4], b: [D; 5], addend: Addend<D>) -> [D; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4], [t0, t1, t2, t3]) = (a, b, twice);
    let start = start::<D, K>;

    let c8 = ColumnSum::up(start(8), [a4, b4]).alone();
    let nine = start(4).plus_product(c8.coarse, D::splat(wrap::<P>()));
    let c3 = ColumnSum::up(start(3), [t0, b3]).less_settled(ColumnSum::down(start(3), [t1, b2]));
    let (up, down) = (ColumnSum::up(start(4), [t0, b4]), ColumnSum::down(start(4), [t1, b3]));
    let middle = ColumnSum::up(start(4), [a2, b2]);
    let fine = addend.to(4, up.fine.add(down.fine).add(middle.fine));
    let c4 = up.settle(down, fine).and_coarse(middle.coarse);
    let c5 = ColumnSum::up(start(5), [t1, b4]).less_settled(ColumnSum::down(start(5), [t2, b3]));
    let c0 = ColumnSum::up(start(0), [a0, b0]).alone();
    let c7 = ColumnSum::up(start(7), [t3, b4]).alone();
    let c6 = ColumnSum::up(start(6), [t2, b4]).less(ColumnSum::down(start(6), [a3, b3]));
    let c1 = ColumnSum::up(start(1), [t0, b1]).alone();
    let c2 = ColumnSum::up(start(2), [t0, b2]).less(ColumnSum::down(start(2), [a1, b1]));
    let (c0, c1, c2, c3) = (c0.and(addend, 0), c1.and(addend, 1), c2.and(addend, 2), c3.and(addend, 3));
    reduce::<P, D>([c0, c1, c2, c3, c4, c5, c6, c7, c8], nine)
}

/// The carried number of these columns, column 9 in the two parts in which it is folded.
#[inline(always)]
fn reduce<P: Prime, D: Double>(columns: [SplitColumn<D>; 9], nine: Step<D>) -> [D; 5] {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = columns;
    let x5 = c5.fine.add(c4.coarse).add(nine.coarse);
    let x6 = c6.fine.add(c5.coarse);
    let x7 = c7.fine.add(c6.coarse);
    let x8 = c8.fine.add(c7.coarse);
    let p0 = c0.fine;
    let p1 = c1.fine.add(c0.coarse);
    let p2 = c2.fine.add(c1.coarse);
    let p3 = c3.fine.add(c2.coarse);
    let p4 = c4.fine.add(c3.coarse).add(nine.fine);
    let wrap = wrap::<P>();
    let s4 = p4.split(GRIDS[5]);
    let s0 = p0.fold(x5, wrap, GRIDS[1]);
    let s1 = p1.fold(x6, wrap, GRIDS[2]);
    let s2 = p2.fold(x7, wrap, GRIDS[3]);
    let s3 = p3.fold(x8, wrap, GRIDS[4]);
    [
        s0.rest.add_product(s4.carry, D::splat(wrap)),
        s1.rest.add(s0.carry),
        s2.rest.add(s1.carry),
        s3.rest.add(s2.carry),
        s4.rest.add(s3.carry),
    ]
}

/// `K` times a number, carried, for a product of `K` and the magnitude of at most 3, or a power of two.
#[inline(always)]
fn carry<P: Prime, D: Double, const K: u64>([a, b, c, d, e]: [D; 5]) -> [D; 5] {
    let (s0, s1, s2) = (split::<D, K>(a, 0), split::<D, K>(b, 1), split::<D, K>(c, 2));
    let (s3, s4) = (split::<D, K>(d, 3), split::<D, K>(e, 4));
    [
        s0.rest.add_product(s4.carry, D::splat(wrap::<P>())),
        s1.rest.add(s0.carry),
        s2.rest.add(s1.carry),
        s3.rest.add(s2.carry),
        s4.rest.add(s3.carry),
    ]
}

/// `K` times a digit, split at the grid of the next one.
#[inline(always)]
fn split<D: Double, const K: u64>(number: D, digit: usize) -> Split<D> {
    let grid = GRIDS[digit + 1];
    if K == 1 { number.split(grid) } else { number.split_multiple(K as f64, grid) }
}

#[inline(always)]
fn times<D: Double, const K: u64>([a, b, c, d, e]: [D; 5]) -> [D; 5] {
    let k = K as f64;
    [a.times(k), b.times(k), c.times(k), d.times(k), e.times(k)]
}

/// `K a b` for a K from 1 to 4.
pub(super) struct Product<P, const K: u64>(PhantomData<P>);

impl<P: Prime, const K: u64> Lanewise for Product<P, K> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], b: [D; 5], _: [D; 5]) -> [D; 5] {
        const { assert!(1 <= K && K <= 4) };
        match K {
            1 => product::<P, D, 1>(a, b, Addend::None),
            2 => product::<P, D, 2>(times::<D, 2>(a), b, Addend::None),
            _ => carry::<P, D, K>(product::<P, D, 1>(a, b, Addend::None)),
        }
    }
}

/// `a b + e` or `a b - e`, by the sign, for an `e` of magnitude 1.
pub(super) struct ProductAnd<P, const SIGN: i32>(PhantomData<P>);

impl<P: Prime, const SIGN: i32> Lanewise for ProductAnd<P, SIGN> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], b: [D; 5], e: [D; 5]) -> [D; 5] {
        product::<P, D, 1>(a, b, if SIGN < 0 { Addend::Minus(e) } else { Addend::Plus(e) })
    }
}

/// `K a^2` for a K from 1 to 4.
pub(super) struct Square<P, const K: u64>(PhantomData<P>);

#[inline(always)]
fn square_once<P: Prime, D: Double>(a: [D; 5], addend: Addend<D>) -> [D; 5] {
    let [t0, t1, t2, t3, _] = times::<D, 2>(a);
    square::<P, D, 1>(a, [t0, t1, t2, t3], a, addend)
}

impl<P: Prime, const K: u64> Lanewise for Square<P, K> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], _: [D; 5], _: [D; 5]) -> [D; 5] {
        const { assert!(1 <= K && K <= 4) };
        match K {
            1 => square_once::<P, D>(a, Addend::None),
            2 => {
                let twice = times::<D, 2>(a);
                let [t0, t1, t2, t3, _] = twice;
                square::<P, D, 2>(a, [t0, t1, t2, t3], twice, Addend::None)
            }
            _ => carry::<P, D, K>(square_once::<P, D>(a, Addend::None)),
        }
    }
}

/// `a^2 + e` for an `e` of magnitude 3: too much for one reduction, so it is carried first, while the square begins.
pub(super) struct SquareAnd<P>(PhantomData<P>);

impl<P: Prime> Lanewise for SquareAnd<P> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], e: [D; 5], _: [D; 5]) -> [D; 5] {
        square_once::<P, D>(a, Addend::Plus(carry::<P, D, 1>(e)))
    }
}

/// `a^2 - e` for an `e` of magnitude 3, as in [`SquareAnd`], or `a^2 - 2 e` for an `e` of magnitude 1.
pub(super) struct SquareLess<P, const K: u64>(PhantomData<P>);

impl<P: Prime, const K: u64> Lanewise for SquareLess<P, K> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], e: [D; 5], _: [D; 5]) -> [D; 5] {
        const { assert!(K == 1 || K == 2) };
        let taken = if const { K == 1 } { carry::<P, D, 1>(e) } else { twice_carried_in_three(e) };
        square_once::<P, D>(a, Addend::Minus(taken))
    }
}

/// Twice a carried number. Three of its digits are carried, which makes the sum with a square small enough.
#[inline(always)]
fn twice_carried_in_three<D: Double>([a, b, c, d, e]: [D; 5]) -> [D; 5] {
    let two = D::splat(2.0);
    let (s0, s2, s3) = (split::<D, 2>(a, 0), split::<D, 2>(c, 2), split::<D, 2>(d, 3));
    [s0.rest, s0.carry.add_product(b, two), s2.rest, s3.rest.add(s2.carry), s3.carry.add_product(e, two)]
}

/// `a^2 - e` for an `e` of magnitude 1.
pub(super) struct SquareMinus<P>(PhantomData<P>);

impl<P: Prime> Lanewise for SquareMinus<P> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], e: [D; 5], _: [D; 5]) -> [D; 5] {
        square_once::<P, D>(a, Addend::Minus(e))
    }
}

/// A number of magnitude 3, carried.
pub(super) struct Carry<P>(PhantomData<P>);

impl<P: Prime> Lanewise for Carry<P> {
    #[inline(always)]
    fn run<D: Double>(number: [D; 5], _: [D; 5], _: [D; 5]) -> [D; 5] {
        carry::<P, D, 1>(number)
    }
}

/// `a - b`, carried, for magnitudes of 3 in all.
pub(super) struct Difference<P>(PhantomData<P>);

impl<P: Prime> Lanewise for Difference<P> {
    #[inline(always)]
    fn run<D: Double>(a: [D; 5], b: [D; 5], _: [D; 5]) -> [D; 5] {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
        carry::<P, D, 1>([a0.sub(b0), a1.sub(b1), a2.sub(b2), a3.sub(b3), a4.sub(b4)])
    }
}
