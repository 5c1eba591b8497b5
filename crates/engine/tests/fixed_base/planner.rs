//! Plans keep their budget, and none of the obvious alternatives is cheaper.

use crate::groups::{Bandersnatch, Group};
use crate::naive::order;
use crate::reference::to_words;
use crate::samples::Random;
use phalanx_engine::fixed_base::{
    DOUBLING_ALONE, DOUBLING_SIDE_BY_SIDE, Expected, Load, Operations, Planned, Request, Scheme, Vector,
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
        let rule =
            planned.configuration.rules.iter().find(|rule| expected.nonzero <= rule.nonzero).expect("a last rule");
        let group = match planned.configuration.tables[rule.tables[0]].scheme {
            Scheme::SignedComb { group, .. } => group as usize,
            _ => 1,
        };
        // The first point of each group, then the others.
        let mut places: Vec<usize> = (0..POINTS).collect();
        places.sort_by_key(|place| place % group);
        places.truncate(expected.nonzero);
        places.sort_unstable();
        let scalar = |place: usize, random: &mut Random| (place, to_words(&(random.number() % C::order())));
        let terms: Vec<_> = places.into_iter().map(|place| scalar(place, &mut random)).collect();
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
        // More memory is never worse.
        let planned = plan(mebibytes << 20, &[load(64)], 1_000).expect("a plan within a mebibyte");
        let cost = planned.expected[0].additions + DOUBLING_SIDE_BY_SIDE * planned.expected[0].doublings;
        assert!(cost <= before, "{planned:?}");
        before = cost;
    }
}

/// Every signed scheme that the engine accepts over so many points, by its bytes, with a cost for each load: counted
/// from the definitions of the schemes.
fn all_schemes(points: usize, bits: u32, loads: &[Load], doubling: f64) -> Vec<(usize, Vec<f64>)> {
    let cost =
        |columns: u32, additions: f64, load: &Load| load.weight * (additions + doubling * f64::from(columns - 1));
    let mut all = Vec::new();
    for b in 1..=20u32 {
        let windows = bits.div_ceil(b) as usize;
        let digits = 1.0 - 0.5f64.powi(b as i32);
        let costs = loads.iter().map(|load| cost(1, (load.nonzero * windows) as f64 * digits, load)).collect();
        all.push(((points * windows) << (b - 1 + 6), costs));
        for (t, group) in (1..=256u32).flat_map(|t| (1..=16usize).map(move |group| (t, group))) {
            let elements = bits.div_ceil(t) as usize;
            let (mut rows, mut windows, mut groups, mut most) = (0, 0, 0, 0);
            for (count, points) in [(points / group, group), (1, points % group)] {
                // The elements of a group in windows of at most b, as even as can be.
                let elements = points * elements;
                let of_group = elements.div_ceil(b as usize);
                if count == 0 || of_group == 0 {
                    continue;
                }
                let (size, larger) = (elements / of_group, elements % of_group);
                rows += count * (larger * (1 << size) + (of_group - larger) * (1 << (size - 1)));
                (windows, groups, most) = (windows + count * of_group, groups + count, most.max(of_group));
            }
            let entries = |nonzero: usize| if nonzero < groups { nonzero * most } else { windows };
            let costs = loads.iter().map(|load| cost(t, f64::from(t) * entries(load.nonzero) as f64, load)).collect();
            all.push((rows * 64, costs));
        }
    }
    all
}

/// The least cost of a scheme within a budget that serves these loads, for each budget that changes it.
fn least(all: &[(usize, Vec<f64>)], loads: std::ops::Range<usize>) -> Vec<(usize, f64)> {
    let mut least: Vec<_> =
        all.iter().map(|(bytes, costs)| (*bytes, costs[loads.clone()].iter().sum::<f64>())).collect();
    least.sort_by_key(|(bytes, _)| *bytes);
    for i in 1..least.len() {
        least[i].1 = least[i].1.min(least[i - 1].1);
    }
    least
}

/// No scheme, and no pair of which one serves the shorter vectors, is cheaper than the plan.
#[test]
fn no_plan_is_cheaper() {
    let loads = [load(1), load(16), load(256)];
    let request = |budget, loads, batch| Request { points: 256, order: order::<C>(), budget, loads, batch };
    for (batch, doubling) in [(1, DOUBLING_ALONE), (1_000, DOUBLING_SIDE_BY_SIDE)] {
        for loads in [&loads[2..], &loads[..]] {
            let all = all_schemes(256, 253, loads, doubling);
            for budget in [1, 16, 64, 138, 334].map(|mebibytes: usize| mebibytes << 20) {
                let within = |budget: usize, least: &[(usize, f64)]| {
                    let count = least.partition_point(|(bytes, _)| *bytes <= budget);
                    count.checked_sub(1).map_or(f64::INFINITY, |last| least[last].1)
                };
                let mut best = within(budget, &least(&all, 0..loads.len()));
                for split in 1..loads.len() {
                    let (short, long) = (least(&all, 0..split), least(&all, split..loads.len()));
                    for (bytes, cost) in short.iter().take_while(|(bytes, _)| *bytes <= budget) {
                        best = best.min(cost + within(budget - bytes, &long));
                    }
                }
                let planned = request(budget, loads, batch).plan().expect("a plan within a mebibyte");
                assert!(planned.bytes <= budget);
                let of = |(e, load): (&Expected, &Load)| load.weight * (e.additions + doubling * e.doublings);
                let cost: f64 = planned.expected.iter().zip(loads).map(of).sum();
                assert!((cost - best).abs() < 1e-6 * best, "{budget} bytes: {cost}, at best {best}: {planned:?}");
                let Expected { nonzero, additions, doublings } = planned.expected[planned.expected.len() - 1];
                println!(
                    "{nonzero} of 256 points, {} MiB, {batch} at once: {additions:.0} + {doublings}",
                    budget >> 20
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_planned() {
    assert_eq!(plan(64, &[load(1)], 1), None);
    let nothing = Request { points: 0, order: order::<C>(), budget: 1 << 20, loads: &[], batch: 1 };
    assert_eq!(nothing.plan(), None);
    assert!(plan(1 << 20, &[], 1).is_some());
}
