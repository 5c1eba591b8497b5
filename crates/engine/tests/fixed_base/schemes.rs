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

/// Sizes and operations of subsets are published; the tests of Banderwagon compare them.
#[test]
fn sizes_of_signed_schemes() {
    // Signed combs of the design note: three windows of 11, 11 and 10 elements; one of 13.
    assert_eq!(layout(Scheme::SignedComb { t: 8, b: 11, group: 1 }).rows(), 256 * (1024 + 1024 + 512));
    assert_eq!(layout(Scheme::SignedComb { t: 20, b: 13, group: 1 }).bytes(), 64 << 20);
    assert_eq!(layout(Scheme::SignedWindows { b: 8 }).bytes(), 64 << 20);
}

#[test]
fn combs_and_windows_skip_zeros() {
    let operations = |scheme, terms: &[(usize, [u64; 4])]| {
        Configuration::single(256, order::<C>(), scheme).operations(Vector::Sparse(terms))
    };
    let scalar = to_words(&(Random::new(102).number() % C::order()));
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
    assert_eq!(with(|c| c.rules = [].into()), Err(ConfigurationError::NoLastRule));
    assert_eq!(with(|c| c.rules.push(Rule { nonzero: 4, tables: [0].into() })), Err(ConfigurationError::Rule(1)));
    let large = |c: &mut Configuration| {
        let table = TableSpec { scheme: Scheme::SignedWindows { b: 20 }, places: 0..4 };
        (0..3).for_each(|_| c.tables.push(table.clone()));
    };
    assert_eq!(with(large), Err(ConfigurationError::Rows));
}
