//! Sums by every scheme, one at a time and side by side, on every adder.

use crate::groups::{
    Bandersnatch, Group, Secq256k1, Sloped, WithAdder, point_of_sum, with_any_words, with_every_adder,
};
use crate::naive::{Basis, order, vectors};
use crate::reference::Point;
use phalanx_engine::affine_add::AffineAdder;
use phalanx_engine::fixed_base::{Configuration, Rule, Scheme, TableSpec, Tables, Vector, Workspace};
use phalanx_engine::msm::Sum;
use phalanx_engine::word::CacheLine;

const fn subsets(t: u32, b: u32) -> Scheme {
    Scheme::Subsets { t, b }
}
const fn windows(b: u32) -> Scheme {
    Scheme::SignedWindows { b }
}
const fn comb(t: u32, b: u32, group: u32) -> Scheme {
    Scheme::SignedComb { t, b, group }
}

/// Windows of one element and of many, within scalars and across them; columns fewer and more than lanes; groups that
/// leave a rest.
pub(crate) const SCHEMES: [Scheme; 16] = [
    subsets(1, 1),
    subsets(3, 5),
    subsets(16, 7),
    subsets(256, 3),
    windows(1),
    windows(2),
    windows(5),
    windows(8),
    comb(1, 5, 1),
    comb(2, 6, 1),
    comb(4, 1, 1),
    comb(8, 6, 1),
    comb(11, 5, 1),
    comb(20, 6, 3),
    comb(64, 7, 2),
    comb(256, 3, 4),
];

/// Two tables for short vectors, and one for long ones.
pub(crate) fn hybrid<C: Group>(points: usize) -> Configuration {
    let table = |scheme, places| TableSpec { scheme, places };
    Configuration {
        points,
        order: order::<C>(),
        tables: [table(windows(7), 0..2), table(comb(16, 5, 1), 0..points), table(windows(4), 2..points)].into(),
        rules: [Rule { nonzero: 3, tables: [0, 2].into() }, Rule { nonzero: points, tables: [1].into() }].into(),
    }
}

/// Windows, all of whose digits are of one column, beside combs of several: that column is much longer than the others.
fn mixed<C: Group>(points: usize, t: u32) -> Configuration {
    let table = |scheme, places| TableSpec { scheme, places };
    Configuration {
        points,
        order: order::<C>(),
        tables: [table(windows(3), 0..4), table(comb(t, 6, 1), 4..points)].into(),
        rules: [Rule { nonzero: points, tables: [0, 1].into() }].into(),
    }
}

/// Every configuration over a basis.
struct Sums<C> {
    basis: Basis<C>,
    schemes: &'static [Scheme],
}

impl<C: Group> Sums<C> {
    fn check<A: AffineAdder<Curve = C>>(&self, adder: &A, configuration: Configuration, name: &str) {
        let points = self.basis.rows.len();
        let what = format!("{name}, {:?}", configuration.tables);
        let tables = Tables::<C>::build(adder, configuration, &self.basis.rows).expect("a configuration that can be");
        let vectors = vectors::<C>(points);
        let expected: Vec<_> = vectors.iter().map(|terms| self.basis.sum(terms)).collect();
        let mut workspace = Default::default();
        let mut check = |vectors: &[Vector<'_>], expected: &[Point], what: String| {
            assert_eq!(sums(adder, &tables, vectors, &mut workspace), expected, "{what}");
        };
        for (terms, expected) in vectors.iter().zip(&expected) {
            let expected = core::slice::from_ref(expected);
            check(&[Vector::Sparse(terms)], expected, format!("{what}, {terms:x?}"));
            let mut scalars = vec![[0; 4]; terms.last().map_or(0, |last| last.0 + 1)];
            terms.iter().for_each(|(place, scalar)| scalars[*place] = *scalar);
            check(&[Vector::Dense(&scalars)], expected, format!("{what}, dense {terms:x?}"));
        }
        for from in [vectors.len() - 2, vectors.len() - 9, 0] {
            let some: Vec<_> = vectors[from..].iter().map(|terms| Vector::Sparse(terms)).collect();
            check(&some, &expected[from..], format!("{what}, from {from} on side by side"));
        }
    }
}

/// The sums of vectors that are summed side by side.
fn sums<A: AffineAdder>(
    adder: &A,
    tables: &Tables<A::Curve>,
    vectors: &[Vector<'_>],
    workspace: &mut Workspace,
) -> Vec<Point> {
    let mut sums = vec![Sum::<A::Curve>::infinity(); vectors.len()];
    tables.sums_vartime(adder, vectors, &mut sums, workspace);
    sums.into_iter().map(point_of_sum::<A::Curve>).collect()
}

impl<C: Group> WithAdder<C> for Sums<C> {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str) {
        let points = self.basis.rows.len();
        for scheme in self.schemes {
            self.check(adder, Configuration::single(points, order::<C>(), *scheme), name);
        }
        self.check(adder, hybrid::<C>(points), name);
        [2, 8, 20].into_iter().for_each(|t| self.check(adder, mixed::<C>(points, t), name));
    }
}

