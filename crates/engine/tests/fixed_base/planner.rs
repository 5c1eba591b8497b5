//! Plans keep their budget, and none of the obvious alternatives is cheaper.

use crate::groups::{Bandersnatch, Group};
use crate::naive::order;
use crate::reference::to_words;
use crate::samples::Random;
use phalanx_engine::fixed_base::{
    Configuration, DOUBLING_ALONE, Expected, Load, Operations, Planned, Request, Scheme, Vector,
};

type C = Bandersnatch;
const POINTS: usize = 64;

fn plan(budget: usize, loads: &[Load], batch: usize) -> Option<Planned> {
    Request { points: POINTS, order: order::<C>(), budget, loads, batch }.plan()
}

fn load(nonzero: usize) -> Load {
    Load { nonzero, weight: 1.0 / nonzero as f64 }
}

/// What is predicted is what is counted.
fn check_prediction(planned: &Planned) {
    let mut random = Random::new(111);
    for expected in &planned.expected {
        let step = POINTS / expected.nonzero;
        let scalar = |place: usize, random: &mut Random| (place, to_words(&(random.number() % C::order())));
        let terms: Vec<_> = (0..expected.nonzero).map(|i| scalar(i * step, &mut random)).collect();
        let Operations { additions, doublings } = planned.configuration.operations(Vector::Sparse(&terms));
        assert!((additions as f64 - expected.additions).abs() <= 3.0 + 0.05 * expected.additions, "{planned:?}");
        assert_eq!(doublings as f64, expected.doublings, "{planned:?}");
    }
}

#[test]
fn plans_keep_the_budget_and_say_what_they_cost() {
    let loads = [load(1), load(8), load(64)];
    let mut before = f64::INFINITY;
    for mebibytes in [1, 4, 16, 36] {
        for batch in [1, 1_000] {
            let planned = plan(mebibytes << 20, &loads, batch).expect("a plan within a mebibyte");
            assert_eq!(planned.configuration.check(), Ok(()));
            assert_eq!(planned.bytes, planned.configuration.bytes());
            assert!(planned.bytes <= mebibytes << 20, "{planned:?}");
            check_prediction(&planned);
        }
        // More memory is never worse, and in bulk additions count most.
        let planned = plan(mebibytes << 20, &[load(64)], 1_000).expect("a plan within a mebibyte");
        assert!(planned.expected[0].additions <= before);
        before = planned.expected[0].additions;
    }
}

#[test]
fn plans_beat_single_tables() {
    let (budget, loads) = (16 << 20, [load(1), load(64)]);
    let planned = plan(budget, &loads, 1).expect("a plan");
    let cost = |expected: &[Expected]| -> f64 {
        expected.iter().zip(loads).map(|(e, load)| load.weight * (e.additions + DOUBLING_ALONE * e.doublings)).sum()
    };
    for scheme in [
        Scheme::SignedWindows { b: 8 },
        Scheme::SignedComb { t: 8, b: 11, group: 1 },
        Scheme::SignedComb { t: 20, b: 13, group: 1 },
    ] {
        let layout = Configuration::single(POINTS, order::<C>(), scheme).layout(0);
        assert!(layout.bytes() <= budget);
        let single = loads.map(|load| layout.expected(load.nonzero));
        assert!(cost(&planned.expected) <= cost(&single), "{scheme:?} beats {planned:?}");
    }
}

#[test]
fn what_cannot_be_planned() {
    assert_eq!(plan(64, &[load(1)], 1), None);
    let nothing = Request { points: 0, order: order::<C>(), budget: 1 << 20, loads: &[], batch: 1 };
    assert_eq!(nothing.plan(), None);
    assert!(plan(1 << 20, &[], 1).is_some());
}
