//! What schemes say of themselves: sizes as published, counts of operations, and what cannot be.

use crate::groups::{Bandersnatch, Group};
use crate::naive::order;
use crate::reference::to_words;
use crate::samples::Random;
use phalanx_engine::fixed_base::{
    Configuration, ConfigurationError, Layout, Operations, Rule, Scheme, TableSpec, Vector, scalar_difference,
};

type C = Bandersnatch;

fn layout(scheme: Scheme) -> Layout {
    Layout { scheme, bits: 253, points: 256 }
}

/// The published sweep's table sizes, in MiB with two digits: (t, b) = (32, 10), (1, 8), (128, 12) and (256, 12).
#[test]
fn sizes_are_those_published() {
    for (t, b, mebibytes) in [(32, 10, 19.22), (1, 8, 189.75), (128, 12, 16.12), (256, 12, 8.25)] {
        let layout = layout(Scheme::Subsets { t, b });
        let found = layout.published_bytes() as f64 / f64::from(1 << 20);
        assert!((found - mebibytes).abs() < 0.0051, "({t}, {b}): {found}");
        assert_eq!(layout.bytes() * 3, layout.published_bytes() * 2);
    }
    // Signed combs of the design note: three windows of 11, 11 and 10 elements; one of 13.
    assert_eq!(layout(Scheme::SignedComb { t: 8, b: 11, group: 1 }).rows(), 256 * (1024 + 1024 + 512));
    assert_eq!(layout(Scheme::SignedComb { t: 20, b: 13, group: 1 }).bytes(), 64 << 20);
    assert_eq!(layout(Scheme::SignedWindows { b: 8 }).bytes(), 64 << 20);
}

fn random_vector(nonzero: usize, random: &mut Random) -> Vec<[u64; 4]> {
    (0..nonzero).map(|_| to_words(&(random.number() % C::order()))).collect()
}

/// Operations of prefixes, averaged over random vectors, within 3 of the published ones.
#[test]
fn operations_are_those_published() {
    let mut random = Random::new(101);
    for (t, b, nonzero, published) in [(32, 10, 4, 150.0), (128, 12, 256, 5_629.0), (256, 12, 256, 5_810.0)] {
        let configuration = Configuration::single(256, order::<C>(), Scheme::Subsets { t, b });
        let rounds = 20;
        let count = |_| {
            let Operations { additions, doublings } =
                configuration.operations(Vector::Dense(&random_vector(nonzero, &mut random)));
            additions + doublings
        };
        let mean = (0..rounds).map(count).sum::<usize>() as f64 / f64::from(rounds);
        let near = (mean - published).abs() <= (0.05 * published).max(3.0);
        assert!(near, "({t}, {b}), {nonzero} scalars: {mean} and {published}");
    }
}

#[test]
fn combs_and_windows_skip_zeros() {
    let mut random = Random::new(102);
    let operations = |scheme, terms: &[(usize, [u64; 4])]| {
        Configuration::single(256, order::<C>(), scheme).operations(Vector::Sparse(terms))
    };
    let scalar = random_vector(1, &mut random)[0];
    let comb = Scheme::SignedComb { t: 8, b: 11, group: 1 };
    assert_eq!(operations(comb, &[(7, scalar)]), Operations { additions: 24, doublings: 7 });
    assert_eq!(operations(comb, &[(7, [0; 4])]), Operations { additions: 0, doublings: 0 });
    assert_eq!(operations(comb, &[(7, order::<C>())]), Operations { additions: 0, doublings: 0 });
    let windows = Scheme::SignedWindows { b: 8 };
    assert_eq!(operations(windows, &[(7, [1, 0, 0, 0])]), Operations { additions: 1, doublings: 0 });
    // -1 modulo the order is as short as 1.
    let minus_one = scalar_difference(&[0; 4], &[1, 0, 0, 0], &order::<C>());
    assert_eq!(operations(windows, &[(7, minus_one)]), Operations { additions: 1, doublings: 0 });
    // Groups: a second scalar in the group costs nothing, one in the next group does.
    let comb = Scheme::SignedComb { t: 32, b: 8, group: 2 };
    let alone = operations(comb, &[(2, scalar)]).additions;
    assert_eq!(operations(comb, &[(2, scalar), (3, scalar)]).additions, alone);
    assert_eq!(operations(comb, &[(3, scalar), (4, scalar)]).additions, 2 * alone);
}

#[test]
fn differences_of_scalars() {
    let (order, one) = (order::<C>(), [1, 0, 0, 0]);
    assert_eq!(scalar_difference(&one, &one, &order), [0; 4]);
    assert_eq!(scalar_difference(&[5, 0, 0, 0], &[3, 0, 0, 0], &order), [2, 0, 0, 0]);
    assert_eq!(scalar_difference(&order, &[0; 4], &order), [0; 4]);
    let minus_one = scalar_difference(&[0; 4], &one, &order);
    assert_eq!(scalar_difference(&minus_one, &[u64::MAX - 1, 0, 0, 0], &order)[1], order[1] - 1);
    assert_eq!(scalar_difference(&one, &minus_one, &order), [2, 0, 0, 0]);
}

#[test]
fn what_cannot_be_is_refused() {
    let good = || Configuration::single(4, order::<C>(), Scheme::SignedWindows { b: 4 });
    assert_eq!(good().check(), Ok(()));
    let with = |change: fn(&mut Configuration)| {
        let mut configuration = good();
        change(&mut configuration);
        configuration.check()
    };
    assert_eq!(with(|c| c.order[0] += 1), Err(ConfigurationError::Order));
    assert_eq!(with(|c| c.order = [1, 0, 0, 0]), Err(ConfigurationError::Order));
    assert_eq!(with(|c| c.order = [0; 4]), Err(ConfigurationError::Order));
    for scheme in [
        Scheme::SignedWindows { b: 0 },
        Scheme::SignedWindows { b: 21 },
        Scheme::Subsets { t: 0, b: 3 },
        Scheme::Subsets { t: 257, b: 3 },
        Scheme::SignedComb { t: 3, b: 3, group: 0 },
        Scheme::SignedComb { t: 3, b: 3, group: 17 },
    ] {
        let configuration = Configuration::single(4, order::<C>(), scheme);
        assert_eq!(configuration.check(), Err(ConfigurationError::Scheme(0)), "{scheme:?}");
    }
    assert_eq!(with(|c| c.tables[0].places = 0..5), Err(ConfigurationError::Places(0)));
    assert_eq!(with(|c| c.tables[0].places = 1..1), Err(ConfigurationError::Places(0)));
    assert_eq!(with(|c| c.tables[0].places = 0..3), Err(ConfigurationError::Rule(0)));
    assert_eq!(with(|c| c.rules[0].tables = [1].into()), Err(ConfigurationError::Rule(0)));
    assert_eq!(with(|c| c.rules[0].tables = [0, 0].into()), Err(ConfigurationError::Rule(0)));
    assert_eq!(with(|c| c.rules[0].nonzero = 3), Err(ConfigurationError::NoLastRule));
    assert_eq!(with(|c| c.rules.clear()), Err(ConfigurationError::NoLastRule));
    assert_eq!(with(|c| c.rules.push(Rule { nonzero: 4, tables: [0].into() })), Err(ConfigurationError::Rule(1)));
    let large = TableSpec { scheme: Scheme::SignedWindows { b: 20 }, places: 0..4 };
    let many = |c: &mut Configuration, large: TableSpec| c.tables.extend(vec![large; 3]);
    let mut configuration = good();
    many(&mut configuration, large);
    assert_eq!(configuration.check(), Err(ConfigurationError::Rows));
}