/// Special points, and ordinary ones.
fn both<C: Group>(schemes: &'static [Scheme]) -> [Sums<C>; 2] {
    [Basis::<C>::special(9), Basis::<C>::ordinary(13)].map(|basis| Sums { basis, schemes })
}

#[test]
fn tiny_group() {
    both::<Sloped<11>>(&SCHEMES).iter().for_each(with_any_words);
}

#[test]
fn another_curve_over_another_prime() {
    both::<Secq256k1>(&SCHEMES[6..12]).iter().for_each(with_any_words);
}

#[test]
fn a_curve_whose_a_is_not_zero() {
    both::<Bandersnatch>(&SCHEMES).iter().for_each(with_every_adder);
}

/// Over tens of thousands of points powers are made in parts, which end where windows end: windows of several points, and
/// last parts that are not whole. Each point is a known one.
#[test]
fn tables_over_many_points() {
    let points = 3 * (1 << 15) + 5;
    let few = Basis::<Sloped<11>>::ordinary(8);
    let rows: Vec<_> = (0..points).map(|place| few.rows[place % 8]).collect();
    for scheme in [comb(2, 2, 3), subsets(1, 3), windows(2)] {
        let adder = phalanx_engine::affine_add::OneLane::new();
        let configuration = Configuration::single(points, order::<Sloped<11>>(), scheme);
        let tables = Tables::<Sloped<11>>::build(&adder, configuration, &rows).expect("a configuration that can be");
        let mut workspace = Default::default();
        for place in (0..points).step_by(4_001).chain([0x7ffe, 0x7fff, 0x8000, 0x8001, points - 1]) {
            for scalar in [1, 2, 7, 10] {
                let found = sums(&adder, &tables, &[Vector::Sparse(&[(place, [scalar, 0, 0, 0])])], &mut workspace);
                let expected = few.sum(&[(place % 8, [scalar, 0, 0, 0])]);
                assert_eq!(found, [expected], "{scheme:?}, point {place} times {scalar}");
            }
        }
    }
}

/// Tables part by part, and sums, in memory that is lent: no line more is touched than was asked for.
struct InArena<C>(Basis<C>);

impl<C: Group> WithAdder<C> for InArena<C> {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str) {
        const MARK: CacheLine = CacheLine([0x5a5a; 8]);
        let points = self.0.rows.len();
        let vectors = vectors::<C>(points);
        let expected: Vec<_> = vectors.iter().map(|terms| self.0.sum(terms)).collect();
        let longest = vectors.iter().map(Vec::len).max().expect("vectors");
        let single = |scheme| Configuration::single(points, order::<C>(), scheme);
        for configuration in [single(subsets(16, 7)), single(windows(5)), single(comb(20, 6, 3)), hybrid::<C>(points)] {
            let what = format!("{name}, {:?}", configuration.tables);
            let whole = Tables::<C>::build(adder, configuration.clone(), &self.0.rows).expect("a configuration");
            let (mut rows, mut infinity) = (vec![MARK; configuration.rows()], false);
            for part in configuration.parts(2) {
                let lines = configuration.lines_of_part::<A>(&part);
                let mut memory = vec![MARK; lines + 1];
                let place = &mut rows[part.rows.clone()];
                infinity |= configuration.build_part(adder, &part, &self.0.rows, place, &mut memory[..lines]);
                assert_eq!(memory[lines].0, MARK.0, "{what}");
            }
            assert!(rows.iter().map(|row| row.0).eq(whole.rows().iter().map(|row| row.0)), "{what}: parts of tables");
            let tables = Tables::<C, _>::of_parts(configuration, &rows[..], infinity).expect("a configuration");
            let all = tables.configuration().lines::<A>(vectors.len(), longest);
            for lines in [tables.configuration().lines::<A>(1, longest), all / 2, all] {
                let mut memory = vec![MARK; lines + 1];
                let mut sums = vec![Sum::<C>::infinity(); vectors.len()];
                tables.sums_in_vartime(adder, |i| Vector::Sparse(&vectors[i]), &mut sums, &mut memory[..lines]);
                assert_eq!(memory[lines].0, MARK.0, "{what}");
                for (sum, expected) in sums.into_iter().zip(&expected) {
                    assert_eq!(point_of_sum::<C>(sum), *expected, "{what}, {lines} lines");
                }
            }
        }
    }
}

#[test]
fn memory_may_be_lent() {
    with_any_words(&InArena(Basis::<Sloped<11>>::special(9)));
    with_every_adder(&InArena(Basis::<Bandersnatch>::ordinary(13)));
}
